import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { judge, type Findings } from '../findings.ts'

const BUNDLE = join(import.meta.dirname, '../../packages/timekeeper/lib')
const LEVEL = 9

/** What people download: the bundle as it is built (requirement P5). */
export async function sizes(): Promise<Findings> {
  const files = readdirSync(BUNDLE).filter((name) => name.endsWith('.js'))
  const rows = files.map((name) => {
    const bytes = readFileSync(join(BUNDLE, name))
    return { file: name.replace(/-[\w-]{8}\.js$/, '-….js'), bytes: bytes.length, gzip: gzipSync(bytes, { level: LEVEL }).length, brotli: brotliCompressSync(bytes).length }
  })
  const client = rows.find(({ file }) => file === 'client.js')?.gzip ?? Number.NaN
  return {
    goals: [judge('P5 browser halves together (bytes after gzip)', { below: 30_000 }, client)],
    tables: [{ title: 'The bundle', rows }],
  }
}
