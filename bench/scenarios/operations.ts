import type { Agent } from '@deepseek-ai/dsh-agent'
import { judge, type Findings, type GoalRow, type Line } from '../findings.ts'
import { bump, call, mountHost, turn, type BenchHost, type Live } from '../host.ts'
import { makeLog, reminders } from '../logs.ts'
import { measure, settled, type Measured } from '../meter.ts'
import { median, pairedRatio, summarize } from '../stats.ts'
import { SCHEDULES, wakes, type Subject, type SubjectName } from '../subjects.ts'

const OPERATIONS = ['list', 'create', 'delete', 'dispatch'] as const
type Operation = (typeof OPERATIONS)[number]

interface Bench {
  readonly subject: Subject
  readonly host: BenchHost
  readonly live: Live
}

/** All measurements of one operation of one subject on one log. */
interface Cell {
  readonly subject: SubjectName
  readonly length: number
  readonly reminders: number
  readonly operation: Operation
  readonly times: Measured[]
  /** Of the one run in which every slot that the subject reads is counted. */
  readonly counted?: Measured['work'] | undefined
}

const FAR_MS = 30 * 86_400_000
/** What has to be left before a due instant when its measurement begins. */
const MARGIN_MS = 30
/** Rounds before any that counts. */
const WARM_UP = 2
/** How many rounds have a delivery, which takes long because it has to be waited for. */
const DISPATCHES = 5

const far = (index: number): number => Date.now() + FAR_MS + index * 1000
const create = ({ host, live }: Bench, at: number): Promise<{ value: unknown }> => call(host, live.agent, 'schedule_create', { prompt: 'check the build', at: new Date(at).toISOString() })

async function mount(subject: Subject, length: number, count: number): Promise<Bench> {
  const host = await mountHost()
  await subject.mount(host.ctx, host.root)
  const live = await host.create('measured', await makeLog(length, reminders(count, far)))
  await host.ctx.sessions.flush(live.agent.session)
  await settled()
  return { subject, host, live }
}

/**
 * From the instant at which a reminder is due until its turn has ended.
 *
 * @param leadMs - from the call that sets it to that instant: all that the call leaves running has to end before.
 */
async function dispatch(bench: Bench, leadMs: number, frames: RegExp | undefined): Promise<Measured> {
  const { agent } = bench.live
  const due = Date.now() + leadMs
  const done = delivered(bench.host, agent)
  await create(bench, due)
  await settled()
  if (Date.now() < due - MARGIN_MS) {
    const measured = await measure(() => done, frames)
    return { ...measured, ms: measured.ms - (due - measured.startedAt) }
  }
  // The machine was busy with something else; a delivery that has begun cannot be counted.
  await done
  return dispatch(bench, 2 * leadMs, frames)
}

async function delivered({ ctx }: BenchHost, agent: Agent): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let hasWoken = false
  const stop = ctx.on('session/event', (session, event) => {
    if (session !== agent.session) return
    hasWoken ||= wakes(event).length > 0
    if (hasWoken && event.type === 'turn/end') resolve()
  })
  await promise
  stop()
  await agent.whenIdle()
}

/** The least that something durable can cost on this host: a call that does nothing, one event, one confirmation. */
async function durableNoop({ host, live: { agent } }: Bench): Promise<void> {
  await call(host, agent, 'noop', {})
  bump(agent)
  await host.ctx.sessions.flush(agent.session)
}

/**
 * One round of all operations. The floor does what nobody can avoid: a tool that does nothing, and a plain turn.
 *
 * @param withDispatch - also a delivery, which takes long because it has to be waited for.
 */
async function round(bench: Bench, withDispatch: boolean, frames?: RegExp): Promise<Partial<Record<Operation, Measured>>> {
  const { host, live: { agent } } = bench
  const isFloor = bench.subject.name === 'floor'
  const run = (job: () => Promise<unknown>): Promise<Measured> => {
    bump(agent)
    return measure(job, frames)
  }
  let id: unknown
  const list = await run(() => call(host, agent, isFloor ? 'noop' : 'schedule_list', {}))
  const begin = performance.now()
  const created = await run(isFloor ? () => durableNoop(bench) : async () => ({ id } = (await create(bench, far(0))).value as { id: unknown }))
  const leadMs = 4 * MARGIN_MS + 2 * (performance.now() - begin)
  const deleted = await run(isFloor ? () => durableNoop(bench) : () => call(host, agent, 'schedule_delete', { id }))
  if (!withDispatch) return { list, create: created, delete: deleted }
  const dispatched = await (isFloor ? measure(() => turn(agent), frames) : dispatch(bench, leadMs, frames))
  return { list, create: created, delete: deleted, dispatch: dispatched }
}

async function cellsOf(length: number, count: number, rounds: number): Promise<readonly Cell[]> {
  const benches: Bench[] = []
  for (const subject of SCHEDULES) benches.push(await mount(subject, length, count))
  const cells = benches.map(({ subject }) => OPERATIONS.map((operation): Cell => ({ subject: subject.name, length, reminders: count, operation, times: [] })))
  const note = (index: number, done: Awaited<ReturnType<typeof round>>): void => {
    for (const { operation, times } of cells[index] ?? []) if (done[operation] !== undefined) times.push(done[operation])
  }
  const hasDelivery = (number: number): boolean => number === -1 || Math.floor(((number + 1) * DISPATCHES) / rounds) > Math.floor((number * DISPATCHES) / rounds)
  for (let number = -WARM_UP; number < rounds; number += 1) {
    // Turned around each time, so that nobody always comes first.
    for (const [index, bench] of number % 2 === 0 ? benches.entries() : [...benches.entries()].toReversed()) {
      const done = await round(bench, hasDelivery(number))
      if (number >= 0) note(index, done)
    }
  }
  const counted: Cell[] = []
  for (const [index, bench] of benches.entries()) {
    const done = await round(bench, true, bench.subject.frames)
    for (const cell of cells[index] ?? []) counted.push({ ...cell, counted: done[cell.operation]?.work })
    await bench.live.dispose()
    await bench.host.dispose()
  }
  return counted
}

const msOf = ({ times }: Cell): readonly number[] => times.map(({ ms }) => ms)

function find(cells: readonly Cell[], subject: SubjectName, operation: Operation, length: number, count = 10): Cell {
  const found = cells.find((cell) => cell.subject === subject && cell.operation === operation && cell.length === length && cell.reminders === count)
  if (found === undefined) throw new Error(`${operation} of ${subject} at ${length} events was not measured`)
  return found
}

/** The time of a person beside the work of the machine: the first is what is asked for, the second does not grow when others use the machine. */
function timeGoals(cells: readonly Cell[]): GoalRow[] {
  const [short, middle, long] = [1000, 100_000, 500_000] as const
  return (['list', 'create'] as const).flatMap((operation) => {
    const of = (subject: SubjectName, length: number, what: 'ms' | 'cpuMs'): readonly number[] => find(cells, subject, operation, length).times.map((one) => one[what])
    const growth = (subject: SubjectName): number => median(of(subject, long, 'cpuMs')) / median(of(subject, short, 'cpuMs'))
    const beside = (what: 'ms' | 'cpuMs', words: string): GoalRow => {
      const [ours, theirs] = [of('ours', middle, what), of('theirs', middle, what)]
      return judge(`P1 ${operation} at 100,000 events, 10 reminders (${words})`, { ofTheirs: 0.2 }, median(ours), median(theirs), pairedRatio(ours, theirs))
    }
    return [beside('ms', 'ms'), beside('cpuMs', 'CPU ms'), judge(`P1 ${operation}, 500,000 : 1,000 events (ratio of CPU ms)`, { atMost: 1.5 }, growth('ours'), growth('theirs'))]
  })
}

function workGoals(cells: readonly Cell[]): GoalRow[] {
  const length = 500_000
  const slots = (subject: SubjectName, operation: Operation): number => find(cells, subject, operation, length).counted?.slots ?? Number.NaN
  const usual = (subject: SubjectName, operation: Operation, what: 'fsyncs' | 'flushes'): number => median(find(cells, subject, operation, length).times.map(({ work }) => work[what]))
  const over = (subject: SubjectName, what: 'fsyncs' | 'flushes'): number => usual(subject, 'dispatch', what) - usual('floor', 'dispatch', what)
  const beyond = (subject: SubjectName): number => usual(subject, 'create', 'fsyncs') - usual('floor', 'list', 'fsyncs')
  return [
    ...OPERATIONS.map((operation) => judge(`P1 slots of the log read per ${operation} at 500,000 events`, { exactly: 0 }, slots('ours', operation), slots('theirs', operation))),
    judge('P6 fsyncs of a create beyond its preflight', { atMost: 1 }, beyond('ours'), beyond('theirs')),
    judge('P6 fsyncs of a delivery over a plain turn', { atMost: 1 }, over('ours', 'fsyncs'), over('theirs', 'fsyncs')),
    judge('P6 flush calls of a delivery over a plain turn', { atMost: 2 }, over('ours', 'flushes'), over('theirs', 'flushes')),
  ]
}

function linesOf(cells: readonly Cell[]): Line[] {
  return (['list', 'create', 'dispatch'] as const).flatMap((panel) =>
    SCHEDULES.map(({ name }) => ({
      panel,
      subject: name,
      points: cells.filter((cell) => cell.subject === name && cell.operation === panel && cell.reminders === 10).map((cell) => [cell.length, median(msOf(cell))] as const),
    })),
  )
}

function rowOf(cells: readonly Cell[], cell: Cell): Record<string, string | number> {
  const { count, low, high } = summarize(msOf(cell))
  const own = msOf(cell)
  const ratio = (subject: SubjectName): number => pairedRatio(own, msOf(find(cells, subject, cell.operation, cell.length, cell.reminders)))
  const usual = (what: keyof Measured['work']): number => median(cell.times.map(({ work }) => work[what]))
  return {
    operation: cell.operation,
    events: cell.length,
    reminders: cell.reminders,
    subject: cell.subject,
    '÷ theirs': ratio('theirs'),
    '÷ floor': ratio('floor'),
    ms: median(own),
    quartiles: `${low.toFixed(1)}–${high.toFixed(1)}`,
    'CPU ms': median(cell.times.map(({ cpuMs }) => cpuMs)),
    'slots read': cell.counted?.slots ?? Number.NaN,
    'log copies': usual('copies'),
    flushes: usual('flushes'),
    fsyncs: usual('fsyncs'),
    bytes: usual('bytes'),
    timers: cell.counted?.timers ?? Number.NaN,
    runs: count,
  }
}

/**
 * What reminders cost on logs of three lengths (requirements P1, P6).
 *
 * @param isQuick - fewer rounds, and no thousand reminders.
 */
export async function operations(isQuick: boolean): Promise<Findings> {
  const cells: Cell[] = []
  for (const length of [1000, 100_000, 500_000]) {
    for (const count of isQuick ? [10] : [10, 1000]) cells.push(...(await cellsOf(length, count, count > 10 ? 6 : isQuick ? 5 : 15)))
  }
  const sorted = OPERATIONS.flatMap((operation) => cells.filter((cell) => cell.operation === operation))
  return {
    goals: [...timeGoals(cells), ...workGoals(cells)],
    tables: [{ title: 'Schedule operations', rows: sorted.map((cell) => rowOf(cells, cell)) }],
    lines: linesOf(cells),
  }
}
