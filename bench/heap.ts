import type { Extra } from './logs.ts'
import { mountHost } from './host.ts'
import { makeLog, reminders } from './logs.ts'
import { median } from './stats.ts'
import { clocks, SCHEDULES } from './subjects.ts'

// Heap per live session, in a process of its own: what each further group of sessions adds, the median of the groups. Prints
// kilobytes. Words: subject, reminders per session, plugins.
const [name = '', count = '', plugins = ''] = process.argv.slice(2)
const EVENTS = 1000
const GROUP = 8
/** The first group also pays for code that is compiled along the way, which belongs to no session; it does not count. */
const GROUPS = 4
const MONTH_MS = 30 * 86_400_000

async function clean(): Promise<number> {
  for (let number = 0; number < 6; number += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
  return process.memoryUsage().heapUsed
}

const host = await mountHost()
for (const [plugin, subjects] of [['reminders', SCHEDULES], ['clock', clocks('cron')]] as const) {
  if (plugins.includes(plugin)) await subjects.find((subject) => subject.name === name)?.mount(host.ctx, host.root)
}
const extras = (): Extra[] => reminders(Number(count), (index) => Date.now() + MONTH_MS + index * 1000)
const heaps: number[] = []
for (let group = 0; group < GROUPS; group += 1) {
  for (let number = 0; number < GROUP; number += 1) {
    const { agent } = await host.create(`s${group}-${number}`, await makeLog(EVENTS, extras()))
    await host.ctx.sessions.flush(agent.session)
  }
  heaps.push(await clean())
}
const added = heaps.slice(1).map((heap, index) => heap - (heaps[index] ?? Number.NaN))
await host.dispose()
await new Promise((resolve) => process.stdout.write(`${median(added) / 1024 / GROUP}\n`, resolve))
process.exit(0)
