import { countTokens } from 'gpt-tokenizer'
import { judge, type Findings, type GoalRow } from '../findings.ts'
import { mountHost, turn, type BenchHost, type Live } from '../host.ts'
import { makeLog } from '../logs.ts'
import { reset, settled, worked } from '../meter.ts'
import { median, quantile } from '../stats.ts'
import { clocks, reading, type Subject } from '../subjects.ts'

interface Bench {
  readonly variant: string
  readonly subject: Subject
  readonly host: BenchHost
  readonly live: Live
  /** Milliseconds that the subject added to each step. */
  readonly added: number[]
  readonly readings: string[]
}

const LENGTHS = [1000, 100_000, 500_000] as const
const STEPS = 8
/**
 * Turns before any that counts, on another session. A host runs for days: after some 700 steps V8 has compiled what a step
 * runs, which takes twice as long before. Once is enough for all lengths.
 */
const WARM_UP = 120
const WARM_AGAIN = 4

/** Two listeners of ours, one on each side of the subject's: what lies between their times is the subject's. */
async function mount(variant: string, subject: Subject, length: number, warmUp: number): Promise<Bench> {
  const host = await mountHost()
  const added: number[] = []
  let inner = 0
  host.ctx.on('agent/pre-step', async (_step, next) => timed(next, (ms) => (inner = ms)), { prepend: true })
  await subject.mount(host.ctx, host.root)
  host.ctx.on('agent/pre-step', async (_step, next) => timed(next, (ms) => added.push(ms - inner)), { prepend: true })
  const warm = await host.create('warm')
  for (let number = 0; number < warmUp; number += 1) await turn(warm.agent, `steps ${STEPS}`)
  await warm.dispose()
  const live = await host.create('clocked', length === 0 ? undefined : await makeLog(length))
  await host.ctx.sessions.flush(live.agent.session)
  const readings: string[] = []
  host.ctx.on('session/event', (_session, event) => {
    const text = reading(event)
    if (text !== undefined) readings.push(text)
  })
  return { variant, subject, host, live, added, readings }
}

async function timed<T>(job: () => Promise<T>, note: (ms: number) => void): Promise<T> {
  const start = performance.now()
  const value = await job()
  note(performance.now() - start)
  return value
}

/** Their one way of telling the time, and ours when it does the same and when it is left as it is. */
function variants(): readonly (readonly [string, Subject])[] {
  const [fine, theirs, floor] = clocks('fine')
  const [daily] = clocks('cron')
  if (fine === undefined || theirs === undefined || floor === undefined || daily === undefined) throw new Error('There are three clocks.')
  return [['ours, every step', fine], ['theirs, every step', theirs], ['ours, as it comes', daily], ['none', floor]]
}

interface Row {
  readonly row: Readonly<Record<string, string | number>>
  readonly variant: string
  readonly length: number
  readonly ms: number
}

async function rowsOf(length: number, turns: number, warmUp: number): Promise<readonly Row[]> {
  const benches: Bench[] = []
  for (const [variant, subject] of variants()) benches.push(await mount(variant, subject, length, warmUp))
  for (let number = -1; number < turns; number += 1) {
    for (const { live, added } of number % 2 === 0 ? benches : benches.toReversed()) {
      await turn(live.agent, `steps ${STEPS}`)
      if (number < 0) added.length = 0
    }
  }
  const rows: Row[] = []
  for (const { variant, subject, host, live, added, readings } of benches) {
    const [ms, p90, told] = [median(added), quantile(added, 0.9), readings.length]
    await settled()
    reset(subject.frames)
    await turn(live.agent, `steps ${STEPS}`)
    const { slots, copies } = worked()
    reset()
    rows.push({ variant, length, ms, row: { clock: variant, events: length, 'ms per step': ms, p90, 'slots read per step': slots / STEPS, 'log copies per step': copies / STEPS, readings: told, steps: added.length - STEPS } })
    await live.dispose()
    await host.dispose()
  }
  return rows
}

/** A step on a long log takes the host itself long. */
const turnsAt = (length: number, isQuick: boolean): number => (length > 100_000 ? 4 : 12) / (isQuick ? 4 : 1)

/** What ten turns of eight steps leave in the context, and what one reading costs. */
async function tokens(): Promise<readonly GoalRow[]> {
  const spent = async (subject: Subject | undefined, turns: number): Promise<readonly number[]> => {
    if (subject === undefined) return []
    const { host, live, readings } = await mount('', subject, 0, 0)
    for (let number = 0; number < turns; number += 1) await turn(live.agent, `steps ${STEPS}`)
    await live.dispose()
    await host.dispose()
    return readings.map((text) => countTokens(text))
  }
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
  const [, theirs] = clocks('fine')
  const [full, compact, other] = [await spent(clocks('fine')[0], 2), await spent(clocks('fine', 'compact')[0], 2), await spent(theirs, 2)]
  return [
    judge('P2 tokens of a reading in full', { atMost: 120 }, Math.max(...full), Math.max(...other)),
    judge('P2 tokens of a compact reading', { atMost: 45 }, Math.max(...compact), Math.max(...other)),
    judge('P2 tokens in context after ten turns of eight steps, as it comes', { atMost: 150 }, total(await spent(clocks('cron')[0], 10)), total(await spent(theirs, 10))),
  ]
}

/**
 * What a clock adds to a step (requirement P2).
 *
 * @param isQuick - fewer turns.
 */
export async function step(isQuick: boolean): Promise<Findings> {
  const rows: Row[] = []
  const lengths = isQuick ? LENGTHS.filter((length) => length < 500_000) : LENGTHS
  for (const [index, length] of lengths.entries()) rows.push(...(await rowsOf(length, turnsAt(length, isQuick), index > 0 ? WARM_AGAIN : WARM_UP / (isQuick ? 4 : 1))))
  const ms = (variant: string, length: number): number => rows.find((row) => row.variant === variant && row.length === length)?.ms ?? Number.NaN
  const times = lengths.map((length) => judge(`P2 a reading at every step, at ${length.toLocaleString('en')} events (ms per step)`, { atMost: 0.1 }, ms('ours, every step', length), ms('theirs, every step', length)))
  return {
    goals: [...times, ...(await tokens())],
    tables: [{ title: 'What a clock adds to a step', rows: rows.map(({ row }) => row) }],
    lines: ['ours', 'theirs'].map((subject) => ({ panel: 'clock, per step', subject, points: lengths.map((length) => [length, ms(`${subject}, every step`, length)] as const) })),
  }
}
