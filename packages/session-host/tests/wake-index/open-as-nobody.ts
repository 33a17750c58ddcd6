/** Opens a wake index file as a user without rights and prints the reason for which it cannot be used. */
import { openSqliteStore } from '../../src/wake-index/sqlite-store.ts'
import { StoreUnusable } from '../../src/wake-index/store.ts'

if (process.env['AS_NOBODY'] === '1') {
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}
try {
  openSqliteStore(process.argv[2] ?? '', 1, 50).close()
  process.stdout.write('opened')
} catch (error) {
  process.stdout.write(error instanceof StoreUnusable ? error.reason : String(error))
}
