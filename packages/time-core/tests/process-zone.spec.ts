import { afterEach, beforeEach, expect, it } from 'vitest'
import { formatZoned, localFields, nextFire, parseLocal, parseOffsetInstant, previousFire, resolveLocal } from '../src/index.ts'
import { at, cron, shown, zone } from './harness.ts'

const original = process.env['TZ']

/** Sets the zone of this process, or takes it back to what the machine has. */
function setProcessZone(name: string | undefined): void {
  if (name === undefined) delete process.env['TZ']
  else process.env['TZ'] = name
}

/** One answer of every kind, around instants that mean different local days and both kinds of clock change. */
function answers(): unknown[] {
  const all: unknown[] = [parseOffsetInstant('2026-03-08T02:30:00-06:00')]
  for (const now of ['2026-03-08T06:59:00Z', '2026-11-01T05:30:00Z', '2026-06-05T02:00:00Z'].map(at)) {
    for (const name of ['America/Chicago', 'America/New_York', 'UTC', 'Asia/Shanghai'].map(zone)) {
      all.push(formatZoned(now, name), localFields(now, name))
      all.push(shown(nextFire(cron('30 2 * * *'), name, now)), shown(nextFire(cron('*/30 * * * 0'), name, now)))
      all.push(shown(previousFire(cron('0 14 L * *'), name, now)))
      for (const date of ['2026-03-08', '2026-11-01']) {
        const parse = parseLocal(date, '01:30:00')
        all.push(parse.ok && resolveLocal(parse.local, name))
      }
    }
  }
  return all
}

beforeEach(() => setProcessZone('UTC'))
afterEach(() => setProcessZone(original))

it.each(['America/New_York', 'Asia/Shanghai', 'America/Chicago', 'Australia/Lord_Howe'])('B10 a process in %s gives the answers of one in UTC', name => {
  const inUtc = answers()
  setProcessZone(name)
  expect(new Date(0).getTimezoneOffset()).not.toBe(0)
  expect(answers()).toEqual(inUtc)
})
