import { judge, type Findings } from '../findings.ts'
import { mountHost, type BenchHost, type Live } from '../host.ts'
import { makeLog, reminders } from '../logs.ts'
import { liveTimers, reset, settled, worked } from '../meter.ts'
import { median, quantile } from '../stats.ts'
import { SCHEDULES, wakes, type Subject } from '../subjects.ts'

/** Reminders of some sessions that come due one after the other. */
interface Plan {
  readonly count: number
  readonly sessions: number
  readonly events: number
  readonly seconds: number
  /**
   * What else there is. idle: nothing, and in one session the next instant is further away than a turn takes · crowded:
   * instants that come during a turn and wait for its end · busy: 20 ms of work, 20 ms of rest, for as long as it lasts.
   */
  readonly load: 'idle' | 'crowded' | 'busy'
}

interface Fired {
  readonly drift: readonly number[]
  /** Plain timers set to the same instants in the same process. */
  readonly bare: readonly number[]
  readonly flushes: number
  readonly fsyncs: number
}

interface Cell {
  readonly plan: Plan
  /** Per subject, its rounds; the subjects take turns. */
  readonly fired: readonly (readonly Fired[])[]
}

const ROUNDS = 3
const BUSY_MS = 20
/** What mounting a session, and a thousand events, may take before the first instant comes. */
const SESSION_MS = 40
const EVENTS_MS = 15
const AFTER_MS = 4000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Numbers that look random and are the same in every run: anywhere in the time, or each in the first half of its own part of it. */
function offsets({ count, seconds, sessions, load }: Plan): readonly number[] {
  let state = 7
  const part = (seconds * 1000) / count
  const isApart = sessions === 1 && load === 'idle'
  return Array.from({ length: count }, (_, index) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    const random = state / 2 ** 32
    return Math.floor(isApart ? (index + random / 2) * part : random * seconds * 1000)
  })
}

function keepBusy(): () => void {
  let timer: NodeJS.Timeout
  const spin = (): void => {
    for (const end = performance.now() + BUSY_MS; performance.now() < end; );
    timer = setTimeout(spin, BUSY_MS)
  }
  timer = setTimeout(spin, BUSY_MS)
  return () => clearTimeout(timer)
}

/** Notes how late each reminder is put into the inbox, by the clock of the log. */
function watch({ ctx }: BenchHost, due: ReadonlyMap<string, number>): number[] {
  const drift: number[] = []
  ctx.on('session/event', (session, event) => {
    for (const text of wakes(event)) {
      for (const [, id] of text.matchAll(/"(schedule-\d+)"/g)) drift.push(event.time - (due.get(`${session.id} ${id}`) ?? Number.NaN))
    }
  })
  return drift
}

async function open(host: BenchHost, plan: Plan, start: number, due: Map<string, number>): Promise<readonly Live[]> {
  const all = offsets(plan).map((offset) => start + offset)
  const lives: Live[] = []
  for (let number = 0; number < plan.sessions; number += 1) {
    const mine = all.filter((_, index) => index % plan.sessions === number)
    for (const [index, at] of mine.entries()) due.set(`s${number} schedule-${index + 1}`, at)
    const live = await host.create(`s${number}`, await makeLog(plan.events, reminders(mine.length, (index) => mine[index] ?? Number.NaN)))
    await host.ctx.sessions.flush(live.agent.session)
    lives.push(live)
  }
  return lives
}

async function fire(subject: Subject, plan: Plan, leadMs = 1000 + plan.sessions * (SESSION_MS + (EVENTS_MS * plan.events) / 1000)): Promise<Fired> {
  const host = await mountHost()
  await subject.mount(host.ctx, host.root)
  const due = new Map<string, number>()
  const drift = watch(host, due)
  const start = Date.now() + leadMs
  const lives = await open(host, plan, start, due)
  await settled()
  if (Date.now() > start) {
    // The machine was busy with something else: what comes due before all is ready cannot be on time.
    for (const live of lives) await live.dispose()
    await host.dispose()
    return fire(subject, plan, 2 * leadMs)
  }
  reset()
  const bare: number[] = []
  for (const at of due.values()) setTimeout(() => bare.push(Date.now() - at), at - Date.now())
  const rest = plan.load === 'busy' ? keepBusy() : () => undefined
  for (const end = start + plan.seconds * 1000 + AFTER_MS; drift.length < plan.count && Date.now() < end; ) await pause(20)
  rest()
  for (const { agent } of lives) await agent.whenIdle()
  await settled()
  const { flushes, fsyncs } = worked()
  for (const live of lives) await live.dispose()
  await host.dispose()
  return { drift, bare, flushes: flushes / plan.count, fsyncs: fsyncs / plan.count }
}

/** How many timers of the subject wait when 50 sessions have four reminders each. */
async function timersOf(subject: Subject): Promise<number> {
  const host = await mountHost()
  reset(subject.frames)
  await subject.mount(host.ctx, host.root)
  const plan: Plan = { count: 200, sessions: 50, events: 200, seconds: 1, load: 'idle' }
  const lives = await open(host, plan, Date.now() + 3_600_000, new Map())
  await pause(1000)
  const timers = liveTimers()
  reset()
  for (const live of lives) await live.dispose()
  await host.dispose()
  return timers
}

function plans(isQuick: boolean): readonly Plan[] {
  const plan = (sessions: number, load: Plan['load'], seconds: number): Plan => ({ count: 200, sessions, events: 1000, seconds, load })
  if (isQuick) return [plan(50, 'idle', 3)]
  const long: Plan = { count: 40, sessions: 1, events: 100_000, seconds: 8, load: 'idle' }
  return [plan(1, 'idle', 12), plan(50, 'idle', 8), long, plan(1, 'crowded', 8), plan(1, 'busy', 8), plan(50, 'busy', 8)]
}

const nameOf = ({ sessions, events, load }: Plan): string => `${sessions === 1 ? 'one session' : `${sessions} sessions`}, ${events.toLocaleString('en')} events, ${load === 'busy' ? 'busy loop' : load}`

/** Only what has a limit is measured again and again. */
const roundsOf = ({ load }: Plan, isQuick: boolean): number => (load === 'idle' && !isQuick ? ROUNDS : 1)

/**
 * How late reminders come (requirement P3).
 *
 * @param isQuick - fewer cases in less time.
 */
export async function wake(isQuick: boolean): Promise<Findings> {
  const subjects = SCHEDULES.filter(({ name }) => name !== 'floor')
  const cells: Cell[] = []
  for (const plan of plans(isQuick)) {
    const fired: Fired[][] = subjects.map(() => [])
    for (let round = 0; round < roundsOf(plan, isQuick); round += 1) {
      for (const [index, subject] of subjects.entries()) fired[index]?.push(await fire(subject, plan))
    }
    cells.push({ plan, fired })
  }
  const timers: number[] = []
  for (const subject of subjects) timers.push(await timersOf(subject))
  const goals = cells.filter(({ plan }) => plan.load === 'idle').flatMap(({ plan, fired: [ours = [], theirs = []] }) =>
    ([[0.5, 2], [0.99, 15]] as const).map(([share, atMost]) => judge(`P3 drift p${share * 100}, ${nameOf(plan)} (ms)`, { atMost }, typical(ours, share), typical(theirs, share))),
  )
  const delivered = cells.map(({ plan, fired: [ours = [], theirs = []] }) => judge(`P3 delivered, ${nameOf(plan)}`, { exactly: plan.count }, fewest(ours), fewest(theirs)))
  return {
    goals: [judge('P3 running timers for 50 sessions with four reminders each', { exactly: 1 }, timers[0] ?? Number.NaN, timers[1] ?? null), ...goals, ...delivered],
    tables: [{ title: 'Wakes: milliseconds after the instant', rows: cells.flatMap(({ plan, fired }) => fired.map((rounds, index) => rowOf(plan, subjects[index]?.name ?? '', rounds))) }],
  }
}

/** Median of the rounds: a disk that hangs for a moment makes one round late, whosever it is. */
const typical = (rounds: readonly Fired[], share: number): number => median(rounds.map(({ drift }) => quantile(drift, share)))

const fewest = (rounds: readonly Fired[]): number => Math.min(...rounds.map(({ drift }) => drift.length))

function rowOf(plan: Plan, subject: string, rounds: readonly Fired[]): Record<string, string | number> {
  const drift = rounds.flatMap((round) => round.drift)
  const bare = (share: number): number => median(rounds.map((round) => quantile(round.bare, share)))
  const mean = (of: (round: Fired) => number): number => rounds.reduce((sum, round) => sum + of(round), 0) / rounds.length
  return {
    case: nameOf(plan),
    subject,
    p50: typical(rounds, 0.5),
    p90: typical(rounds, 0.9),
    p99: typical(rounds, 0.99),
    max: Math.max(...drift),
    early: drift.filter((ms) => ms < 0).length,
    'bare timer p50': bare(0.5),
    'bare timer p99': bare(0.99),
    'flushes per wake': mean(({ flushes }) => flushes),
    'fsyncs per wake': mean(({ fsyncs }) => fsyncs),
    delivered: drift.length,
  }
}
