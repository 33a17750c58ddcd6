import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant, localFields, MAX_INSTANT, MIN_INSTANT, nextFire, nextFires, previousFire } from '../../src/index.ts'
import { at, cpuTime, cron, shown, zone } from '../harness.ts'

/** The fires of a rule after an instant, as readable texts. */
function walk(text: string, name: string, after: string, count: number): string[] {
  return nextFires(cron(text), zone(name), at(after), count).map(shown)
}

describe('times that do not exist', () => {
  it.each([
    ['B01', '30 2 * * *', 'America/New_York', '2026-03-08T06:30:00Z', ['2026-03-08T07:00Z moved from 02:30', '2026-03-09T06:30Z']],
    ['B02', '0 2 * * *', 'America/Los_Angeles', '2025-03-09T08:00:00Z', ['2025-03-09T10:00Z moved from 02:00', '2025-03-10T09:00Z']],
    ['B06', '0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z', ['2018-11-04T03:00Z moved from 00:00', '2018-11-05T02:00Z']],
    ['T3', '15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', ['2026-10-03T15:30Z moved from 02:15', '2026-10-04T15:15Z']],
    ['T3', '0 12 * * *', 'Pacific/Apia', '2011-12-29T12:00:00Z', ['2011-12-29T22:00Z', '2011-12-30T10:00Z moved from 12:00', '2011-12-30T22:00Z']],
    ['T3', '10,50 2 * * *', 'America/New_York', '2026-03-08T06:30:00Z', ['2026-03-08T07:00Z moved from 02:10', '2026-03-09T06:10Z']],
  ])('%s %s in %s fires once at the first instant after the gap and says so', (_, text, name, after, fires) => {
    expect(walk(text, name, after, fires.length)).toEqual(fires)
  })

  it('T3 a rule that also names the first time after the gap fires there once, and is not moved', () => {
    expect(walk('0 2,3 * * *', 'America/New_York', '2026-03-08T06:00:00Z', 2)).toEqual(['2026-03-08T07:00Z', '2026-03-09T06:00Z'])
  })

  it('B04 an interval-like rule that beats again within the hour just goes on', () => {
    expect(walk('15 * * * *', 'America/New_York', '2026-03-08T06:00:00Z', 2)).toEqual(['2026-03-08T06:15Z', '2026-03-08T07:15Z'])
  })

  it('B02 an interval-like rule that would lose its whole day makes up for it', () => {
    expect(walk('5-55/10 2 * * *', 'America/New_York', '2026-03-08T06:00:00Z', 2)).toEqual([
      '2026-03-08T07:00Z moved from 02:05',
      '2026-03-09T06:05Z',
    ])
  })
})

describe('times that occur twice', () => {
  it('B03 a fixed time fires in the earlier pass only', () => {
    const fires = ['2026-11-01T05:30Z repeated', '2026-11-02T06:30Z']
    expect(walk('30 1 * * *', 'America/New_York', '2026-11-01T04:00:00Z', 2)).toEqual(fires)
    expect(walk('30 1 * * *', 'America/New_York', '2026-11-01T06:00:00Z', 1)).toEqual(fires.slice(1))
    expect(shown(previousFire(cron('30 1 * * *'), zone('America/New_York'), at('2026-11-01T12:00:00Z')))).toBe(fires[0])
  })

  it('B03 a start near the end of time returns at once', () => {
    const rule = cron('30 1 * * *')
    expect(nextFire(rule, zone('America/New_York'), MAX_INSTANT)).toBeUndefined()
    expect(cpuTime(() => nextFire(rule, zone('America/New_York'), MAX_INSTANT))).toBeLessThan(50)
  })

  it('B04 a half-hourly rule keeps running through both passes', () => {
    expect(walk('*/30 * * * *', 'Australia/Melbourne', '2024-04-06T14:30:00Z', 5)).toEqual([
      '2024-04-06T15:00Z repeated',
      '2024-04-06T15:30Z repeated',
      '2024-04-06T16:00Z repeated',
      '2024-04-06T16:30Z repeated',
      '2024-04-06T17:00Z',
    ])
  })

  it('B04 an overlap of half an hour repeats only that half hour', () => {
    expect(walk('*/15 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:20:00Z', 5)).toEqual([
      '2026-04-04T14:30Z repeated',
      '2026-04-04T14:45Z repeated',
      '2026-04-04T15:00Z repeated',
      '2026-04-04T15:15Z repeated',
      '2026-04-04T15:30Z',
    ])
  })

  it('B05 walking minute by minute through an overlap always moves on and ends', () => {
    const rule = cron('* * * * *')
    const end = at('2025-10-26T01:05:00Z')
    let cursor = at('2025-10-26T00:58:00Z')
    let steps = 0
    while (cursor < end) {
      const { instant } = nextFire(rule, zone('Europe/Vienna'), cursor)!
      expect(instant - cursor).toBe(60_000)
      cursor = instant
      steps += 1
    }
    expect(steps).toBe(7)
  })
})

describe('whose clock counts', () => {
  it.each([
    ['B07', '10 14 * * 1,3,5', 'America/New_York', '2026-10-30T20:00:00Z', '2026-11-02T19:10Z'],
    ['B07', '10 14 * * 1,3,5', 'America/New_York', '2026-09-14T00:00:00Z', '2026-09-14T18:10Z'],
    ['B08', '0 7 * * *', 'America/Chicago', '2026-06-09T00:00:00Z', '2026-06-09T12:00Z'],
    ['B09', '0 9 * * *', 'Europe/Vienna', '2026-06-05T00:00:00Z', '2026-06-05T07:00Z'],
    ['B10', '0 14 * * *', 'UTC', '2026-06-05T00:00:00Z', '2026-06-05T14:00Z'],
    ['B10', '0 14 * * *', 'America/Chicago', '2026-06-05T00:00:00Z', '2026-06-05T19:00Z'],
    ['T2', '0 12 * * *', 'Asia/Kathmandu', '2026-10-09T00:00:00Z', '2026-10-09T06:15Z'],
  ])('%s %s in %s after %s fires at %s', (_, text, name, after, fire) => {
    expect(walk(text, name, after, 1)).toEqual([fire])
  })

  it('B09 a rule has one fire a day, not one per reading of its time', () => {
    expect(walk('0 9 * * *', 'Europe/Vienna', '2026-06-05T07:00:00Z', 1)).toEqual(['2026-06-06T07:00Z'])
  })
})

describe('the calendar', () => {
  it.each([
    ['B15', '0 9 1 * 1', 'UTC', '2026-06-30T12:00:00Z', ['2026-07-01T09:00Z', '2026-07-06T09:00Z', '2026-07-13T09:00Z']],
    ['B15', '0 9 * * 7', 'UTC', '2026-06-01T00:00:00Z', ['2026-06-07T09:00Z', '2026-06-14T09:00Z']],
    ['B16', '0 0 1-31 * 5', 'UTC', '2026-06-01T12:00:00Z', ['2026-06-02T00:00Z', '2026-06-03T00:00Z', '2026-06-04T00:00Z']],
    ['B16', '0 0 9 * 0-7', 'UTC', '2026-06-01T12:00:00Z', ['2026-06-02T00:00Z', '2026-06-03T00:00Z']],
    ['B16', '0 0 * * 5', 'UTC', '2026-06-01T12:00:00Z', ['2026-06-05T00:00Z', '2026-06-12T00:00Z']],
    ['B16', '0 9 */2 * 1', 'UTC', '2026-06-01T12:00:00Z', ['2026-06-15T09:00Z', '2026-06-29T09:00Z', '2026-07-13T09:00Z']],
    ['B16', '0 9 13 * */5', 'UTC', '2026-01-01T00:00:00Z', ['2026-02-13T09:00Z', '2026-03-13T09:00Z', '2026-09-13T09:00Z']],
    ['B17', '*/45 * * * *', 'UTC', '2026-06-01T12:00:00Z', ['2026-06-01T12:45Z', '2026-06-01T13:00Z', '2026-06-01T13:45Z']],
    ['B19', '0 0 31 4,5 *', 'UTC', '2026-01-01T00:00:00Z', ['2026-05-31T00:00Z', '2027-05-31T00:00Z']],
    ['B20', '0 9 29 2 *', 'UTC', '2016-02-29T09:00:00Z', ['2020-02-29T09:00Z']],
    ['B20', '0 9 29 2 *', 'UTC', '2096-03-01T00:00:00Z', ['2104-02-29T09:00Z']],
    ['B24', '0 0 1,15 * 5', 'Asia/Shanghai', '2026-06-01T12:00:00Z', ['2026-06-04T16:00Z', '2026-06-11T16:00Z', '2026-06-14T16:00Z']],
    ['B25', '0 9 31 * *', 'UTC', '2026-01-31T09:00:00Z', ['2026-03-31T09:00Z', '2026-05-31T09:00Z']],
    ['B25', '0 9 L * *', 'UTC', '2026-01-31T09:00:00Z', ['2026-02-28T09:00Z', '2026-03-31T09:00Z', '2026-04-30T09:00Z']],
    ['B25', '0 9 15,L 2 *', 'UTC', '2028-01-01T00:00:00Z', ['2028-02-15T09:00Z', '2028-02-29T09:00Z']],
    ['B51', '0 * * * *', 'UTC', '2026-06-01T14:16:00Z', ['2026-06-01T15:00Z', '2026-06-01T16:00Z']],
  ])('%s %s in %s after %s', (_, text, name, after, fires) => {
    expect(walk(text, name, after, fires.length)).toEqual(fires)
  })

  it('B34 a timer that wakes a millisecond early names the slot it was set for, and the next slot after that', () => {
    expect(walk('* * * * *', 'UTC', '2026-06-01T13:24:59.999Z', 1)).toEqual(['2026-06-01T13:25Z'])
    expect(walk('* * * * *', 'UTC', '2026-06-01T13:25:00.000Z', 1)).toEqual(['2026-06-01T13:26Z'])
  })

  it('R1 the last fire not after now is the one before now + 1', () => {
    const rule = cron('0 9 * * *')
    const now = at('2026-06-01T09:00:00Z')
    expect(shown(previousFire(rule, zone('UTC'), now + 1))).toBe('2026-06-01T09:00Z')
    expect(shown(previousFire(rule, zone('UTC'), now))).toBe('2026-05-31T09:00Z')
  })
})

describe('the ends of time', () => {
  it.each(['UTC', 'America/New_York', 'Asia/Shanghai'])('T2 in %s the year 9999 has a last fire and none after it', name => {
    const rule = cron('0 0 1 12 *')
    const last = previousFire(rule, zone(name), MAX_INSTANT)!
    expect(localFields(last.instant, zone(name))).toMatchObject({ year: 9999, month: 12, day: 1, hour: 0 })
    expect(nextFire(rule, zone(name), last.instant - 1)).toEqual(last)
    expect(nextFire(rule, zone(name), last.instant)).toBeUndefined()
    expect(nextFires(rule, zone(name), last.instant - 1, 3)).toEqual([last])
  })

  it('T2 before the year 1 there is no fire', () => {
    expect(previousFire(cron('0 0 1 1 *'), zone('UTC'), MIN_INSTANT)).toBeUndefined()
    expect(shown(previousFire(cron('0 0 1 1 *'), zone('UTC'), MIN_INSTANT + 1))).toBe('0001-01-01T00:00Z')
  })

  it('T2 the year 3000 and later are as near as tomorrow', () => {
    expect(walk('0 0 29 2 *', 'UTC', '2999-12-31T00:00:00Z', 2)).toEqual(['3004-02-29T00:00Z', '3008-02-29T00:00Z'])
    expect(walk('30 2 * * *', 'America/New_York', '5000-03-09T05:00:00Z', 1)).toEqual(['5000-03-09T07:00Z moved from 02:30'])
  })

  it('a fraction of a millisecond is a RangeError', () => {
    expect(() => nextFire(cron('0 9 * * *'), zone('UTC'), 0.5)).toThrow(RangeError)
  })
})

describe('laws', () => {
  const rules = fc.constantFrom('*/7 * * * *', '30 1,2 * * *', '0 */3 * * 1-5', '15 2 L * *', '0 0 29 2 *', '5 0-4 */2 * 1', '59 23 31 * 0', '* 2 * 3,10 *')
  const zones = fc.constantFrom('America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Pacific/Apia', 'Asia/Shanghai', 'UTC')
  const instants = fc.integer({ min: at('1975-01-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z') })

  it('T2 the next fire lies after the pivot, and the fire before just past it is itself', () => {
    fc.assert(
      fc.property(rules, zones, instants, (text, name, pivot) => {
        const next = nextFire(cron(text), zone(name), pivot)!
        expect(next.instant).toBeGreaterThan(pivot)
        expect(previousFire(cron(text), zone(name), next.instant + 1)).toEqual(next)
      }),
    )
  })

  it('T2 the previous fire lies before the pivot, and the fire after just before it is itself', () => {
    fc.assert(
      fc.property(rules, zones, instants, (text, name, pivot) => {
        const previous = previousFire(cron(text), zone(name), pivot)!
        expect(previous.instant).toBeLessThan(pivot)
        expect(nextFire(cron(text), zone(name), previous.instant - 1)).toEqual(previous)
      }),
    )
  })

  it('T2 between a fire and the next there is none: every pivot in between names the same one', () => {
    fc.assert(
      fc.property(rules, zones, instants, fc.double({ min: 0, max: 0.999_999, noNaN: true }), (text, name, pivot, share) => {
        const [first, second] = nextFires(cron(text), zone(name), pivot, 2)
        const between = first!.instant + Math.floor((second!.instant - first!.instant) * share)
        expect(nextFire(cron(text), zone(name), between)).toEqual(second)
      }),
    )
  })

  it('B24 a list of fires is the chain of next fires', () => {
    const [rule, name] = [cron('*/20 * * * *'), zone('Europe/Berlin')]
    let cursor = at('2026-10-24T22:00:00Z')
    for (const fire of nextFires(rule, name, cursor, 20)) {
      expect(nextFire(rule, name, cursor)).toEqual(fire)
      cursor = fire.instant
    }
    expect(formatInstant(cursor)).toBe('2026-10-25T04:40:00.000Z')
    expect(nextFires(rule, name, cursor, 0)).toEqual([])
  })
})
