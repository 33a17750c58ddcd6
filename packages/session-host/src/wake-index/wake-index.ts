import type { Context } from '@deepseek-ai/cordis'
import type { Session, SessionId } from '@deepseek-ai/dsh-session'
import type { Instant } from 'dsh-time-core'
import { alarmClock, type AlarmClock } from '../alarm.ts'
import { perHost } from '../per-host.ts'
import { wakeSession, type WakeResult } from '../wake.ts'
import type { StoredLogs, WakeKind } from './check.ts'
import { thisHolder, verdictOf } from './holder.ts'
import { wakeIndexPath } from './home.ts'
import { WakeRuntime, type WakeStats } from './runtime.ts'
import { StoreSlot } from './slot.ts'
import { SQLITE_FILES } from './sqlite-store.ts'

/** Settings of the index; the first plugin that asks decides for the host. */
export interface WakeIndexOptions {
  /** False turns the index off for the asking plugin: it delivers to live sessions only. */
  readonly enabled?: boolean | undefined
  /** The file; a leading `~` is the user's directory. Default `<DSH_HOME>/timekeeper/wake.sqlite`. */
  readonly path?: string | undefined
}

/**
 * Which sessions owe a delivery, and when next, across restarts and between the hosts of one home (requirements
 * R17–R20, T9). The logs are the truth and the index is a hint: it brings sessions back on time, and their owners
 * decide from their logs what there is to deliver.
 */
export interface WakeIndex {
  /**
   * Make a kind of delivery known. From now on its closed sessions are brought back when something is due.
   *
   * @param kind - name of the kind: lower case letters and hyphens.
   * @param definition - how to read a stored log of this kind.
   * @returns takes it back.
   * @throws TypeError when the name is none; Error when the kind is known already.
   */
  register(kind: string, definition: WakeKind): () => void
  /**
   * Say what a live session owes next. Called by its owner once when it starts, also when nothing is owed, and then
   * whenever the next instant changes; calling it again with the same instant costs nothing. To say that less is owed
   * is only allowed once the delivery is **stored**: after a crash, what the index says counts until the log changes.
   *
   * @param kind - a registered kind.
   * @param session - the exact live session.
   * @param dueAt - the earliest instant at which something is owed.
   */
  owes(kind: string, session: Session, dueAt: Instant | undefined): void
  /**
   * Whether this host may deliver into a live session now. Asked directly before a delivery; takes the right when no
   * running host has it. On `false` the owner does nothing: `regained` of its kind is called when that changes.
   *
   * @param session - the exact live session.
   */
  isOurs(session: Session): boolean
  readonly stats: WakeStats
  /** Resolves when nothing runs in the background. */
  settled(): Promise<void>
}

/** What a plugin gets that has turned the index off. */
const OFF: WakeIndex = {
  register: () => () => undefined,
  owes: () => undefined,
  isOurs: () => true,
  stats: { listings: 0, logsRead: 0, wakes: 0 },
  settled: () => Promise.resolve(),
}

/** Services that bring sessions back: of 0.2, and of 0.1.0-rc.8 web hosts. */
const RESOLVERS = ['sessionController', 'apiProxy', 'typert']

interface SharedIndex {
  readonly path: string
  readonly runtime: WakeRuntime
  closing: Promise<void> | undefined
}

/**
 * The wake index of this host.
 *
 * @param ctx - context of the asking plugin; needs the `agents` service.
 * @param options - settings.
 */
export function wakeIndex(ctx: Context, options: WakeIndexOptions = {}): WakeIndex {
  if (options.enabled === false) return OFF
  const path = wakeIndexPath(options.path, process.env)
  const alarm = alarmClock(ctx)
  let shared: SharedIndex | undefined
  // Disposers run in reverse order: when this one waits, the last user's unload has begun to close the index.
  ctx.effect(() => () => shared?.closing, 'wake index in flight')
  shared = perHost(ctx, 'wake index', (root) => openIndex(root, alarm, path))
  if (shared.path !== path) ctx.logger('wake-index').warn(`the wake index ${shared.path} is in use already; ${path} is not used`)
  return shared.runtime
}

function openIndex(root: Context, alarm: AlarmClock, path: string): { value: SharedIndex; dispose: () => void } {
  const warn = (text: string, cause?: unknown): void => root.logger('wake-index').warn(text, ...(cause === undefined ? [] : [cause]))
  const now = (): Instant => Date.now()
  const me = thisHolder(root)
  const runtime = new WakeRuntime({
    slot: new StoreSlot({ path, now, warn, files: SQLITE_FILES }),
    alarm,
    me,
    verdict: (holder) => verdictOf(holder, me),
    now,
    warn,
    live: (id) => root.agents.get(id as SessionId)?.session,
    wake: (id) => wake(root, id),
    logs: () => logsOf(root),
    onOwnBehalf: (job) => root.agents.withoutInitiator(job),
  })
  const watches = [
    root.inject(['sessionPersistence'], () => runtime.requestCheck()),
    ...RESOLVERS.map((name) => root.inject([name], (ctx) => watchResolver(ctx, name, () => runtime.resolverChanged()))),
  ]
  const value: SharedIndex = { path, runtime, closing: undefined }
  return {
    value,
    dispose() {
      const unwatched = watches.map((watch) => watch.dispose())
      value.closing = runtime.close(() => (root.fiber.state as number) !== ACTIVE).then(() => Promise.all(unwatched)).then(() => undefined)
    },
  }
}

/** `FiberState.ACTIVE`; a constant enum of another package cannot be imported. A root that unloads is not active. */
const ACTIVE = 2

/** The lookup of 0.1.0-rc.8 is configured some time after its registry has come. */
function watchResolver(ctx: Context, name: string, changed: () => void): void {
  const service = (ctx.get as (name: string) => unknown)(name) as { lookups?: { subscribe?(listener: () => void): unknown } }
  service.lookups?.subscribe?.(changed)
  changed()
}

function wake(root: Context, id: string): Promise<WakeResult> {
  return root.agents.withoutInitiator(() => wakeSession(root, id as SessionId)).catch((cause: unknown) => ({ kind: 'refused', reason: 'failed', cause }) as const)
}

/** By shape, because later hosts may list and read in other ways (`host/versions.md` §4). */
function logsOf(root: Context): Required<StoredLogs> | undefined {
  const logs = root.get('sessionPersistence') as StoredLogs | undefined
  if (logs?.listSnapshots === undefined || logs.readFrom === undefined) return undefined
  return logs as Required<StoredLogs>
}
