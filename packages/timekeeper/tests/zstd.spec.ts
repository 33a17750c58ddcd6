import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeLog } from '../src/cli/log/zstd.ts'
import { frame } from './harness.ts'

const TEXTS = ['{"header":1}\n', 'one\ntwo\n', 'x'.repeat(200_000) + '\n', 'last\n']
const bytes = Buffer.concat(TEXTS.map(frame))
const whole = TEXTS.join('')

describe('the bytes of a log', () => {
  it('T14 plain text is taken as it is', () => {
    expect(decodeLog(Buffer.from(whole))).toEqual({ text: Buffer.from(whole), stop: undefined })
  })

  it('T14 concatenated frames are one text', () => {
    expect(decodeLog(bytes)).toEqual({ text: Buffer.from(whole), stop: undefined })
  })

  it('X6 cut anywhere, what is left is a beginning of the text, and the cut is reported unless it lies between two frames', () => {
    const ends = TEXTS.map((_, index) => Buffer.concat(TEXTS.slice(0, index + 1).map(frame)).length)
    fc.assert(
      fc.property(fc.integer({ min: 4, max: bytes.length }), (length) => {
        const { text, stop } = decodeLog(bytes.subarray(0, length))
        const complete = ends.filter((end) => end <= length)
        expect(whole.startsWith(text.toString())).toBe(true)
        expect(text.length).toBeGreaterThanOrEqual(TEXTS.slice(0, complete.length).join('').length)
        expect(stop?.kind).toBe(ends.includes(length) ? undefined : 'torn')
        if (stop !== undefined) expect(stop.byte).toBe(complete.at(-1) ?? 0)
      }),
      { numRuns: 300 },
    )
  })

  it('X6 whole lines of a last frame that is cut off are kept', () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `${index} ${Math.sin(index)}\n`).join('')
    const torn = Buffer.concat([frame('header\n'), frame(rows).subarray(0, -4)])
    const { text, stop } = decodeLog(torn)
    expect(stop?.kind).toBe('torn')
    expect(text.toString()).toContain('100 ')
  })

  it('X6 a flipped byte ends the text at its frame, and the frame is named', () => {
    fc.assert(
      fc.property(fc.integer({ min: frame(TEXTS[0] ?? '').length, max: bytes.length - 1 }), (at) => {
        const damaged = Buffer.from(bytes)
        damaged[at] = (damaged[at] ?? 0) ^ 0xff
        const { text, stop } = decodeLog(damaged)
        expect(stop).toBeDefined()
        expect(stop?.byte).toBeLessThanOrEqual(at)
        expect(text.toString().startsWith(TEXTS[0] ?? '')).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('X6 bytes that are no frame are damage, and where they begin is said', () => {
    const decoded = decodeLog(Buffer.concat([bytes, Buffer.alloc(40)]))
    expect(decoded.text.toString()).toBe(whole)
    expect(decoded.stop).toMatchObject({ kind: 'damaged', byte: bytes.length })
  })
})
