import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseZone } from 'dsh-time-core'
import { measure } from '../../../src/cli/doctor/browser/measure.ts'
import { questionsOf } from '../../../src/cli/doctor/browser/questions.ts'
import { ownOffset } from '../../../src/cli/doctor/machine.ts'
import { LATER } from '../../harness.ts'

describe('what the page measures', () => {
  afterEach(() => vi.restoreAllMocks())

  it('T14 by the data of this Node it is what this Node says, in every zone', () => {
    const questions = questionsOf(Intl.supportedValuesOf('timeZone').filter((zone) => parseZone(zone) !== undefined), LATER)
    expect(questions.length).toBeGreaterThan(400)
    for (const { zone, instants } of questions) expect([zone, measure({ zone, instants })]).toEqual([zone, instants.map((at) => Number(ownOffset(zone, at)) * 60)])
  })

  it('T14 offsets with seconds, parts of a second, and west of UTC', () => {
    const at = Date.parse('1971-06-01T00:00:00Z')
    expect(measure({ zone: 'Africa/Monrovia', instants: [at, at + 999] })).toEqual([-2670, -2670])
  })

  it('T14 a midnight that a browser calls 24:00', () => {
    const real = Intl.DateTimeFormat.prototype.formatToParts
    vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts').mockImplementation(function parts(this: Intl.DateTimeFormat, at) {
      return real.call(this, at).map((part) => (part.type === 'hour' && part.value === '00' ? { ...part, value: '24' } : part))
    })
    expect(measure({ zone: 'Asia/Shanghai', instants: [Date.parse('2026-10-08T16:00:00Z')] })).toEqual([28_800])
  })

  it('T14 a zone that is not known has no offsets', () => {
    expect(measure({ zone: 'Mars/Olympus', instants: [LATER] })).toBeNull()
  })

  it('T14 its text alone is enough to run it', () => {
    const asked = { zone: 'Asia/Kathmandu', instants: [LATER] }
    expect(runInNewContext(`(${measure.toString()})(asked)`, { asked })).toEqual([20_700])
  })
})
