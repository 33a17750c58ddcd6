import fs from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { devNull } from 'node:os'
import SessionStore, { Session, type SessionEvent } from '@deepseek-ai/dsh-session'

/** Work that was done since the last reset, by everybody in this process. */
export interface Work {
  /** Copies of a whole log, and the slots that were copied. */
  copies: number
  copiedSlots: number
  /** Slots of a log that the subject looked at (only while its frames are set). */
  slots: number
  flushes: number
  fsyncs: number
  /** Bytes given to the file system. */
  bytes: number
  /** Timers that the subject started (only while its frames are set). */
  timers: number
}

const NOTHING: Work = { copies: 0, copiedSlots: 0, slots: 0, flushes: 0, fsyncs: 0, bytes: 0, timers: 0 }
const work: Work = { ...NOTHING }
let frames: RegExp | undefined
const live = new Set<unknown>()

/** What was done since `reset`. */
export const worked = (): Work => ({ ...work })

/** Start to count anew. @param subject - frames to attribute slots and timers to; costs time, so not while time is taken. */
export function reset(subject?: RegExp): void {
  Object.assign(work, NOTHING)
  frames = subject
}

/** Timers of the subject that have neither fired nor been cleared. */
export const liveTimers = (): number => live.size

const isSubject = (): boolean => frames !== undefined && frames.test(new Error('where').stack ?? '')

function countLogs(): void {
  const events = Object.getOwnPropertyDescriptor(Session.prototype, 'events')
  const seen = new WeakMap<object, readonly SessionEvent[]>()
  const spies = new WeakMap<object, readonly SessionEvent[]>()
  Object.defineProperty(Session.prototype, 'events', {
    configurable: true,
    get(this: Session) {
      const snapshot = events?.get?.call(this) as readonly SessionEvent[]
      // Another array than last time is another copy.
      if (seen.get(this) !== snapshot) {
        seen.set(this, snapshot)
        work.copies += 1
        work.copiedSlots += snapshot.length
      }
      if (!isSubject()) return snapshot
      const spy = spies.get(snapshot) ?? spyOn(snapshot)
      spies.set(snapshot, spy)
      return spy
    },
  })
}

function spyOn(snapshot: readonly SessionEvent[]): readonly SessionEvent[] {
  return new Proxy(snapshot, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d/.test(key)) work.slots += 1
      return Reflect.get(target, key, receiver) as unknown
    },
  })
}

function countFlushes(): void {
  const real = Reflect.get(SessionStore.prototype, 'flush')
  SessionStore.prototype.flush = function flush(this: SessionStore, session) {
    work.flushes += 1
    return real.call(this, session)
  }
}

const sizeOf = (data: unknown): number => (typeof data === 'string' ? Buffer.byteLength(data) : ((data as { byteLength?: number } | null)?.byteLength ?? 0))

async function countFiles(): Promise<void> {
  const probe = await open(devNull, 'r')
  const handle = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  count(handle, 'sync', () => (work.fsyncs += 1))
  count(handle, 'datasync', () => (work.fsyncs += 1))
  for (const name of ['write', 'writeFile', 'appendFile'] as const) count(handle, name, ([data]) => (work.bytes += sizeOf(data)))
  count(fs, 'fsyncSync', () => (work.fsyncs += 1))
  count(fs, 'fdatasyncSync', () => (work.fsyncs += 1))
  count(fs, 'writeSync', ([, data]) => (work.bytes += sizeOf(data)))
  syncBuiltinESMExports()
}

function count(target: object, name: string, note: (args: readonly unknown[]) => void): void {
  const real = Reflect.get(target, name) as (...args: unknown[]) => unknown
  Reflect.set(target, name, function counted(this: unknown, ...args: unknown[]) {
    note(args)
    return real.apply(this, args)
  })
}

function countTimers(): void {
  const { setTimeout: start, clearTimeout: stop } = globalThis
  const counted = (callback: (...args: unknown[]) => void, delay?: number, ...args: unknown[]): NodeJS.Timeout => {
    if (!isSubject()) return start(callback, delay, ...args)
    work.timers += 1
    const timer = start(() => {
      live.delete(timer)
      callback(...args)
    }, delay)
    live.add(timer)
    return timer
  }
  globalThis.setTimeout = Object.assign<typeof counted, typeof start>(counted, start)
  globalThis.clearTimeout = (timer) => {
    live.delete(timer)
    stop(timer)
  }
}

/** Put the counters in place, once per process. SQLite's own writes are not seen. */
export async function installMeter(): Promise<void> {
  Error.stackTraceLimit = 30
  countLogs()
  countFlushes()
  countTimers()
  await countFiles()
}

/** Resolves when nothing has been read, flushed or synchronised for some milliseconds: background work has run out. */
export async function settled(): Promise<void> {
  const pause = globalThis.setTimeout
  for (let before = -1; before !== work.flushes + work.fsyncs + work.copies; ) {
    before = work.flushes + work.fsyncs + work.copies
    await new Promise((resolve) => pause(resolve, 4))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** One measured piece of work. */
export interface Measured {
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Until it resolved. */
  readonly ms: number
  /** Of the whole process, until what it left running has run out. */
  readonly cpuMs: number
  readonly work: Work
}

/** Measure one piece of work, with what it leaves running. @param subject - see `reset`. */
export async function measure(job: () => Promise<unknown>, subject?: RegExp): Promise<Measured> {
  await settled()
  reset(subject)
  const cpu = process.cpuUsage()
  const start = performance.now()
  const startedAt = performance.timeOrigin + start
  await job()
  const ms = performance.now() - start
  await settled()
  const { user, system } = process.cpuUsage(cpu)
  const done = worked()
  reset()
  return { startedAt, ms, cpuMs: (user + system) / 1000, work: done }
}
