/**
 * One host of the race: claims what is due, reports `C session fence` for each claim and `D session fence` for each
 * delivery, until nothing is left. With a third argument it kills itself after so many claims, in the middle of one.
 */
import { readSync, writeSync } from 'node:fs'
import { isFree, LEASE_MS } from '../../src/wake-index/decide.ts'
import { thisHolder, verdictOf } from '../../src/wake-index/holder.ts'
import { openSqliteStore } from '../../src/wake-index/sqlite-store.ts'

const [path = '', dieAfter = 'never'] = process.argv.slice(2)
const store = openSqliteStore(path, Date.now(), 5000)
const me = thisHolder({})
const steady = { since: Date.now(), last: Date.now() }
let claims = 0
const still = new Int32Array(new SharedArrayBuffer(4))

writeSync(1, 'R\n')
while (readSync(0, Buffer.alloc(1)) === 0); // all start together, when the test says so

for (let rows = store.due(1000); rows.length > 0; rows = store.due(1000)) {
  const judge = { now: Date.now(), steady, hostId: me.hostId, verdict: ({ holder }: { holder: typeof me }) => verdictOf(holder, me) }
  const row = rows.find(({ lease }) => isFree(lease, judge))
  if (row === undefined) continue
  const fence = store.take(row.sessionId, me, Date.now() + LEASE_MS, row.lease?.fence)
  if (fence === undefined) continue
  claims += 1
  writeSync(1, `C ${row.sessionId} ${fence}\n`)
  // A session that was free may have been served since it was seen: only what is owed under the lease counts.
  if (store.owed(row.sessionId).size === 0) {
    store.release(row.sessionId, fence)
    continue
  }
  if (String(claims) === dieAfter) process.kill(process.pid, 'SIGKILL')
  if (store.put(row.sessionId, row.kind, undefined, fence)) writeSync(1, `D ${row.sessionId} ${fence}\n`)
  store.release(row.sessionId, fence)
  // SQLite's wait for a lock is not fair: without a pause the others may starve.
  Atomics.wait(still, 0, 0, 2)
}
store.close()
