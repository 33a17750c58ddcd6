import { parseCron } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import type { Rhythm } from '../src/decide.ts'
import type { Mode } from '../src/protocol.ts'
import { COVER_MS, isSame, Requested } from '../src/requested.ts'

function rhythm(mode: Mode, text = '0 0 * * *'): Rhythm {
  const parsed = parseCron(text)
  if (!parsed.ok) throw new Error(parsed.refusal.code)
  return { mode, cron: parsed.cron, gapMs: 1, fineIntervalMs: 0 }
}

describe('what was asked for and is not in the log yet', () => {
  it('R23 covers the display for two minutes and no longer', () => {
    const requested = new Requested()
    requested.ask(rhythm('off'), 1000)
    expect(requested.covering(rhythm('cron'), 1000)?.mode).toBe('off')
    expect(requested.covering(rhythm('cron'), 1000 + COVER_MS - 1)?.mode).toBe('off')
    expect(requested.covering(rhythm('cron'), 1000 + COVER_MS)).toBeUndefined()
    expect(requested.covering(rhythm('cron'), 1001)).toBeUndefined()
  })

  it('R23 is dropped as soon as the log agrees, and does not come back when the log moves on', () => {
    const requested = new Requested()
    requested.ask(rhythm('off'), 1000)
    expect(requested.covering(rhythm('off'), 1001)).toBeUndefined()
    expect(requested.covering(rhythm('turn'), 1002)).toBeUndefined()
  })

  it('R23 is the last one of several', () => {
    const requested = new Requested()
    requested.ask(rhythm('off'), 1000)
    requested.ask(rhythm('fine'), 2000)
    expect(requested.covering(rhythm('off'), 2001)?.mode).toBe('fine')
  })

  it('covers nothing before anything was asked for', () => {
    expect(new Requested().covering(rhythm('off'), 1)).toBeUndefined()
  })

  it('a new plan is a change too', () => {
    expect(isSame(rhythm('cron'), rhythm('cron'))).toBe(true)
    expect(isSame(rhythm('cron'), rhythm('cron', '0 9 * * *'))).toBe(false)
    expect(isSame(rhythm('cron'), rhythm('turn'))).toBe(false)
  })
})
