import { describe, expect, it } from 'vitest'
import { isReceiptEvent, pairedCreate, readCreate, readDispatch, scheduleReminderPresentation } from '../src/presentation.ts'
import { create, dispatch, event, iso, other, T0 } from './events.ts'

const EVERY = { kind: 'every', everySeconds: 600 }

describe('scheduleReminderPresentation', () => {
  it('S31 pairs a dispatch with its create', () => {
    const log = [other(0), create(1, 'r-1', 'stretch'), create(2, 'r-2'), dispatch(3, 'r-1')]
    expect(scheduleReminderPresentation(log, 3, 0)).toEqual({ scheduleId: 'r-1', prompt: 'stretch', occurrenceAt: iso(T0 + 60_000) })
  })

  it('S31 takes the nearest earlier create, whatever the order of the events', () => {
    const log = [dispatch(3, 'r-1'), create(4, 'r-1', 'later'), create(0, 'r-1', 'first'), create(2, 'r-1', 'nearest'), create(1, 'r-1', 'second')]
    expect(scheduleReminderPresentation(log, 3, 0)?.prompt).toBe('nearest')
  })

  it.each([
    ['a child’s own dispatch does not pair with the work of its parent', 5, undefined],
    ['an inherited dispatch pairs within what was inherited', 3, 'of the parent'],
    ['a child’s own dispatch pairs with its own create of the same id', 7, 'of the child'],
  ])('S31 S5 %s', (_fact, seq, prompt) => {
    const log = [create(1, 'r-1', 'of the parent'), dispatch(3, 'r-1'), dispatch(5, 'r-1'), create(6, 'r-1', 'of the child'), dispatch(7, 'r-1')]
    expect(scheduleReminderPresentation(log, seq, 4)?.prompt).toBe(prompt)
  })

  it.each([
    ['the first instant of its grid', 60_000, 60_000],
    ['the newest that had passed', 60_000 + 1_500_000, 60_000 + 1_200_000],
  ])('S31 T1 a fixed-rate reminder was due at %s', (_what, accepted, due) => {
    const log = [create(1, 'e-1', 'water', EVERY), dispatch(2, 'e-1', { acceptedAt: iso(T0 + accepted) })]
    expect(scheduleReminderPresentation(log, 2, 0)?.occurrenceAt).toBe(iso(T0 + due))
  })

  it.each([
    ['there is no create', [dispatch(2, 'r-1')]],
    ['the create is of another id', [create(1, 'r-2'), dispatch(2, 'r-1')]],
    ['there is no dispatch', [create(1, 'r-1')]],
    ['the event is a delete', [create(1, 'r-1'), event(2, 'schedule/change', { version: 1, operation: 'delete', id: 'r-1' })]],
    ['the event is of another type', [create(1, 'r-1'), event(2, 'foreign', { version: 1, operation: 'dispatch', id: 'r-1' })]],
    ['the version is another', [create(1, 'r-1'), event(2, 'schedule/change', { version: 2, operation: 'dispatch', id: 'r-1' })]],
    ['a one-time reminder names when it was accepted', [create(1, 'r-1'), dispatch(2, 'r-1', { acceptedAt: iso(T0) })]],
    ['a fixed-rate reminder does not', [create(1, 'r-1', 'p', EVERY), dispatch(2, 'r-1')]],
    ['it was accepted before it was due', [create(1, 'r-1', 'p', EVERY), dispatch(2, 'r-1', { acceptedAt: iso(T0) })]],
    ['the instant is not canonical', [create(1, 'r-1', 'p', EVERY), dispatch(2, 'r-1', { acceptedAt: 'noon' })]],
  ])('S31 presents nothing when %s', (_why, log) => {
    expect(scheduleReminderPresentation(log, 2, 0)).toBeUndefined()
  })
})

describe('events of reminders', () => {
  it.each([
    ['no prompt', { id: 'r-1', kind: 'at', scheduledAt: iso(T0) }],
    ['no id', { prompt: 'p', kind: 'at', scheduledAt: iso(T0) }],
    ['an instant that does not exist', { id: 'r-1', prompt: 'p', kind: 'at', scheduledAt: '2026-13-40T00:00:00.000Z' }],
    ['an interval of nothing', { id: 'r-1', prompt: 'p', kind: 'every', everySeconds: 0, scheduledAt: iso(T0) }],
  ])('S8 a create with %s is none', (_what, schedule) => {
    expect(readCreate(event(1, 'schedule/change', { version: 1, operation: 'create', schedule }))).toBeUndefined()
  })

  it('reads nothing from nothing', () => {
    expect([readCreate(undefined), readDispatch(undefined), pairedCreate([], 1, 0)]).toEqual([undefined, undefined, undefined])
    expect(readDispatch(dispatch(1, ''))).toBeUndefined()
  })

  it.each([
    ['a dispatch', dispatch(1, 'r-1'), true],
    ['a change of a version that is not known here', event(1, 'schedule/change', { version: 2 }), true],
    ['an operation that is not known here', event(1, 'schedule/change', { version: 1, operation: 'pause' }), true],
    ['a create', create(1, 'r-1'), false],
    ['a delete', event(1, 'schedule/change', { version: 1, operation: 'delete', id: 'r-1' }), false],
    ['an event of another type', other(1), false],
  ])('S35 whether a row is shown for %s', (_what, one, isShown) => {
    expect(isReceiptEvent(one)).toBe(isShown)
  })
})
