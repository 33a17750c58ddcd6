import { judge, type Findings } from '../findings.ts'
import { mountHost, turn, type BenchHost, type Live } from '../host.ts'
import { makeLog } from '../logs.ts'
import { measure, type Measured, type Work } from '../meter.ts'
import { pairedRatio, median } from '../stats.ts'
import { SCHEDULES, type Subject } from '../subjects.ts'

interface Bench {
  readonly subject: Subject
  readonly host: BenchHost
  readonly live: Live
  readonly times: Measured[]
}

const LENGTH = 100_000
const WORK: readonly (keyof Work)[] = ['copies', 'slots', 'flushes', 'fsyncs', 'timers']

async function mount(subject: Subject): Promise<Bench> {
  const host = await mountHost()
  await subject.mount(host.ctx, host.root)
  const live = await host.create('plain', await makeLog(LENGTH))
  await host.ctx.sessions.flush(live.agent.session)
  for (let number = 0; number < 3; number += 1) await turn(live.agent)
  return { subject, host, live, times: [] }
}

/** All countable work of a turn. The first turns are past, so what remains is what every turn costs. */
function sum(work: Work | undefined): number {
  return WORK.reduce((total, what) => total + (work?.[what] ?? Number.NaN), 0)
}

/**
 * What a plain turn costs in a session that has no reminder, only because the plugin is there (requirement P1).
 *
 * @param isQuick - fewer turns.
 */
export async function idle(isQuick: boolean): Promise<Findings> {
  const benches: Bench[] = []
  for (const subject of SCHEDULES) benches.push(await mount(subject))
  for (let number = 0; number < (isQuick ? 8 : 20); number += 1) {
    for (const bench of number % 2 === 0 ? benches : benches.toReversed()) bench.times.push(await measure(() => turn(bench.live.agent)))
  }
  const works: Work[] = []
  for (const { subject, live } of benches) works.push((await measure(() => turn(live.agent), subject.frames)).work)
  const ms = (bench: Bench | undefined): readonly number[] => bench?.times.map((one) => one.ms) ?? []
  const floor = benches.at(-1)
  const rows = benches.map((bench, index) => ({
    subject: bench.subject.name,
    '÷ floor': pairedRatio(ms(bench), ms(floor)),
    ms: median(ms(bench)),
    'CPU ms': median(bench.times.map(({ cpuMs }) => cpuMs)),
    ...Object.fromEntries(WORK.map((what) => [what, works[index]?.[what] ?? Number.NaN])),
  }))
  for (const { live, host } of benches) {
    await live.dispose()
    await host.dispose()
  }
  const [ours = Number.NaN, theirs = Number.NaN, none = Number.NaN] = works.map(sum)
  return {
    goals: [judge('P1 copies, slots, flushes, fsyncs and timers that a turn without reminders costs more', { exactly: 0 }, ours - none, theirs - none)],
    tables: [{ title: `A turn in a session without reminders, at ${LENGTH.toLocaleString('en')} events`, rows }],
  }
}
