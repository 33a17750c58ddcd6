import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Instant } from 'dsh-time-core'
import type { Holder } from './holder.ts'
import type { StoreFiles } from './slot.ts'
import { BUSY_TIMEOUT_MS, identityOf, openFile, openFileForReading, setAside, transact, unusable } from './sqlite-file.ts'
import { birthOf, type Lease, type LogMark, type Owed, type OwedRow, type WakeStore } from './store.ts'

/** A row of the lease table; its columns are null in a join that found none. */
interface LeaseColumns {
  readonly host_id: string | null
  readonly pid: number
  readonly started: string
  readonly machine: string
  readonly boot: string
  readonly space: string
  readonly until: number
  readonly fence: number
}

interface OwedColumns extends LeaseColumns {
  readonly session_id: string
  readonly kind: string
  readonly due_at: number
}

const LEASE = 'host_id, pid, started, machine, boot, space, until, fence'

/** Statements by name; each is compiled once. */
const STATEMENTS = {
  due: `SELECT owed.session_id AS session_id, kind, due_at, ${LEASE} FROM owed LEFT JOIN lease ON lease.session_id = owed.session_id WHERE due_at <= ? ORDER BY due_at`,
  nextDue: 'SELECT min(due_at) AS due_at FROM owed WHERE due_at > ?',
  owed: 'SELECT kind, due_at FROM owed WHERE session_id = ?',
  owing: 'SELECT DISTINCT session_id FROM owed',
  lease: `SELECT ${LEASE} FROM lease WHERE session_id = ?`,
  leases: `SELECT session_id, ${LEASE} FROM lease`,
  counter: 'SELECT fence FROM counter',
  fence: 'UPDATE counter SET fence = fence + 1 RETURNING fence',
  take: `INSERT OR REPLACE INTO lease (session_id, ${LEASE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  renew: 'UPDATE lease SET until = ? WHERE host_id = ?',
  release: 'DELETE FROM lease WHERE session_id = ?',
  // The condition leaves the page alone when nothing changes: no frame is written, and nothing waits for the disk.
  put: 'INSERT INTO owed (session_id, kind, due_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET due_at = excluded.due_at WHERE due_at IS NOT excluded.due_at',
  remove: 'DELETE FROM owed WHERE session_id = ? AND kind = ?',
  end: 'DELETE FROM owed WHERE session_id = ?',
  marks: 'SELECT session_id, revision, kinds FROM log',
  mark: 'INSERT OR REPLACE INTO log (session_id, revision, kinds) VALUES (?, ?, ?)',
  unmark: 'DELETE FROM log WHERE session_id = ?',
} as const

type Statements = { readonly [Name in keyof typeof STATEMENTS]: StatementSync }

/**
 * The store in a file that all hosts of a home share. A write is on the disk when the call returns.
 *
 * @param path - absolute path. Not on a network disk: the file's locks and shared memory do not work there.
 * @param now - the wall clock; used when the file is new.
 * @param timeoutMs - how long a write waits for another host, with this host's event loop blocked.
 * @throws StoreUnusable
 */
export function openSqliteStore(path: string, now: Instant, timeoutMs: number = BUSY_TIMEOUT_MS): WakeStore {
  return storeOf(path, openFile(path, now, timeoutMs))
}

/** What an index holds at one moment. */
export interface WakeRows {
  /** Earliest first, each with the lease of its session. */
  readonly owed: readonly OwedRow[]
  readonly leases: ReadonlyMap<string, Lease>
}

/**
 * Look into the file from a program that is no host. Nothing is written, no lease is taken, and hosts that use the file
 * are not disturbed.
 *
 * @param path - absolute path.
 * @returns `undefined` where there is no index.
 * @throws StoreUnusable
 */
export function readWakeIndex(path: string): WakeRows | undefined {
  const file = openFileForReading(path)
  if (file === undefined) return undefined
  const store = storeOf(path, file)
  try {
    return { owed: store.due(Number.MAX_SAFE_INTEGER), leases: store.leases() }
  } finally {
    store.close()
  }
}

function storeOf(path: string, file: DatabaseSync): WakeStore {
  try {
    const statements = Object.fromEntries(Object.entries(STATEMENTS).map(([name, sql]) => [name, file.prepare(sql)]))
    return new SqliteStore(path, file, statements as Statements)
  } catch (error) {
    file.close()
    throw unusable(path, error)
  }
}

/** The files of a real home. */
export const SQLITE_FILES: StoreFiles = { open: openSqliteStore, identityOf, setAside }

class SqliteStore implements WakeStore {
  readonly #path: string
  readonly #file: DatabaseSync
  readonly #sql: Statements
  readonly #identity: string | undefined

  constructor(path: string, file: DatabaseSync, sql: Statements) {
    this.#path = path
    this.#file = file
    this.#sql = sql
    this.#identity = identityOf(path)
  }

  due(now: Instant): readonly OwedRow[] {
    return this.#all<OwedColumns>('due', now).map((row) => ({ sessionId: row.session_id, kind: row.kind, dueAt: row.due_at, lease: leaseOf(row) }))
  }

  nextDue(after: Instant): Instant | undefined {
    return this.#all<{ due_at: number | null }>('nextDue', after)[0]?.due_at ?? undefined
  }

  owed(sessionId: string): ReadonlyMap<string, Instant> {
    return new Map(this.#all<OwedColumns>('owed', sessionId).map((row) => [row.kind, row.due_at]))
  }

  owing(): ReadonlySet<string> {
    return new Set(this.#all<OwedColumns>('owing').map((row) => row.session_id))
  }

  lease(sessionId: string): Lease | undefined {
    return leaseOf(this.#all<LeaseColumns>('lease', sessionId)[0])
  }

  leases(): ReadonlyMap<string, Lease> {
    const rows = this.#all<LeaseColumns & { session_id: string }>('leases')
    return new Map(rows.map((row) => [row.session_id, leaseOf(row) as Lease]))
  }

  take(sessionId: string, { hostId, pid, started, machine, boot, space }: Holder, until: Instant, expected: number | undefined): number | undefined {
    return this.#fenced(sessionId, expected, undefined, () => {
      const { fence } = this.#sql.fence.get() as { fence: number }
      this.#sql.take.run(sessionId, hostId, pid, started, machine, boot, space, until, fence)
      return fence
    })
  }

  renew(hostId: string, until: Instant): void {
    this.#guarded(() => this.#sql.renew.run(until, hostId))
  }

  release(sessionId: string, fence: number): boolean {
    return this.#fenced(sessionId, fence, false, () => this.#sql.release.run(sessionId).changes === 1)
  }

  put(sessionId: string, kind: string, dueAt: Instant | undefined, expected: number | undefined): boolean {
    return this.#fenced(sessionId, expected, false, () => this.#write(sessionId, kind, dueAt))
  }

  marks(): ReadonlyMap<string, LogMark> {
    const rows = this.#all<{ session_id: string; revision: string; kinds: string }>('marks')
    return new Map(rows.map((row) => [row.session_id, { revision: row.revision, kinds: row.kinds.split(',') }]))
  }

  mark(marks: ReadonlyMap<string, LogMark>): void {
    if (marks.size > 0) this.#transact(() => marks.forEach((mark, id) => this.#mark(id, mark)))
  }

  correct(sessionId: string, owed: Owed, mark: LogMark, expected: number | undefined): boolean {
    return this.#fenced(sessionId, expected, false, () => {
      for (const [kind, dueAt] of owed) this.#write(sessionId, kind, dueAt)
      return this.#mark(sessionId, mark)
    })
  }

  end(sessionId: string, expected: number | undefined): boolean {
    return this.#fenced(sessionId, expected, false, () => this.#end(sessionId))
  }

  forget(sessionId: string, expected: number | undefined): boolean {
    return this.#fenced(sessionId, expected, false, () => {
      this.#sql.unmark.run(sessionId)
      return this.#end(sessionId)
    })
  }

  bornAt(): Instant {
    return this.#guarded(() => birthOf((this.#sql.counter.get() as { fence: number }).fence))
  }

  isCurrent(): boolean {
    return identityOf(this.#path) === this.#identity
  }

  close(): void {
    try {
      this.#file.close()
    } catch {
      // A broken file cannot be closed any better; the handle is gone either way.
    }
  }

  #write(sessionId: string, kind: string, dueAt: Instant | undefined): true {
    if (dueAt === undefined) this.#sql.remove.run(sessionId, kind)
    else this.#sql.put.run(sessionId, kind, dueAt)
    return true
  }

  #mark(sessionId: string, { revision, kinds }: LogMark): true {
    this.#sql.mark.run(sessionId, revision, kinds.join(','))
    return true
  }

  #end(sessionId: string): true {
    this.#sql.end.run(sessionId)
    this.#sql.release.run(sessionId)
    return true
  }

  #fenced<T, F>(sessionId: string, expected: number | undefined, refused: F, job: () => T): T | F {
    return this.#transact(() => {
      const stands = this.#sql.lease.get(sessionId) as LeaseColumns | undefined
      return stands?.fence === expected ? job() : refused
    })
  }

  #all<Row>(name: keyof Statements, ...values: SQLInputValue[]): Row[] {
    return this.#guarded(() => this.#sql[name].all(...values) as Row[])
  }

  #transact<T>(job: () => T): T {
    return this.#guarded(() => transact(this.#file, job))
  }

  #guarded<T>(job: () => T): T {
    try {
      return job()
    } catch (error) {
      throw unusable(this.#path, error)
    }
  }
}

function leaseOf(row: LeaseColumns | undefined): Lease | undefined {
  if (row === undefined || row.host_id === null) return undefined
  const { host_id: hostId, pid, started, machine, boot, space, until, fence } = row
  return { holder: { hostId, pid, started, machine, boot, space }, until, fence }
}
