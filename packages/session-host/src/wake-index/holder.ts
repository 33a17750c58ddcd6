import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A host as other hosts can recognise it, also after its death. Texts are empty where the system does not tell. */
export interface Holder {
  /** Random, one per root context of a process. */
  readonly hostId: string
  readonly pid: number
  /** When the process started, in the system's own unit: a process id that is used again does not match. */
  readonly started: string
  /** Host name and machine id. */
  readonly machine: string
  /** Changes with each start of the machine. */
  readonly boot: string
  /** Name space of process ids: containers on one machine do not see each other's processes. */
  readonly space: string
}

/** What is known of a holder: it has ended, it runs, or it cannot be looked at from here. */
export type Verdict = 'gone' | 'running' | 'unseen'

/** The system calls that recognising a process needs. */
export interface ProcessSystem {
  /** @returns the text, or `undefined` when there is no such file or it may not be read. */
  read(path: string): string | undefined
  /** @returns the target, or `undefined`. */
  readLink(path: string): string | undefined
  /** Whether the id belongs to a process, ours to signal or not. */
  exists(pid: number): boolean
}

/** The real system. `/proc` exists on Linux only; elsewhere the texts are empty and holders are judged by their lease. */
export const PROCESSES: ProcessSystem = {
  read: (path) => quietly(() => readFileSync(path, 'utf8')),
  readLink: (path) => quietly(() => readlinkSync(path)),
  exists(pid) {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH'
    }
  },
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const ids = new WeakMap<object, string>()
const open = new Set<string>()

/**
 * This process as a holder. A plugin that is unloaded and loaded again on the same root gets the same identity:
 * its sessions have stayed live in between, so their leases are still its own.
 *
 * @param root - root context of the host; two roots in one process are two hosts.
 * @param system - system calls.
 */
export function thisHolder(root: object, system: ProcessSystem = PROCESSES): Holder {
  const hostId = ids.get(root) ?? randomUUID()
  ids.set(root, hostId)
  open.add(hostId)
  return {
    hostId,
    pid: process.pid,
    started: startOf(process.pid, system) ?? '',
    machine: `${hostname()} ${(system.read('/etc/machine-id') ?? '').trim()}`,
    boot: (system.read('/proc/sys/kernel/random/boot_id') ?? '').trim(),
    space: system.readLink('/proc/self/ns/pid') ?? '',
  }
}

/** The host of this holder is shutting down: other roots of the same process may take its sessions over. */
export function leave(holder: Holder): void {
  open.delete(holder.hostId)
}

/**
 * Whether another holder's process still runs. Only what is certain is called `gone` or `running`.
 *
 * @param holder - who holds a lease.
 * @param me - this host.
 * @param system - system calls.
 */
export function verdictOf(holder: Holder, me: Holder, system: ProcessSystem = PROCESSES): Verdict {
  if (holder.machine !== me.machine) return 'unseen'
  if (holder.boot !== me.boot) return holder.boot === '' || me.boot === '' ? 'unseen' : 'gone'
  if (holder.space !== me.space) return 'unseen'
  if (holder.pid === me.pid && holder.started === me.started) return open.has(holder.hostId) ? 'running' : 'gone'
  const started = startOf(holder.pid, system)
  if (started === undefined) return 'gone'
  if (started === '' || holder.started === '') return 'unseen'
  return started === holder.started ? 'running' : 'gone'
}

/**
 * The same as seen from a program that is no host.
 *
 * @param holder - who holds a lease.
 * @param system - system calls.
 */
export function verdictFromOutside(holder: Holder, system: ProcessSystem = PROCESSES): Verdict {
  return verdictOf(holder, thisHolder({}, system), system)
}

/** @returns `undefined` when no such process runs, an empty text when it runs and its start cannot be told. */
function startOf(pid: number, system: ProcessSystem): string | undefined {
  const stat = system.read(`/proc/${pid}/stat`)
  if (stat === undefined) return system.exists(pid) ? '' : undefined
  // The name in parentheses may itself hold spaces and parentheses; state is field 3 and start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const isDead = fields[0] === 'Z' || fields[0] === 'X' // killed, and not yet collected by its parent
  return isDead ? undefined : (fields[19] ?? '')
}
