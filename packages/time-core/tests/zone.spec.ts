import { describe, expect, it } from 'vitest'
import { offsetAt, parseZone, sameZone } from '../src/index.ts'
import { at, zone } from './harness.ts'

describe('zone names', () => {
  it.each([
    ['Asia/Shanghai', 'Asia/Shanghai'],
    ['asia/shanghai', 'Asia/Shanghai'],
    ['ASIA/SHANGHAI', 'Asia/Shanghai'],
    ['america/argentina/buenos_aires', 'America/Argentina/Buenos_Aires'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
    ['antarctica/dumontdurville', 'Antarctica/DumontDUrville'],
    ['UTC', 'UTC'],
    ['utc', 'UTC'],
    ['Etc/UTC', 'Etc/UTC'],
    ['US/Eastern', 'US/Eastern'],
  ])('S19 %s is %s', (name, canonical) => {
    expect(parseZone(name)).toBe(canonical)
  })

  it.each(['UTC+8', 'GMT+8', 'CST', 'Etc/GMT+8', 'Etc/GMT-8', 'Etc/GMT0', 'asia/mumbai', ' Asia/Kolkata ', 'Asia/Kolkata\n'])(
    'B12 %j is refused',
    name => {
      expect(parseZone(name)).toBeUndefined()
    },
  )

  it.each([
    'EST',
    'EST5EDT',
    'PRC',
    'Japan',
    'GMT',
    'Z',
    '+08:00',
    '-05:00',
    '+0800',
    'local',
    'system',
    '',
    'Asia',
    'Asia/',
    'Asia/Beijing',
    'Asia/Shanghai/',
    'SystemV/AST4',
    'posix/Europe/Berlin',
    'Etc/Unknown',
    'China Standard Time',
    '\u0410sia/Shanghai',
    `Asia/${'a'.repeat(100)}`,
    null,
    8,
    {},
  ])('S19 %j is refused', name => {
    expect(parseZone(name)).toBeUndefined()
  })

  it('B11 a missing zone is no zone: there is no default', () => {
    expect(parseZone(undefined)).toBeUndefined()
  })

  it('B13 an alias is kept as given and means the same zone', () => {
    const [given, stored] = [zone('Asia/Calcutta'), zone('Asia/Kolkata')]
    expect([given, stored]).toEqual(['Asia/Calcutta', 'Asia/Kolkata'])
    expect(sameZone(given, stored)).toBe(true)
  })

  it.each([
    ['Europe/Kyiv', 'Europe/Kiev', true],
    ['UTC', 'Etc/UTC', true],
    ['America/New_York', 'US/Eastern', true],
    ['Asia/Shanghai', 'Asia/Shanghai', true],
    ['Asia/Shanghai', 'Asia/Singapore', false],
    ['Europe/Berlin', 'Europe/Paris', false],
  ])('B13 %s and %s are one zone: %s', (a, b, same) => {
    expect(sameZone(zone(a), zone(b))).toBe(same)
  })
})

describe('offsets', () => {
  it.each([
    ['Asia/Shanghai', '2026-10-09T00:00:00Z', 480],
    ['Asia/Shanghai', '1991-07-01T00:00:00Z', 540],
    ['Asia/Kathmandu', '2026-10-09T00:00:00Z', 345],
    ['America/New_York', '2026-03-08T06:59:59.999Z', -300],
    ['America/New_York', '2026-03-08T07:00:00.000Z', -240],
    ['UTC', '2026-10-09T00:00:00Z', 0],
  ])('%s at %s is %i minutes east', (name, iso, minutes) => {
    expect(offsetAt(zone(name), at(iso))).toBe(minutes * 60_000)
  })

  it('a fraction of a millisecond is a RangeError', () => {
    expect(() => offsetAt(zone('UTC'), 0.5)).toThrow(RangeError)
  })
})
