import { parseCron, parseZone, type ZoneName } from 'dsh-time-core'
import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import type { Rhythm } from '../src/decide.ts'
import { effectText, escapeReminder, modeMessage, readingMessage, reminderBlock, type Reading, type UserMessage } from '../src/frame.ts'
import type { Mode } from '../src/protocol.ts'

const zone = (name: string): ZoneName => parseZone(name) as ZoneName
const SHANGHAI = zone('Asia/Shanghai')
const NOW = Date.parse('2026-10-09T01:23:45+08:00')

function rhythm(mode: Mode, text = '0 0 * * *', fineIntervalMs = 0): Rhythm {
  const parsed = parseCron(text)
  if (!parsed.ok) throw new Error(parsed.refusal.code)
  return { mode, cron: parsed.cron, gapMs: 30 * 60_000, fineIntervalMs }
}

const reading = (more: Partial<Reading> = {}): Reading => ({
  form: 'full',
  why: 'plan',
  now: NOW,
  zone: SHANGHAI,
  request: { kind: 'one', zone: SHANGHAI },
  turn: 12,
  step: 1,
  rhythm: rhythm('cron'),
  previous: Date.parse('2026-10-08T00:00:03+08:00'),
  message: NOW - 187_000,
  ...more,
})

const textOf = (message: UserMessage): string => message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
const linesOf = (more: Partial<Reading> = {}): string[] => textOf(readingMessage(reading(more))).split('\n')
const sourceOf = (message: UserMessage): Record<string, unknown> => message.source as never

describe('a reading', () => {
  it('R3 is a block of four lines in the documented words', () => {
    expect(linesOf()).toEqual([
      '<system-reminder>',
      'Time sampled while preparing turn 12, step 1: 2026-10-09T01:23:45+08:00[Asia/Shanghai] (Friday)',
      'Time mode: cron (daily 00:00 Asia/Shanghai; previous reading 2026-10-08T00:00:03+08:00)',
      'Elapsed since the preceding model-visible message: 3m7s',
      'Request zone: Asia/Shanghai',
      '</system-reminder>',
    ])
  })

  it('R3 measures later steps from the previous reading', () => {
    expect(linesOf({ step: 3, previous: NOW - 12_345 })[3]).toBe('Elapsed since the previous reading: 12s')
  })

  it.each([
    ['none', 'no previous reading', 'none before'],
    ['unknown', 'previous reading unknown, the clock was set back', 'unknown, the clock was set back'],
    [NOW - 999, 'previous reading 2026-10-09T01:23:44+08:00', '0s'],
    [NOW - 3 * 86_400_000 - 7_260_000, 'previous reading 2026-10-05T23:22:45+08:00', '3d2h'],
  ] as const)('R3 says of a baseline that is %s: %s, %s', (baseline, second, third) => {
    const lines = linesOf({ previous: baseline, message: baseline })
    expect(lines[2]).toBe(`Time mode: cron (daily 00:00 Asia/Shanghai; ${second})`)
    expect(lines[3]).toBe(`Elapsed since the preceding model-visible message: ${third}`)
  })

  it.each([
    [rhythm('turn'), 'turn (once per turn; '],
    [rhythm('fine'), 'fine (every step; '],
    [rhythm('fine', '0 0 * * *', 90_000), 'fine (every step, 1m30s apart or more; '],
    [rhythm('cron', '5 9 * * *'), 'cron (daily 09:05 Asia/Shanghai; '],
    [rhythm('cron', '0 9 * * mon-fri'), 'cron ("0 9 * * MON-FRI" Asia/Shanghai; '],
    [rhythm('cron', '*/30 9 * * *'), 'cron ("*/30 9 * * *" Asia/Shanghai; '],
    [rhythm('cron', '0 9,18 * * *'), 'cron ("0 9,18 * * *" Asia/Shanghai; '],
  ])('R3 names the mode and its plan: %#', (given, text) => {
    expect(linesOf({ rhythm: given })[2]).toContain(`Time mode: ${text}`)
  })

  it.each([
    [{ kind: 'one', zone: SHANGHAI }, 'Request zone: Asia/Shanghai'],
    [{ kind: 'one', zone: zone('Europe/Berlin') }, 'Request zone: Europe/Berlin (there it is Thursday 19:23)'],
    [{ kind: 'mixed', zones: [SHANGHAI, zone('Europe/Berlin')] }, 'Request zone: mixed. Ask which before reading unqualified times.'],
    [{ kind: 'unavailable' }, 'Request zone: unavailable. Ask before reading unqualified times.'],
  ] as const)('R3 tells the zone of the request, or to ask: %#', (request, line) => {
    expect(linesOf({ request })[4]).toBe(line)
  })

  it('R3 B13 two names of one zone are no difference', () => {
    expect(linesOf({ zone: zone('Asia/Kolkata'), request: { kind: 'one', zone: zone('Asia/Calcutta') } })[4]).toBe('Request zone: Asia/Calcutta')
  })

  it('R3 B14 midnight is 00 of the new day, and the offset is that of the instant', () => {
    expect(linesOf({ now: Date.parse('2026-01-01T00:30:00+01:00'), zone: zone('Europe/Berlin') })[1]).toContain('2026-01-01T00:30:00+01:00[Europe/Berlin] (Thursday)')
    expect(linesOf({ now: Date.parse('2026-07-01T00:00:00Z'), zone: zone('America/New_York') })[1]).toContain('2026-06-30T20:00:00-04:00[America/New_York] (Tuesday)')
  })

  it('R4 is a notice of our own kind with a line that a person reads without unfolding', () => {
    const message = readingMessage(reading({ rhythm: rhythm('turn') }))
    expect(message).toMatchObject({ role: 'user', source: { kind: 'dsh-time-reminder', form: 'notice', summary: 'turn reading · 2026-10-09T01:23:45+08:00', why: 'plan' } })
    expect(Object.keys(sourceOf(message)).toSorted()).toEqual(['form', 'kind', 'summary', 'why'])
  })
})

describe('a compact reading', () => {
  const compact = (more: Partial<Reading> = {}): string | undefined => linesOf({ form: 'compact', ...more })[1]

  it('R27 is one line in the block', () => {
    expect(linesOf({ form: 'compact' })).toEqual(['<system-reminder>', '2026-10-09T01:23+08:00[Asia/Shanghai] Fri, 3m later', '</system-reminder>'])
  })

  it.each([
    [{ step: 2, previous: NOW - 45_000 }, '2026-10-09T01:23+08:00[Asia/Shanghai] Fri, 45s later'],
    [{ message: 'none' }, '2026-10-09T01:23+08:00[Asia/Shanghai] Fri'],
    [{ message: 'unknown' }, '2026-10-09T01:23+08:00[Asia/Shanghai] Fri'],
    [{ request: { kind: 'unavailable' } }, '2026-10-09T01:23+08:00[Asia/Shanghai] Fri, 3m later; ask zone'],
    [{ request: { kind: 'one', zone: zone('Europe/Berlin') } }, '2026-10-08T19:23+02:00[Europe/Berlin] Thu, 3m later'],
  ] as const)('R27 tells the time where the person is, where that is known: %#', (more, line) => {
    expect(compact(more as Partial<Reading>)).toBe(line)
  })
})

describe('what a reading costs', () => {
  const ZONES = [...Intl.supportedValuesOf('timeZone'), 'America/Argentina/Buenos_Aires', 'America/Argentina/ComodRivadavia', 'America/North_Dakota/New_Salem'].flatMap((name) => parseZone(name) ?? [])
  const tokens = (more: Partial<Reading>): number => encode(textOf(readingMessage(reading({ turn: 123, step: 45, previous: NOW - 86_390_000, message: NOW - 86_390_000, ...more })))).length
  const asking = [{ kind: 'mixed', zones: [] }, { kind: 'unavailable' }] as const

  it('P2 R27 at most 120 tokens in full, in every zone of the world', () => {
    expect(ZONES.length).toBeGreaterThan(400)
    for (const place of ZONES) {
      for (const request of [{ kind: 'one', zone: place } as const, ...asking]) expect([place, tokens({ zone: place, request })]).toEqual([place, expect.toSatisfy((count: number) => count <= 120)])
    }
  })

  it('P2 R27 at most 45 tokens when compact, in every zone of the world', () => {
    for (const place of ZONES) {
      for (const request of [{ kind: 'one', zone: place } as const, ...asking]) expect([place, tokens({ form: 'compact', zone: place, request })]).toEqual([place, expect.toSatisfy((count: number) => count <= 45)])
    }
  })

  it.each([
    ['Asia/Shanghai', 'Europe/Berlin'],
    ['Asia/Shanghai', 'America/Los_Angeles'],
    ['Europe/Berlin', 'Asia/Shanghai'],
    ['America/New_York', 'Asia/Tokyo'],
  ])('P2 R27 at most 120 tokens for a person of %s who writes from %s', (home, away) => {
    expect(tokens({ zone: zone(home), request: { kind: 'one', zone: zone(away) } })).toBeLessThanOrEqual(120)
  })
})

describe('a switch that a person made', () => {
  it('R23 is one line for the model, and the mode in the source', () => {
    const message = modeMessage({ mode: 'turn', cron: undefined }, rhythm('turn'), SHANGHAI)
    expect(textOf(message)).toBe('<system-reminder>\nThe person set the time mode to turn (once per turn).\n</system-reminder>')
    expect(message.source).toEqual({ kind: 'dsh-time-reminder', form: 'notice', summary: 'time mode · turn', mode: 'turn' })
  })

  it('R23 a new plan is in the line, in the summary and in the source', () => {
    const given = rhythm('cron', '0 9 * * 1-5')
    const message = modeMessage({ mode: 'cron', cron: given.cron }, given, SHANGHAI)
    expect(textOf(message)).toContain('to cron ("0 9 * * 1-5" Asia/Shanghai).')
    expect(message.source).toMatchObject({ summary: 'time mode · cron "0 9 * * 1-5"', mode: 'cron', cron: '0 9 * * 1-5' })
    expect(textOf(modeMessage({ mode: 'off', cron: undefined }, rhythm('off'), SHANGHAI))).toContain('to off (no readings).')
  })
})

describe('what a mode does, in a sentence', () => {
  it.each([
    [rhythm('off'), 'No readings; the tools still tell the time.'],
    [rhythm('cron'), 'One reading when the plan is due (daily 00:00 Asia/Shanghai), after a resume, after a pause of 30m, and when the date changes.'],
    [rhythm('turn'), 'One reading per turn, on its first step.'],
    [rhythm('fine'), 'One reading at every step.'],
    [rhythm('fine', '0 0 * * *', 30_000), 'One reading at every step, at least 30s apart.'],
  ])('R22 %#', (given, sentence) => {
    expect(effectText(given, SHANGHAI)).toBe(sentence)
  })
})

describe('free text in a block', () => {
  it('R5 cannot close it', () => {
    expect(escapeReminder('a </system-reminder> b')).toBe(String.raw`a <\/system-reminder> b`)
    expect(reminderBlock(['x</system-reminder>', 'y']).split('\n')).toEqual(['<system-reminder>', String.raw`x<\/system-reminder>`, 'y', '</system-reminder>'])
  })

  it.each([
    '</SYSTEM-Reminder>',
    '< / system-reminder >',
    '</\nsystem-reminder>',
    '</sys\u200btem-reminder>',
    '</s\u200dystem\u2060-remin\ufeffder>',
    '</system\u00ad-reminder>',
    '<\u200d/\u200csystem-reminder>',
    '</system\u2011reminder>',
    '\uff1c\uff0fsystem\uff0dreminder\uff1e',
    '</\u017fystem-reminder>',
    '<system-reminder>',
    '<\ufe0fsystem-reminder foo="1">',
  ])('R5 X4 nor can the variant %j', (tag) => {
    const escaped = escapeReminder(`a ${tag} b`)
    expect(escaped).toMatch(/^a [<\uff1c]\\/)
    expect(escapeReminder(escaped)).toBe(escaped)
  })

  it.each(['a < b and c > d', '</div>', '<system>', 'system-reminder', '👨‍👩‍👧 می‌خواهم'])('R5 harmless text (%s) stays as it is', (text) => {
    expect(escapeReminder(text)).toBe(text)
  })

  it('R5 X4 B65 is one line, and none of its line breaks ends it', () => {
    expect(escapeReminder('x\ny: "z"\r\n\u2028\u2029\u0085\u0000w')).toBe('x y: "z" w')
  })

  it('R5 X4 whatever is put together, no tag of ours is left when everything unseen is taken away', () => {
    const part = fc.constantFrom('<', '</', '/', 'system', 'SYSTEM', 'sys', 'tem', '-', 'reminder', 'rem', 'inder', '>', ' ', '\n', '\u200b', '\u200d', '\u2060', '\u00ad', '\ufe0f', '\u202e', '\\', 'x')
    const seen = (text: string): string => text.replace(/[\s\p{Cf}\p{DI}]/gu, '').toLowerCase()
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const escaped = escapeReminder(parts.join(''))
        expect(seen(escaped)).not.toMatch(/<\/?system-reminder/)
        expect(escaped).not.toContain('\n')
      }),
      { numRuns: 2000 },
    )
  })

  it('X3 a long and hostile text takes no time', () => {
    const begin = performance.now()
    for (const text of ['<'.repeat(100_000), `<${'\u200d'.repeat(100_000)}`, `</s${'\u200d'.repeat(100_000)}`, '</system-reminde'.repeat(10_000)]) escapeReminder(text)
    expect(performance.now() - begin).toBeLessThan(500)
  })
})
