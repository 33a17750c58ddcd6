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
  const heap: Alarm[] = []
  const current = new Map<object, Alarm>()
  let stopTimer: (() => void) | undefined
  let armedFor = Infinity
  let latest = -Infinity
  const listeners = new Set<() => void>()
  /** The running timer fires at once. */
  let isHurried = false

  const dropStale = (): void => {
    for (let top = heap[0]; top !== undefined && current.get(top.key) !== top; top = heap[0]) removeTop(heap)
  }
  const arm = (): void => {
    dropStale()
    const next = heap[0]?.at ?? Infinity
    const now = port.now()
    latest = Math.max(latest, now)
    // What has passed while its timer still runs shows that the wall clock was set forward: whoever sets something now
    // must not wait for the rest of that segment.
    if (next === armedFor && (isHurried || next > now)) return
    stopTimer?.()
    stopTimer = undefined
    armedFor = next
    isHurried = next <= now
    if (next === Infinity) return
    const delay = Math.min(Math.max(next - now, 0), MAX_SEGMENT_MS)
    stopTimer = port.startTimer(delay, tick)
  }
  const tick = (): void => {
    stopTimer = undefined
    armedFor = Infinity
    isHurried = false
    const now = port.now()
    const isSetBack = now < latest
    latest = now
    for (const listener of isSetBack ? listeners : []) guarded(port, listener)
    for (dropStale(); heap[0] !== undefined && heap[0].at <= now; dropStale()) {
      const alarm = removeTop(heap)
      current.delete(alarm.key)
      guarded(port, () => alarm.ring(now))
    }
    arm()
  }
  return {
    set(key, at, ring) {
      const alarm: Alarm = { key, at, ring }
      current.set(key, alarm)
      if (heap.length > 2 * current.size + SLACK) compact(heap, current)
      insert(heap, alarm)
      arm()
    },
    clear(key) {
      if (current.delete(key)) arm()
    },
    onSetBack(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get size() {
      return current.size
    },
    get running() {
      return stopTimer !== undefined
    },
    dispose() {
      current.clear()
      heap.length = 0
      arm()
    },
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

/** Replaced alarms stay in the heap until they surface; without this a key that is set again and again would fill it. */
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
