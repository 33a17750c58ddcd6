import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cronNotes,
  formatDuration,
  isInstant,
  jsonLine,
  nextFire,
  parseCanonicalInstant,
  parseCron,
  parseDuration,
  parseLocal,
  parseOffsetInstant,
  parseZone,
  plainLine,
  previousFire,
  resolveLocal,
  sayCronNote,
  sayCronRefusal,
  shortestGap,
} from '../src/index.ts'
import { at, cpuTime, zone } from './harness.ts'

const garbage = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme' }))

/** Text that is nearly right: made of the pieces that right texts are made of. */
const nearly = (...pieces: string[]) => fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map(parts => parts.join(''))

const nearlyCron = nearly('*', '/', '-', ',', ' ', ' ', '0', '5', '59', '60', '31', 'L', 'W', '#', '?', 'MON', 'JAN', 'sun-', '\t', '@')
const fields = (...choices: string[]) => fc.constantFrom(...choices)
const fiveFields = fc
  .tuple(
    fields('*', '0', '*/7', '1-50/9', '0,59', '30', '61'),
    fields('*', '2', '*/5', '0-23', '1,2,3', '23-1'),
    fields('*', '31', 'L', '*/2', '29,30', '1-31', 'W'),
    fields('*', '2', '4,6', '*/3', 'FEB', '11-12'),
    fields('*', '0-7', '*/2', 'MON', '5', 'SAT-SUN', '1#2'),
  )
  .map(parts => parts.join(' '))
const nearlyInstant = nearly('2026', '-', '02', '30', 'T', '23', ':', '59', '60', '.', '123', 'Z', '+', '08:00', '0000', ' ')
const nearlyZone = nearly('Asia', '/', 'Shanghai', 'UTC', 'Etc', 'GMT', '+', '8', ' ', 'america', 'New_York', '\n')
const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSymbol: false } as fc.ObjectConstraints)

describe('X3 no parser throws on anything', () => {
  it('instants', () => {
    fc.assert(fc.property(fc.oneof(garbage, nearlyInstant), text => {
      const parse = parseOffsetInstant(text)
      expect(parse.ok ? isInstant(parse.instant) : ['shape', 'calendar', 'offset', 'range'].includes(parse.reason)).toBe(true)
    }))
    fc.assert(fc.property(fc.oneof(garbage, nearlyInstant, anything), value => {
      const instant = parseCanonicalInstant(value)
      expect(instant === undefined || isInstant(instant)).toBe(true)
    }))
  })

  it('local times, which always resolve in every zone', () => {
    const name = fc.constantFrom('America/New_York', 'Pacific/Apia', 'Europe/Dublin', 'UTC').map(zone)
    fc.assert(fc.property(fc.oneof(garbage, nearlyInstant), fc.oneof(garbage, nearlyInstant), (date, time) => {
      expect(parseLocal(date, time).ok).toBeTypeOf('boolean')
    }))
    const digits = (max: number, width: number) => fc.integer({ min: 0, max }).map(value => String(value).padStart(width, '0'))
    fc.assert(fc.property(digits(9999, 4), digits(13, 2), digits(32, 2), digits(24, 2), digits(60, 2), name, (year, month, day, hour, minute, where) => {
      const parse = parseLocal(`${year}-${month}-${day}`, `${hour}:${minute}`)
      if (parse.ok) expect(['exact', 'overlap', 'gap', 'range']).toContain(resolveLocal(parse.local, where).kind)
    }))
  })

  it('zones', () => {
    fc.assert(fc.property(fc.oneof(garbage, nearlyZone, anything), value => {
      const found = parseZone(value)
      expect(found === undefined || parseZone(found) === found).toBe(true)
    }))
  })

  it('durations', () => {
    fc.assert(fc.property(fc.oneof(garbage, nearly('1', '90', 'd', 'h', 'm', 's', '.', '-', ' ', '999999999')), text => {
      const ms = parseDuration(text)
      expect(ms === undefined || formatDuration(ms) !== '<1s').toBe(true)
    }))
  })

  it('cron expressions, whose every rule then fires both ways, has notes and a spacing', () => {
    fc.assert(fc.property(fc.oneof(garbage, nearlyCron, anything), value => {
      const parse = parseCron(value)
      expect(parse.ok || (/^[^\n]+\.$/.test(sayCronRefusal(parse.refusal, 'en')) && /^[^\n]+。$/.test(sayCronRefusal(parse.refusal, 'zh')))).toBe(true)
    }))
    const name = zone('Australia/Lord_Howe')
    const now = at('2026-04-04T14:59:00Z')
    fc.assert(fc.property(fc.oneof(fiveFields, nearlyCron), text => {
      const parse = parseCron(text)
      if (!parse.ok) return
      expect(parseCron(parse.cron.text)).toMatchObject({ ok: true, cron: { text: parse.cron.text } })
      expect(cronNotes(parse.cron).every(note => sayCronNote(note, 'en').endsWith('.') && sayCronNote(note, 'zh').endsWith('。'))).toBe(true)
      expect(nextFire(parse.cron, name, now)!.instant - previousFire(parse.cron, name, now)!.instant).toBeGreaterThanOrEqual(
        shortestGap(parse.cron, name, previousFire(parse.cron, name, now)!.instant - 1),
      )
    }), { numRuns: 150 })
  })

  it('texts', () => {
    fc.assert(fc.property(garbage, fc.integer(), (text, max) => {
      expect(plainLine(text, max)).toBeTypeOf('string')
      expect(JSON.parse(jsonLine(text))).toBe(text)
    }))
  })
})

const LONG = 1_000_000
const huge = ['1', ' ', '*', ',', '1,', '* ', '-', '\n', '\u202e', '<', '2026-', '00:', 'a/', 'asia/a/', '😀'].map(piece => piece.repeat(LONG / piece.length))

it.each([
  ['parseOffsetInstant', parseOffsetInstant],
  ['parseCanonicalInstant', parseCanonicalInstant],
  ['parseLocal', (text: string) => [parseLocal(text, text), parseLocal('2026-01-01', text)]],
  ['parseZone', parseZone],
  ['parseDuration', parseDuration],
  ['parseCron', parseCron],
])('X3 %s refuses a megabyte of anything in under 50 ms', (_, parse) => {
  for (const text of huge) expect(cpuTime(() => parse(text))).toBeLessThan(50)
})
