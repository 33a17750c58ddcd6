import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync, type ZstdOptions } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { textOf, type Stop } from '../src/cli/log/zstd.ts'
import { frame } from './harness.ts'

const TEXTS = ['{"header":1}\n', 'one\ntwo\n', 'x'.repeat(200_000) + '\n', 'last\n']
const bytes = Buffer.concat(TEXTS.map(frame))
const whole = TEXTS.join('')

/** All of a text, and how much was asked for at once. */
function decodeLog(file: Buffer): { text: Buffer; stop: Stop | undefined; largest: number } {
  const texts: Buffer[] = []
  let largest = 0
  const pieces = textOf({
    size: file.length,
    read(from, length) {
      largest = Math.max(largest, Math.min(length, file.length))
      return file.subarray(from, Math.min(file.length, from + length))
    },
  })
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return { text: Buffer.concat(texts), stop: value, largest }
    texts.push(value)
  }
}

describe('the bytes of a log', () => {
  it('T14 plain text is taken as it is', () => {
    const { text, stop } = decodeLog(Buffer.from(whole))
    expect([text.toString() === whole, stop]).toEqual([true, undefined])
  })

  it('T14 concatenated frames are one text', () => {
    const { text, stop } = decodeLog(bytes)
    expect([text.toString() === whole, stop]).toEqual([true, undefined])
  })

  it('T14 of a long log, plain or compressed, only a piece is in memory', () => {
    const rows = Array.from({ length: 2000 }, (_, index) => `${index} ${Math.sin(index)} ${'x'.repeat(1000)}\n`)
    const frames = Buffer.concat(rows.map(frame))
    expect(decodeLog(frames).text.toString()).toBe(rows.join(''))
    expect(decodeLog(frames).largest).toBeLessThan(2000)
    expect(decodeLog(Buffer.from(rows.join(''))).largest).toBe(1 << 20)
  })

  it.each([
    ['a size of 1, 2, 4 and 8 bytes', [0, 300, 70_000].map((length) => zstdCompressSync(Buffer.alloc(length, 'ab'), { pledgedSrcSize: length } as ZstdOptions))],
    ['no size and no checksum', [zstdCompressSync('one\n')]],
    ['bytes that repeat and bytes that cannot be compressed', [zstdCompressSync(Buffer.alloc(500_000, 'a')), zstdCompressSync(randomBytes(300_000))]],
  ])('T14 frames that say %s', (_, frames) => {
    const { text, stop } = decodeLog(Buffer.concat(frames))
    expect([text.equals(Buffer.concat(frames.map((one) => zstdDecompressSync(one)))), stop]).toEqual([true, undefined])
  })

  it('X6 a block of a type that does not exist is damage', () => {
    const damaged = Buffer.from(frame('one\n'))
    const first = damaged.length - 4 - 3 - 'one\n'.length // its block, before the text and the checksum
    damaged[first] = (damaged[first] ?? 0) | 6
    expect(decodeLog(damaged).stop).toMatchObject({ kind: 'damaged', byte: 0, detail: expect.stringContaining('type') as unknown })
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
