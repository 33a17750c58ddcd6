import type { AlarmClock, AlarmPort } from '../../packages/session-host/src/alarm.ts'
import type { WakeKind } from '../../packages/session-host/src/wake-index/check.ts'
import type { RuntimePort } from '../../packages/session-host/src/wake-index/runtime.ts'
import type { StoreSlot } from '../../packages/session-host/src/wake-index/slot.ts'
import type { WakeStore } from '../../packages/session-host/src/wake-index/store.ts'
import { COUNTDOWN_KIND, CountdownFold } from '../../packages/time-reminder/src/countdowns/fold.ts'
import { countdownSetMessage } from '../../packages/time-reminder/src/countdowns/frame.ts'
import type { CountdownPort } from '../../packages/time-reminder/src/countdowns/owner.ts'
import { decide, type DeliveryPolicy } from '../../packages/tool-schedule/src/decide.ts'
import type { PlanFact } from '../../packages/tool-schedule/src/facts.ts'
import { deliveryMessage } from '../../packages/tool-schedule/src/frame.ts'
import type { Ledger } from '../../packages/tool-schedule/src/ledger.ts'
import { nextWake } from '../../packages/tool-schedule/src/owed.ts'
import type { Owner, OwnerPort } from '../../packages/tool-schedule/src/owner.ts'
import { dispatchChange, type ScheduleChange } from '../../packages/tool-schedule/src/protocol.ts'
import { drift } from '../../packages/time-core/src/lateness.ts'
import { formatInstant } from '../../packages/time-core/src/instant.ts'
import { seriesOf } from './audit.ts'
import type { SimHost } from './host.ts'
import type { LiveSession } from './live.ts'
import { foldReminders } from './reminders.ts'

/** A fault that is put between the real parts on purpose, to see whether the simulator finds it. */
export interface Plant {
  /** What is wrong, as a sentence. */
  readonly about: string
  /** Rarely met: a schedule of its own shows it, in the regressions. */
  readonly isRare?: true
  /** Stands between the owner and its world. */
  readonly port?: (port: OwnerPort) => OwnerPort
  /** Stands in for the host's alarm clock. */
  readonly alarm?: (port: AlarmPort) => AlarmClock
  /** Stands between the owner and a real alarm clock. */
  readonly alarmUse?: (alarm: AlarmClock) => AlarmClock
  /** Stands in for the owner. */
  readonly owner?: (port: OwnerPort, policy: DeliveryPolicy) => Owner
  /** Stands between the index and its host. */
  readonly index?: (port: RuntimePort) => RuntimePort
  /** Stands between the index and its file. */
  readonly store?: (store: WakeStore, host: SimHost) => WakeStore
  /** Stands in for what the index is told of reminders. */
  readonly nextWake?: typeof nextWake
  /** Stands in for what the index reads of reminders in a stored log. */
  readonly foldReminders?: WakeKind['foldOwed']
  /** Stands in for what the index reads of countdowns in a stored log. */
  readonly foldCountdowns?: WakeKind['foldOwed']
  /** Happens when a session begins to close. */
  readonly closes?: (host: SimHost, id: string) => void
  /** Stands in for the fold of countdowns. */
  readonly countdownFold?: () => CountdownFold
  /** Stands between the owner of countdowns and its world. */
  readonly countdownPort?: (port: CountdownPort, live: LiveSession) => CountdownPort
  readonly forkInherits?: true
  readonly countdownsInherit?: true
  readonly wakeDoubles?: true
}

const withPort = (change: (port: OwnerPort) => Partial<OwnerPort>) => (port: OwnerPort): OwnerPort => ({ ...port, ...change(port) })

const withLedger = (view: (ledger: Ledger) => Partial<Ledger>) => (port: OwnerPort): OwnerPort => {
  const { ledger } = port
  const seen = new Proxy(ledger, {
    get(target, name) {
      const changed = view(target) as Record<string | symbol, unknown>
      const value: unknown = name in changed ? changed[name] : Reflect.get(target, name, target)
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
  })
  return { ...port, ledger: seen }
}

/** Stands between the index and the place of its file. */
const withSlot = (view: Partial<StoreSlot>) => (port: RuntimePort): RuntimePort => {
  const slot = new Proxy(port.slot, {
    get(target, name) {
      const value: unknown = name in view ? view[name as keyof StoreSlot] : Reflect.get(target, name, target)
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
  })
  return { ...port, slot }
}

/** Rewrites the record of the next occurrence of a series before it is appended. */
const withNext = (at: (port: OwnerPort, scheduledAt: number, everySeconds: number | undefined) => number) =>
  withPort((port) => ({
    append(change: ScheduleChange) {
      if (change.operation !== 'create') return port.append(change)
      const rule = port.ledger.series.get(seriesOf(change.schedule.id) as never)?.rule
      const next = at(port, Date.parse(change.schedule.scheduledAt), rule?.kind === 'every' ? rule.everySeconds : undefined)
      port.append({ ...change, schedule: { ...change.schedule, scheduledAt: formatInstant(next) } })
    },
  }))

/** An owner without a queue and without a second look: each poke delivers what it saw. */
function hastyOwner(port: OwnerPort, policy: DeliveryPolicy): Owner {
  let isStopped = false
  const deliver = async (): Promise<void> => {
    const now = port.now()
    const next = decide(port.ledger, now, policy)
    if (next.kind !== 'act' || next.deliver.length === 0 || !(await port.confirm()) || isStopped || !port.isLive() || !port.isOurs()) return
    port.say(deliveryMessage(next.deliver.map((due) => ({ due, drift: drift(due.occurrenceAt, now, []), pauses: false }))))
    for (const { reminder } of next.deliver) port.append(dispatchChange(reminder.record, now))
  }
  return {
    poke: () => void deliver().catch(() => undefined),
    dispose: async () => {
      isStopped = true
    },
  }
}

/** One timer per key for the whole distance. */
function longTimers(port: AlarmPort): AlarmClock {
  const stops = new Map<object, () => void>()
  const clear = (key: object): void => {
    stops.get(key)?.()
    stops.delete(key)
  }
  return {
    set(key, at, ring) {
      clear(key)
      const stop = port.startTimer(Math.max(at - port.now(), 0), () => {
        stops.delete(key)
        ring(port.now())
      })
      stops.set(key, stop)
    },
    clear,
    onSetBack: () => () => undefined,
    get size() {
      return stops.size
    },
    get running() {
      return stops.size > 0
    },
    dispose: () => [...stops.keys()].forEach(clear),
  }
}

/** The planted faults by name. The simulator's own test demands that every one of them is found. */
export const PLANTS: Readonly<Record<string, Plant>> = {
  'dispatch-first': {
    about: 'the dispatch is recorded before the message is queued',
    port: withPort((port) => {
      let held: Parameters<OwnerPort['say']>[0] | undefined
      return {
        say: (message) => void (held = message),
        append(change) {
          port.append(change)
          if (held !== undefined) port.say(held)
          held = undefined
        },
      }
    }),
  },
  'dispatch-late': {
    about: 'the dispatch is recorded after the idle phase is released',
    port: withPort((port) => ({ append: (change) => void (change.operation === 'dispatch' ? Promise.resolve().then(() => Promise.resolve()).then(() => port.append(change)).catch(() => undefined) : port.append(change)) })),
  },
  'stale-clock': {
    about: 'the claim does not read the clock again',
    port: withPort((port) => {
      let highest = -Infinity
      return { now: () => (highest = Math.max(highest, port.now())) }
    }),
  },
  'no-barrier': { about: 'nothing is confirmed as stored before a delivery', port: withPort(() => ({ confirm: async () => true })) },
  'long-timer': { about: 'a timer is started for longer than Node can hold, and sleep is not noticed', alarm: longTimers },
  'index-believed': { about: 'what the wake index says is believed over the log', index: (port) => ({ ...port, logs: () => undefined }) },
  'no-rearm': {
    about: 'the alarm is not set again after a delivery',
    alarmUse(alarm) {
      const rung = new WeakSet<object>()
      return {
        ...alarm,
        clear: (key) => alarm.clear(key),
        set: (key, at, ring) => {
          if (rung.has(key)) return
          alarm.set(key, at, (now) => {
            rung.add(key)
            ring(now)
          })
        },
      }
    },
  },
  'no-idle-wait': { about: 'an agent that is busy without a turn is not waited for', port: withPort(() => ({ whenIdle: () => new Promise<void>(() => undefined) })) },
  'poke-storm': { about: 'every poke delivers for itself', owner: hastyOwner },
  'no-recognition': { about: 'a message that a crash left without its dispatch is not recognised', port: withLedger(() => ({ undispatched: new Map() })) },
  'lost-left': {
    isRare: true,
    about: 'a delivery that a crash lost between the inbox and the conversation is left lost',
    port: withLedger((ledger) => ({ unread: new Map([...ledger.unread].filter(([, { state }]) => state !== 'lost')) })),
  },
  'stranded-left': { isRare: true, about: 'an agent that is opened with a delivery in its inbox is not woken for it', port: withPort(() => ({ wakeWith: () => undefined })) },
  'unread-not-owed': {
    isRare: true,
    about: 'a delivery that waits in the inbox counts as owed no longer',
    nextWake: (ledger, policy) => nextWake(seenAs(ledger, () => ({ unread: new Map() })), policy),
    foldReminders: (events, header) => foldReminders(events.filter(({ type }) => (type as string) !== 'agent/inbox/spliced'), header),
  },
  'removed-index-kept': { isRare: true, about: 'sessions are taken in an index file that has been removed', index: withSlot({ isReplaced: false }) },
  'new-index-believed': { isRare: true, about: 'a new index is believed before running hosts have found it', index: withSlot({ bornAt: 0 }) },
  'set-back-unheard': { isRare: true, about: 'the index does not hear that the clock was set back', index: (port) => ({ ...port, alarm: { ...port.alarm, set: (key, at, ring) => port.alarm.set(key, at, ring), clear: (key) => port.alarm.clear(key), onSetBack: () => () => undefined } }) },
  'delete-ignored': {
    isRare: true,
    about: 'what was decided before the barrier is delivered, whatever was taken back since',
    port(port) {
      // The ledger as it was when the drive began.
      let frozen: Ledger['active'] | undefined
      const seen = withLedger((ledger) => ({ active: frozen ?? ledger.active }))(port)
      // In a turn, too: the barrier is where something is taken back meanwhile.
      return { ...seen, isIdle: () => true, transact: (job) => port.transact(async () => {
        frozen = new Map(port.ledger.active)
        try {
          await job()
        } finally {
          frozen = undefined
        }
      }) }
    },
  },
  'fork-inherits': { about: 'a fork takes over the reminders of its parent', forkInherits: true },
  'catch-up-all': { about: 'every missed occurrence of a series is delivered, one after the other', port: oneByOne },
  'late-limit-ignored': {
    about: 'a late limit is not looked at',
    port: withLedger((ledger) => ({ active: new Map([...ledger.active].map(([id, one]) => [id, one.plan === undefined ? one : { ...one, plan: withoutLimit(one.plan) }])) })),
  },
  'series-from-now': { about: 'the next occurrence is counted from now', port: withNext((port, scheduledAt, everySeconds) => (everySeconds === undefined ? scheduledAt : port.now() + everySeconds * 1000)) },
  'lease-ignored': { about: 'what another host holds is taken all the same', index: (port) => ({ ...port, verdict: () => 'gone' }) },
  'dead-holder-kept': { about: 'a holder that is seen to be dead counts as running', index: (port) => ({ ...port, verdict: (holder) => (holder.hostId === port.me.hostId ? 'running' : port.verdict(holder) === 'gone' ? 'running' : port.verdict(holder)) }) },
  'released-early': {
    about: 'a session that begins to close is given back before it is closed',
    closes(host, id) {
      const lease = host.world.index.leaseOf(id)
      if (lease?.holder.hostId === host.me.hostId) host.world.index.release(id, lease.fence)
    },
  },
  'owed-early': {
    about: 'a countdown counts as owed no longer before its notice is stored',
    countdownPort: (port, live) => ({
      ...port,
      wake(message) {
        port.wake(message)
        live.host.index?.owes(COUNTDOWN_KIND, live as never, undefined)
      },
    }),
    foldCountdowns: () => undefined,
  },
  'row-believed': {
    about: 'the instant in the index is believed over that in the log of a countdown',
    countdownPort(port, live) {
      const row = live.host.world.index.owedOf(live.id).get(COUNTDOWN_KIND)
      return { ...port, countdowns: seenAs(port.countdowns, () => ({ pending: new Map([...port.countdowns.pending].map(([name, one]) => [name, { ...one, dueAt: row ?? one.dueAt }])) })) }
    },
  },
  'countdown-marked-first': {
    about: 'a countdown is marked as fired before its notice is queued',
    countdownPort: (port, live) => ({
      ...port,
      wake(message) {
        const marks = (message.source as unknown as { readonly countdown: readonly { readonly name: string }[] }).countdown
        for (const { name } of marks) live.agent.inject(countdownSetMessage({ set: true, action: 'cancel', name }, port.zone()))
        port.wake(message)
      },
    }),
  },
  'snooze-keeps-mark': { about: 'what has fired stays fired when it is snoozed', countdownFold: () => new MarkedFold() },
  'countdown-early': { about: 'a countdown that is nearly over counts as over', countdownPort: (port) => ({ ...port, now: () => port.now() + 1500 }) },
  'countdowns-inherited': { about: 'a fork takes over the countdowns of its parent', countdownsInherit: true },
  'notice-forgotten': { about: 'a notice that waits when its process dies is left in the inbox', countdownPort: (port) => ({ ...port, wakeWith: () => undefined }) },
  'excuse-invented': {
    about: 'a late notice blames the timer, whatever it was',
    countdownPort: (port) => ({
      ...port,
      wake(message) {
        const source = message.source as unknown as { readonly countdown: readonly { readonly late: readonly string[] }[] }
        port.wake({ ...message, source: { ...source, countdown: source.countdown.map((mark) => (mark.late.length === 0 ? mark : { ...mark, late: ['rang-late'] })) } } as never)
      },
    }),
  },
  'wake-doubles': { about: 'a waiting message is woken by sending it once more', wakeDoubles: true },
  'alarm-left': { about: 'a disposed owner keeps its alarm', alarmUse: (alarm) => ({ ...alarm, set: (key, at, ring) => alarm.set(key, at, ring), clear: () => undefined }) },
  'believes-refusal': { about: 'a barrier that fails counts as passed', port: withPort((port) => ({ confirm: () => port.confirm().then(() => true) })) },
  'runs-ahead': { about: 'the owner takes a moment that is nearly there for one that has come', port: withPort((port) => ({ now: () => port.now() + 1500 })) },
}

/** Reads a log as if a snooze said nothing about a countdown that has fired. */
class MarkedFold extends CountdownFold {
  override apply(event: Parameters<CountdownFold['apply']>[0]): void {
    const fired = new Map(this.fired.map((one) => [one.name, one]))
    const before = new Set(this.pending.keys())
    super.apply(event)
    if ((event.type as string) !== 'tool/result') return
    for (const name of this.pending.keys()) if (!before.has(name) && fired.has(name)) this.pending.delete(name)
  }
}

/** An object with some members of another. */
function seenAs<T extends object>(real: T, view: () => Partial<T>): T {
  return new Proxy(real, { get: (target, name) => ({ ...view() } as Record<string | symbol, unknown>)[name] ?? Reflect.get(target, name, target) as unknown })
}

/** Delivers the oldest occurrence that was missed, and records the one after it as the next. */
function oneByOne(port: OwnerPort): OwnerPort {
  const last = new Map<string, number>()
  const step = (id: string): number => {
    const rule = port.ledger.series.get(seriesOf(id) as never)?.rule
    return rule?.kind === 'every' ? rule.everySeconds * 1000 : 1_800_000
  }
  return {
    ...port,
    say(message) {
      const { source } = message as unknown as { source: { timekeeper: { facts: { id: string; occurrenceAt: string }[] } } }
      const facts = source.timekeeper.facts.map((fact) => {
        const reminder = port.ledger.active.get(fact.id as never)
        if (reminder?.series === undefined) return fact
        last.set(seriesOf(fact.id), reminder.dueAt)
        return { ...fact, occurrenceAt: formatInstant(reminder.dueAt) }
      })
      port.say({ ...message, source: { ...source, timekeeper: { v: 1, facts } } } as never)
    },
    append(change) {
      const before = change.operation === 'create' ? last.get(seriesOf(change.schedule.id)) : undefined
      if (change.operation !== 'create' || before === undefined) return port.append(change)
      port.append({ ...change, schedule: { ...change.schedule, scheduledAt: formatInstant(before + step(change.schedule.id)) } })
    },
  }
}

function withoutLimit(plan: PlanFact): PlanFact {
  const { lateLimitSeconds, ...rest } = plan
  return lateLimitSeconds === undefined ? plan : rest
}
