import { parseCron, parseZone, type ZoneName } from 'dsh-time-core'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import type { Rhythm } from '../../src/decide.ts'
import { modeTool, type ModePort } from '../../src/tools/time-mode.ts'

const daily = parseCron('0 0 * * *')
if (!daily.ok) throw new Error(daily.refusal.code)
const rhythm: Rhythm = { mode: 'cron', cron: daily.cron, gapMs: 1, fineIntervalMs: 0 }
const port: ModePort = { now: () => 0, zone: () => parseZone('UTC') as ZoneName, rhythmAfter: () => rhythm, warn: () => undefined }

const run = (args: unknown, more: Partial<ModePort> = {}): unknown => modeTool(() => ({ ...port, ...more })).execute(args, {} as never)

describe('time_mode', () => {
  it.each([
    [{ mode: 'turn' }, 'Time mode: turn'],
    [{ mode: 'cron', cron: '0 9 * * mon' }, 'Time mode: cron 0 9 * * MON'],
    [{ mode: 'hourly\n/command' }, 'Time mode'],
    [undefined, 'Time mode'],
  ])('R2 X4 people read one safe line about a call with %j', (args, title) => {
    expect(modeTool(() => port).presentCall?.(args)).toEqual({ card: 'generic', title, kind: 'other' })
  })

  it('R2 a failure of ours is a refusal for the model and a report for people', async () => {
    const reported: unknown[] = []
    const failing = { zone: () => { throw new Error('secret') }, warn: (what: string, error: unknown) => void reported.push(what, error) }
    expect(await run({ mode: 'turn' }, failing)).toEqual({ code: 'internal', message: expect.not.stringContaining('secret') as unknown })
    expect(reported).toEqual(['time_mode failed', new Error('secret')])
  })

  it('R2 a call by an agent whose session is not open is refused', async () => {
    expect(await modeTool(() => undefined).execute({ mode: 'turn' }, {} as never)).toMatchObject({ code: 'not-live' })
  })

  it('P7 its schema costs at most 130 tokens of every request', () => {
    const { name, description, parameters } = modeTool(() => port)
    expect(encode(JSON.stringify({ name, description, parameters })).length).toBeLessThanOrEqual(130)
  })
})
