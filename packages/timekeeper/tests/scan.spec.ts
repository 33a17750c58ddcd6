import fc from 'fast-check'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { Lines } from '../src/cli/log/lines.ts'
import { scanEvents, type StoredEvent } from '../src/cli/log/scan.ts'
import { textOf } from './harness.ts'

const TIME = Date.parse('2026-10-09T01:00:00.000Z')
const event = (seq: number, type = 'turn/start', data: unknown = { turn: 1 }): object => ({ type, seq, time: TIME, data })
const chunk = (seq: number, part: object): object => event(seq, 'assistant/chunk', { turn: 1, step: 1, chunk: part })

/** As it may come from a file: in pieces of seven bytes. */
function* pieces(text: Buffer): Generator<Buffer, undefined> {
  for (let at = 0; at < text.length; at += 7) yield text.subarray(at, at + 7)
  return undefined
}

function scan(text: string): ReturnType<typeof scanEvents> & { seen: (readonly [seq: number, line: number])[] } {
  const seen: (readonly [number, number])[] = []
  const scanned = scanEvents(new Lines(pieces(Buffer.from(text))), ({ seq }: StoredEvent, line) => void seen.push([seq, line]))
  return { ...scanned, seen }
}

describe('the lines of a log', () => {
  it('T14 lines are counted from the header, which is line 1', () => {
    expect(scan(textOf([event(0), event(1)]))).toEqual({ seen: [[0, 2], [1, 3]], events: 2, line: 4, problem: undefined })
  })

  it.each([
    ['text-chunks', { texts: ['a', 'b', 'c'], dt: [1, 1] }],
    ['reasoning-chunks', { texts: ['a', 'b', 'c'], dt: [1, 1] }],
    ['tool-call-chunks', { id: 'c', args: ['a', 'b', 'c'], dt: [1, 1] }],
  ])('T14 a packed %s row counts for as many events as it holds', (type, data) => {
    const row = { type, seq0: 1, time0: TIME, data: { turn: 1, step: 1, index: 0, ...data } }
    expect(scan(textOf([event(0), row, event(4)]))).toMatchObject({ seen: [[0, 2], [4, 4]], events: 5, problem: undefined })
  })

  it.each([
    ['no JSON', '{"type":', 'no JSON object'],
    ['JSON that is no object', '[1]', 'no JSON object'],
    ['an empty line', '', 'no JSON object'],
    ['no type', '{"seq":1}', 'no event type'],
    ['an empty type', '{"type":"","seq":1}', 'no event type'],
    ['no number', '{"type":"x","time":0}', 'no event number'],
    ['a negative number', '{"type":"x","seq":-1,"time":0}', 'no event number'],
    ['no time', '{"type":"x","seq":1}', 'no event time'],
    ['a time that is no instant', '{"type":"x","seq":1,"time":1e300}', 'no event time'],
    ['a packed row without entries', '{"type":"text-chunks","seq0":1,"data":{"texts":[]}}', 'malformed text-chunks row'],
    ['a packed row without data', '{"type":"tool-call-chunks","seq0":1,"data":null}', 'malformed tool-call-chunks row'],
    ['a packed row without a number', '{"type":"reasoning-chunks","data":{"texts":["a"]}}', 'malformed reasoning-chunks row'],
    ['the name of a member that every object has', '{"type":"constructor","seq":1}', 'no event time'],
  ])('X6 %s ends the reading, and the line is named', (_, line, detail) => {
    const scanned = scan(`${textOf([event(0)])}${line}\n${textOf([event(2), event(3)])}`)
    expect(scanned).toEqual({ seen: [[0, 2]], events: 1, line: 3, problem: { code: 'bad_line', line: 3, detail, unread: 2 } })
  })

  it.each([
    ['an event that is missing', [event(0), event(2)], { line: 3, seq: 2, detail: 'expected 1' }],
    ['an event that is there twice', [event(0), event(0), event(1)], { line: 3, seq: 0, detail: 'expected 1', unread: 1 }],
    ['a log that begins later', [event(5)], { line: 2, seq: 5, detail: 'expected 0' }],
  ])('X6 %s ends the reading', (_, rows, problem) => {
    expect(scan(textOf(rows)).problem).toEqual({ code: 'seq_gap', unread: 0, ...problem })
  })

  it('X6 a last line without a line break is reported, and not taken', () => {
    expect(scan(`${textOf([event(0)])}${JSON.stringify(event(1))}`)).toEqual({
      seen: [[0, 2]],
      events: 1,
      line: 3,
      problem: { code: 'torn_tail', line: 3, detail: `${JSON.stringify(event(1)).length} bytes without a line break` },
    })
  })

  it('X3 any bytes are read or reported, never thrown at', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json().map((text) => `${text}\n`), fc.string({ unit: 'binary' })), (text) => {
        expect(scan(text).events).toBe(0)
      }),
    )
  })
})

describe('rows that the host itself packs', () => {
  let pack: (events: readonly object[]) => object[]
  beforeAll(async () => {
    const resolve = createRequire(new URL('../../tool-schedule/package.json', import.meta.url))
    const host = (await import(pathToFileURL(resolve.resolve('@deepseek-ai/dsh-session')).href)) as { packChunkRuns: typeof pack }
    pack = host.packChunkRuns
  })

  const part = fc.oneof(
    fc.record({ type: fc.constantFrom('text-delta', 'reasoning-delta'), index: fc.nat(1), text: fc.string() }),
    fc.record({ type: fc.constant('tool-call-delta'), index: fc.nat(1), id: fc.constant('c'), argumentsDelta: fc.string() }),
    fc.constant(undefined),
  )

  it('T14 every event of a packed log keeps its number', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60, size: 'max' }), (parts) => {
        const events = parts.map((one, seq) => (one === undefined ? event(seq) : chunk(seq, one)))
        const scanned = scan(textOf(pack(events)))
        expect(scanned).toMatchObject({ events: events.length, problem: undefined })
        const plain = scanned.seen.map(([seq]) => seq)
        parts.forEach((one, seq) => one === undefined && expect(plain).toContain(seq))
      }),
    )
  })
})
