import type { SessionEvent } from '../../packages/session-host/tests/harness.ts'
import { COUNTDOWN_KIND, CountdownFold, foldOwed, type Countdowns } from '../../packages/time-reminder/src/countdowns/fold.ts'
import { countdownSetMessage } from '../../packages/time-reminder/src/countdowns/frame.ts'
import { parseCountdownWish } from '../../packages/time-reminder/src/countdowns/input.ts'
import { makeCountdownOwner, type CountdownOwner, type CountdownPort } from '../../packages/time-reminder/src/countdowns/owner.ts'
import { COUNTDOWN_TOOL } from '../../packages/time-reminder/src/countdowns/protocol.ts'
import { isRefusal } from '../../packages/time-reminder/src/errors.ts'
import { answerWish, countdownTool } from '../../packages/time-reminder/src/tools/time-countdown.ts'
import type { ZoneName } from '../../packages/time-core/src/zone.ts'
import type { LiveSession } from './live.ts'
import type { CountdownWish } from './steps.ts'

/** What a stored log owes of countdowns. */
export const foldCountdowns = foldOwed

const UTC = 'UTC' as ZoneName

/** The countdowns of a live session, wired as `countdowns/live.ts` wires them to a host's services. */
export class CountdownPlug {
  readonly pluggedAt: number
  /** When a barrier of this owner last ended: until then it did not look (wall clock). */
  barrierEnd = -Infinity
  readonly #live: LiveSession
  readonly #fold: CountdownFold
  readonly #owner: CountdownOwner
  #calls = 0

  constructor(live: LiveSession) {
    this.#live = live
    const { host } = live
    const { plant } = host.world
    this.pluggedAt = host.world.clock.wall
    this.#fold = plant?.countdownFold?.() ?? new CountdownFold()
    for (const event of plant?.countdownsInherit === true ? live.events : live.own) this.#fold.apply(event)
    const port = this.#port()
    this.#owner = makeCountdownOwner(plant?.countdownPort?.(port, live) ?? port, host.alarm)
  }

  apply(event: SessionEvent): void {
    const { changes } = this.#fold
    this.#fold.apply(event)
    if (this.#fold.changes !== changes || event.type === 'step/start') this.#owner.poke()
  }

  /** The plugin's fold and the second reader read the same. */
  compare(): void {
    this.#live.countdownAudit.compare(this.#fold)
  }

  poke(): void {
    this.#owner.poke()
  }

  dispose(): Promise<void> {
    return this.#owner.dispose()
  }

  /** A model calls the tool. */
  async call(wish: CountdownWish): Promise<void> {
    const definition = countdownTool(() => this.#toolPort())
    const args = argumentsOf(wish)
    const callId = `countdown-${this.#live.seq}-${(this.#calls += 1)}`
    this.#live.append('tool/call', { turn: 1, step: 1, name: COUNTDOWN_TOOL, callId, arguments: args })
    const value = await definition.execute(args, {} as never)
    const meta: unknown = definition.output.presentationMeta?.(args, value as never)
    await this.#live.host.gate()
    this.#live.append('tool/result', { turn: 1, step: 1, message: { source: { kind: 'tool' }, content: [{ type: 'tool-result', toolCallId: callId, content: [] }] }, meta })
  }

  /** A person gives a command. */
  command(wish: CountdownWish): void {
    const parsed = parseCountdownWish(argumentsOf(wish))
    if (isRefusal(parsed)) return
    const answer = answerWish(this.#toolPort(), parsed)
    if (wish.action !== 'list' && !isRefusal(answer)) this.#live.agent.inject(countdownSetMessage(answer, UTC))
  }

  #toolPort() {
    const { host } = this.#live
    return { countdowns: this.#fold as Countdowns, now: () => host.world.clock.wall, zone: () => UTC, limit: () => undefined, warn: (what: string) => host.world.violation(`${this.#live.id}: ${what}`) }
  }

  #port(): CountdownPort {
    const live = this.#live
    const { agent, host } = live
    return {
      countdowns: this.#fold,
      now: () => host.world.clock.wall,
      zone: () => UTC,
      isLive: () => live.isLive && !host.isDead,
      isOurs: () => host.index?.isOurs(live as never) === true,
      isBusy: () => agent.isRunning,
      confirm: () => this.#confirm(),
      claimIdle: (job) => (agent.isIdle ? agent.runMaintenance(async () => job()) : agent.refuse()),
      whenIdle: () => agent.whenIdle(),
      wake: (message) => agent.followup(message),
      inject: (message) => agent.inject(message),
      wakeWith: (messageId) => agent.wakeWith(messageId, false),
      owes: (dueAt) => host.index?.owes(COUNTDOWN_KIND, live as never, dueAt),
      onOwnBehalf: (job) => job(),
      warn: (what, error) => host.fail(`${live.id}: ${what}`, error),
    }
  }

  async #confirm(): Promise<boolean> {
    try {
      await this.#live.host.checkpoints.confirm(this.#live as never)
      return true
    } catch {
      return false
    } finally {
      this.barrierEnd = Math.max(this.barrierEnd, this.#live.host.world.clock.wall)
    }
  }
}

function argumentsOf({ action, name, seconds, onFire }: CountdownWish): Readonly<Record<string, unknown>> {
  if (action === 'list') return { action, includeFired: true }
  if (action === 'cancel') return { action, name }
  return { action, name, in: `${seconds}s`, ...(onFire !== undefined && { onFire }) }
}
