import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TARGETS, type Target } from './fuzz-targets.ts'

/** Inputs over all parsers; FUZZ_INPUTS asks for more, as a nightly run does. */
const INPUTS = Number(process.env['FUZZ_INPUTS'] ?? 100_000)
const EACH = Math.ceil(INPUTS / TARGETS.length)
/** Longest that one input may take (milliseconds). */
const LIMIT_MS = 50
/** What the heap may have grown by when all of it is over (bytes): caches of zones and patterns, and no inputs. */
const HEAP_LIMIT = 64 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let taken = 0

function timed(take: () => unknown): number {
  const begin = performance.now()
  take()
  return performance.now() - begin
}

function feed({ take, mayThrow }: Target, input: unknown): void {
  const once = (): void => {
    try {
      take(input as never)
    } catch (error) {
      if (mayThrow === undefined || !(error instanceof mayThrow)) throw error
    }
  }
  taken += 1
  // A machine that is busy may pause anything once; what is slow is slow again.
  if (timed(once) > LIMIT_MS) expect(Math.min(timed(once), timed(once), timed(once))).toBeLessThan(LIMIT_MS)
}

describe('everything that reads what others wrote', () => {
  collect()
  const before = process.memoryUsage().heapUsed

  it.each(TARGETS.map((target) => [target.name, target] as const))(`X3 ${EACH} hostile inputs for %s: no throw but a named error, none over ${LIMIT_MS} ms`, (_, target) => {
    fc.assert(fc.property(target.inputs, (input) => feed(target, input)), { numRuns: EACH })
  })

  it('X3 all of them together are as many as was asked for, and nothing of them stays in memory', () => {
    expect(taken).toBeGreaterThanOrEqual(INPUTS)
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(HEAP_LIMIT)
  })
})
