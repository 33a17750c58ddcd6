import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { HostOptions, TestHost } from '../../packages/session-host/tests/harness.ts'
import { faultyPersistence } from '../../packages/session-host/tests/faulty-persistence.ts'
import { foldAll, mountSchedule, quiet, SessionId, type Agent } from '../../packages/tool-schedule/tests/harness.ts'
import { LogAudit } from '../src/audit.ts'
import type { Random } from '../src/random.ts'

/** A host with a plugin of ours on it, and how to wait until nothing of the plugin runs in a session. */
export interface Mounted {
  readonly mount: (options: HostOptions) => Promise<TestHost>
  readonly rest: (agent: Agent) => Promise<void>
}

const REMINDERS: Mounted = { mount: mountSchedule, rest: quiet }

/** The wake index names this very process as the holder of everything, and it is not dead. */
const isLog = (path: string): boolean => !path.includes('wake.sqlite')

const OPTIONS = { provider: 'scripted', model: 'scripted' }

/** A home under the published host's own packages, in this process and on fake time. A crash is a copy of its files. */
export class RealHome {
  /** What went through, for seeing that the runs are about something. */
  delivered = 0
  crashes = 0
  readonly #mounted: Mounted
  readonly #taken = new Set<string>()
  readonly #left: TestHost[] = []
  readonly #roots: string[] = []
  #disk = faultyPersistence()
  #host: TestHost | undefined
  readonly #open = new Map<string, { readonly agent: Agent; readonly dispose: () => Promise<void> }>()
  readonly #ids = new Set<string>()

  constructor(mounted: Mounted = REMINDERS) {
    this.#mounted = mounted
  }

  async boot(from?: string): Promise<void> {
    const root = mkdtempSync(join(tmpdir(), 'timekeeper-sim-'))
    this.#roots.push(root)
    if (from !== undefined) cpSync(from, root, { recursive: true, filter: isLog })
    this.#disk = faultyPersistence()
    this.#host = await this.#mounted.mount({ root, persistence: this.#disk.Persistence })
  }

  get host(): TestHost {
    if (this.#host === undefined) throw new Error('no host is running')
    return this.#host
  }

  fault(kind: 'reject-before' | 'partial'): void {
    this.#disk.faults.push(kind)
  }

  /** The live agent of a session, made or brought back. */
  async session(id: string): Promise<Agent> {
    const open = this.#open.get(id)
    if (open !== undefined) return open.agent
    const { agents } = this.host.ctx
    // What never reached the disk before a crash does not exist.
    const isStored = this.#ids.has(id) && (await agents.resume({ resumeSessionId: SessionId(id), agentOptions: OPTIONS }).catch(() => undefined))
    const handle = isStored || (await agents.create({ sessionId: SessionId(id), agentOptions: OPTIONS, meta: { cwd: '/' } }))
    this.#open.set(id, handle)
    this.#ids.add(id)
    return handle.agent
  }

  async ask(id: string, tool: string, args: Readonly<Record<string, unknown>>): Promise<void> {
    const agent = await this.session(id)
    // By its id alone: a reminder that comes due meanwhile, in whichever session, may get this reply for its own turn.
    if (typeof args['id'] === 'string') this.#taken.add(seriesOf(args['id']))
    this.host.model.replies.push({ tool, args })
    await this.host.type(agent, 'please')
    // A turn that failed before its step has left the reply for the next one.
    this.host.model.replies.length = 0
  }

  async close(id: string): Promise<void> {
    await this.#open.get(id)?.dispose().catch(() => undefined)
    this.#open.delete(id)
  }

  /**
   * Do something and die in the middle of it, after so many more events: what is on the disk at that very append is what
   * the next process finds.
   */
  async crashIn(act: () => Promise<unknown>, after: number): Promise<void> {
    const old = this.host
    const copy = mkdtempSync(join(tmpdir(), 'timekeeper-sim-'))
    this.#roots.push(copy)
    let left = after
    const copied: string[] = []
    const stop = old.ctx.on('session/event', () => {
      if ((left -= 1) !== 0) return
      cpSync(old.root, copy, { recursive: true, filter: isLog })
      copied.push(copy)
    })
    await act().catch(() => undefined)
    stop()
    if (copied.length === 0) cpSync(old.root, copy, { recursive: true, filter: isLog })
    this.#left.push(old)
    this.#open.clear()
    this.crashes += 1
    await this.boot(copy)
  }

  async pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms)
    for (const { agent } of this.#open.values()) await this.#mounted.rest(agent)
  }

  /** Everything is opened once more after a last crash, time passes, and a person writes. */
  async finish(): Promise<ReadonlyMap<string, Agent>> {
    this.#disk.faults.length = 0
    await this.crashIn(async () => undefined, 0)
    for (const id of this.#ids) await this.session(id)
    vi.setSystemTime(Date.now() + 31 * 86_400_000)
    for (let n = 0; n < 3; n += 1) await this.pass(31_000)
    for (const { agent } of this.#open.values()) {
      await this.host.type(agent, 'still here')
      await this.#mounted.rest(agent)
    }
    return new Map([...this.#open].map(([id, { agent }]) => [id, agent]))
  }

  /** What breaks a rule of the reminders when all is over. */
  async verdict(maxUnanswered: number): Promise<readonly string[]> {
    const agents = await this.finish()
    return [...agents].flatMap(([id, agent]) => this.#audit(id, agent, maxUnanswered))
  }

  #audit(id: string, agent: Agent, maxUnanswered: number): readonly string[] {
    const found: string[] = []
    const audit = new LogAudit({ wasTakenBack: (one) => this.#taken.has(seriesOf(one)), isStored: () => true, isReplay: () => true, violation: (rule) => found.push(`${id}: ${rule}`) })
    for (const event of agent.session.events) audit.apply(event)
    this.delivered += agent.session.events.filter(({ data }) => (data as { operation?: string }).operation === 'dispatch').length
    const { corruption } = foldAll(agent)
    if (corruption !== undefined) found.push(`${id}: ${corruption.rule}`)
    return [...found, ...audit.overdue(Date.now(), maxUnanswered).map((one) => `${id}: ${one} never came`)]
  }

  /** Recorded as delivered in this session, and not in its conversation. */
  async unheard(id: string): Promise<readonly string[]> {
    const audit = new LogAudit({ wasTakenBack: () => false, isStored: () => true, isReplay: () => true, violation: () => undefined })
    for (const event of (await this.session(id)).session.events) audit.apply(event)
    return [...audit.unheard('waiting'), ...audit.unheard('claimed')]
  }

  async end(): Promise<void> {
    for (const host of [...this.#left, this.#host]) await host?.dispose().catch((error: unknown) => {
      // A disk that failed is reported once more at the end; a log that a later host would refuse is not excused.
      if (String(error).includes('X7')) throw error
    })
    for (const root of this.#roots) rmSync(root, { recursive: true, force: true })
  }
}

function seriesOf(id: string): string {
  return id.replace(/\.\d+$/, '')
}

/** What a person may ask for: a tool and its arguments. */
export type Wish = readonly [tool: string, args: Readonly<Record<string, unknown>>]

/** One random thing that a person or the world does to a home. */
export async function happenRandomly(home: RealHome, random: Random, wish: (random: Random) => Wish = randomWish): Promise<void> {
  const id = random.pick(['one', 'two'])
  const act = (): Promise<void> => home.ask(id, ...wish(random))
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2:
      return act()
    case 3:
      return home.pass(random.pick([1000, 31_000, 120_000, 400_000]))
    case 4:
      return home.crashIn(act, 1 + random.below(24))
    case 5:
      return home.crashIn(() => home.pass(random.pick([1000, 31_000, 400_000])), 1 + random.below(12))
    case 6:
      return home.close(id)
    case 7:
      return home.fault(random.pick(['reject-before', 'partial']))
    case 8:
      return void vi.setSystemTime(Date.now() + random.pick([-7_200_000, -30_000, 45_000, 3_600_000]))
    default:
      return void (await home.session(id))
  }
}

function randomWish(random: Random): Wish {
  const prompt = `do ${random.below(1000)}`
  const limit = random.chance(0.3) ? { late_limit_seconds: random.pick([10, 600]) } : {}
  return random.pick<Wish>([
    ['schedule_create', { prompt, after_seconds: random.pick([1, 20, 60, 600]), ...limit }],
    ['schedule_create', { prompt, after_seconds: random.pick([1, 20]) }],
    ['schedule_create', { prompt, every_seconds: random.pick([300, 420]), ...limit }],
    ['schedule_create', { prompt, cron: '*/30 * * * *', time_zone: 'UTC', ...limit }],
    ['schedule_delete', { id: `r-${1 + random.below(4)}` }],
    ['schedule_snooze', { id: `r-${1 + random.below(4)}`, after_seconds: 5 }],
    ['schedule_list', {}],
  ])
}
