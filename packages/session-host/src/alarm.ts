import type { Context } from '@deepseek-ai/cordis'
import { perHost } from './per-host.ts'

/** Longest time between two looks at the wall clock: sleep and clock steps are noticed within this (ms). */
export const MAX_SEGMENT_MS = 30_000

/** How many replaced alarms may lie in the heap beyond the waiting ones before it is made anew. */
const SLACK = 16

/** The effects an alarm clock needs; a test gives its own. Times are epoch milliseconds, delays milliseconds. */
export interface AlarmPort {
  now(): number
  /** Start a timer. @returns ends it. */
  startTimer(delayMs: number, callback: () => void): () => void
  /** Told what a ring threw; a failing ring must not silence the others. */
  report(error: unknown): void
}

/** Wakes any number of keys at their instants with one running timer (requirements S25, P3). */
export interface AlarmClock {
  /**
   * Ring once when the wall clock has reached `at`, replacing what was set for the key. An instant that has passed
   * rings in the next macrotask, never inside this call. After the ring the key is free.
   *
   * @param key - identity of the sleeper.
   * @param at - epoch milliseconds.
   * @param ring - called with the wall clock that was read for the decision.
   */
  set(key: object, at: number, ring: (now: number) => void): void
  /** Forget what was set for the key. */
  clear(key: object): void
  /**
   * Be told within a segment that the wall clock was set back by more than that: what was set for a while from then would take longer.
   *
   * @returns ends the watching.
   */
  onSetBack(listener: () => void): () => void
  /** How many keys wait. */
  readonly size: number
  /** Whether a timer is running. It is exactly when somebody waits. */
  readonly running: boolean
  /** Forget everything and stop the timer. */
  dispose(): void
}

interface Alarm {
  readonly key: object
  readonly at: number
  readonly ring: (now: number) => void
}

/**
 * Build an alarm clock. Every wake reads the wall clock again: a clock that was set back rings nothing early, a
 * jump forward makes due what it passed.
 *
 * @param port - clock and timer.
 */
export function createAlarmClock(port: AlarmPort): AlarmClock {
  const waiting = new Waiting()
  const listeners = new Set<() => void>()
  const timer = new SegmentTimer(port, tick)
  let latest = -Infinity

  const arm = (): void => {
    const now = port.now()
    latest = Math.max(latest, now)
    timer.arm(waiting.next, now)
  }
  function tick(): void {
    const now = port.now()
    const isSetBack = now < latest
    latest = now
    for (const listener of isSetBack ? listeners : []) guarded(port, listener)
    for (let alarm = waiting.take(now); alarm !== undefined; alarm = waiting.take(now)) {
      const { ring } = alarm
      guarded(port, () => ring(now))
    }
    arm()
  }
  return {
    set(key, at, ring) {
      waiting.add({ key, at, ring })
      arm()
    },
    clear(key) {
      if (waiting.remove(key)) arm()
    },
    onSetBack(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get size() {
      return waiting.size
    },
    get running() {
      return timer.isRunning
    },
    dispose() {
      waiting.removeAll()
      arm()
    },
  }
}

/** The one timer: it runs for a segment at most. */
class SegmentTimer {
  readonly #port: AlarmPort
  readonly #fired: () => void
  #stop: (() => void) | undefined
  #armedFor = Infinity
  /** It fires at once. */
  #isHurried = false

  constructor(port: AlarmPort, fired: () => void) {
    this.#port = port
    this.#fired = () => {
      this.#forget()
      fired()
    }
  }

  get isRunning(): boolean {
    return this.#stop !== undefined
  }

  /** Run towards an instant; not at all when it is infinite. */
  arm(next: number, now: number): void {
    // What has passed while its timer still runs shows that the wall clock was set forward: whoever sets something now
    // must not wait for the rest of that segment.
    if (next === this.#armedFor && (this.#isHurried || next > now)) return
    this.#stop?.()
    this.#forget()
    if (next === Infinity) return
    this.#armedFor = next
    this.#isHurried = next <= now
    this.#stop = this.#port.startTimer(Math.min(Math.max(next - now, 0), MAX_SEGMENT_MS), this.#fired)
  }

  #forget(): void {
    this.#stop = undefined
    this.#armedFor = Infinity
    this.#isHurried = false
  }
}

/** Who waits, the earliest first. Replaced alarms stay in the heap until they surface. */
class Waiting {
  readonly #heap: Alarm[] = []
  readonly #current = new Map<object, Alarm>()

  get size(): number {
    return this.#current.size
  }

  /** The earliest instant; infinite when nobody waits. */
  get next(): number {
    return this.#top()?.at ?? Infinity
  }

  add(alarm: Alarm): void {
    this.#current.set(alarm.key, alarm)
    if (this.#heap.length > 2 * this.#current.size + SLACK) compact(this.#heap, this.#current)
    insert(this.#heap, alarm)
  }

  /** @returns whether anybody waited under this key. */
  remove(key: object): boolean {
    return this.#current.delete(key)
  }

  removeAll(): void {
    this.#current.clear()
    this.#heap.length = 0
  }

  /** Take out the next one whose instant has come. */
  take(now: number): Alarm | undefined {
    const top = this.#top()
    if (top === undefined || top.at > now) return undefined
    removeTop(this.#heap)
    this.#current.delete(top.key)
    return top
  }

  #top(): Alarm | undefined {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#current.get(top.key) === top) return top
      removeTop(this.#heap)
    }
    return undefined
  }
}

/** What one listener throws must not silence the others. */
function guarded(port: AlarmPort, job: () => void): void {
  try {
    job()
  } catch (error) {
    port.report(error)
  }
}

/** A key that is set again and again would fill the heap with what it has replaced. */
function compact(heap: Alarm[], current: ReadonlyMap<object, Alarm>): void {
  const live = heap.filter((alarm) => current.get(alarm.key) === alarm)
  heap.length = 0
  for (const alarm of live) insert(heap, alarm)
}

function insert(heap: Alarm[], alarm: Alarm): void {
  let index = heap.push(alarm) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (entry(heap, parent).at <= alarm.at) break
    heap[index] = entry(heap, parent)
    index = parent
  }
  heap[index] = alarm
}

/** Precondition: the heap is not empty. */
function removeTop(heap: Alarm[]): Alarm {
  const top = entry(heap, 0)
  const last = heap.pop() as Alarm
  if (heap.length === 0) return top
  let index = 0
  for (let child = 1; child < heap.length; child = 2 * index + 1) {
    if (child + 1 < heap.length && entry(heap, child + 1).at < entry(heap, child).at) child += 1
    if (entry(heap, child).at >= last.at) break
    heap[index] = entry(heap, child)
    index = child
  }
  heap[index] = last
  return top
}

function entry(heap: readonly Alarm[], index: number): Alarm {
  return heap[index] as Alarm
}

/**
 * The alarm clock of this host: one Node timer for all plugins, sessions and reminders. The timer does not keep the
 * process alive.
 *
 * @param ctx - context of the asking plugin.
 *
 * @example
 * ```ts
 * import type { Context } from '@deepseek-ai/cordis'
 * import { alarmClock } from 'dsh-session-host'
 *
 * export function apply(ctx: Context): void {
 *   const alarm = alarmClock(ctx)
 *   const key = {}
 *   alarm.set(key, Date.now() + 60_000, now => console.log('a minute has passed', new Date(now).toISOString()))
 *   ctx.effect(() => () => alarm.clear(key), 'my alarm')
 * }
 * ```
 */
export function alarmClock(ctx: Context): AlarmClock {
  return perHost(ctx, 'alarm clock', (root) => {
    const alarm = createAlarmClock({
      now: () => Date.now(),
      startTimer(delayMs, callback) {
        const timer = setTimeout(callback, delayMs)
        timer.unref()
        return () => clearTimeout(timer)
      },
      report: (error) => root.logger('session-host').error(error),
    })
    return { value: alarm, dispose: () => alarm.dispose() }
  })
}
