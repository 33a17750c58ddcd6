import { describe, expect, it } from 'vitest'
import { chooseNames } from '../src/names.ts'

const SCHEDULE = { create: 'schedule_create', list: 'schedule_list', delete: 'schedule_delete', snooze: 'schedule_snooze' }
const REMINDER = { create: 'reminder_create', list: 'reminder_list', delete: 'reminder_delete', snooze: 'reminder_snooze' }

const free = (): boolean => false

describe('the names of the tools', () => {
  it("S9 are the seed's own where nothing is in their way", () => {
    expect(chooseNames('auto', free)).toEqual(SCHEDULE)
  })

  it.each(Object.values(SCHEDULE))('S9 all give way when %s alone is taken, so that they stay one family', (taken) => {
    expect(chooseNames('auto', (name) => name === taken)).toEqual(REMINDER)
  })

  it('S9 do not give way to names that are only alike', () => {
    expect(chooseNames('auto', (name) => name === 'schedule_update' || name === 'reminder_create')).toEqual(SCHEDULE)
  })

  it('S9 can be forced by the row, also where they are taken', () => {
    expect(chooseNames('schedule', () => true)).toEqual(SCHEDULE)
    expect(chooseNames('reminder', free)).toEqual(REMINDER)
  })
})
