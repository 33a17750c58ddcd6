// Preloaded into a host, so that a document can show a day in a minute: the time is what a file says, and stands still
// until the file says something else. Only Date is replaced; timers run as ever.
import { readFileSync } from 'node:fs'

const file = process.env['CLOCK_DOC_TIME'] ?? ''
const now = (): number => Number(readFileSync(file, 'utf8'))

globalThis.Date = new Proxy(Date, {
  construct: (real, parts: unknown[], self) => Reflect.construct(real, parts.length === 0 ? [now()] : parts, self) as object,
  get: (real, name, self) => (name === 'now' ? now : (Reflect.get(real, name, self) as unknown)),
})
