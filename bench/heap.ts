import type { Extra } from './logs.ts'
import { mountHost } from './host.ts'
import { makeLog, reminders } from './logs.ts'
import { clocks, SCHEDULES } from './subjects.ts'

// Heap per live session, in a process of its own. Prints kilobytes. Words: subject, reminders per session,
// plugins.
const [name = '', count = '', plugins = ''] = process.argv.slice(2)
const SESSIONS = 20
const EVENTS = 1000
const WARM_UP = 5
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
// Code that is compiled along the way belongs to no session: whoever is measured has opened some before.
for (let number = 0; number < WARM_UP; number += 1) {
  const warm = await host.create(`warm${number}`, await makeLog(EVENTS))
  await host.ctx.sessions.flush(warm.agent.session)
  await warm.dispose()
}
const before = await clean()
const extras = (): Extra[] => reminders(Number(count), (index) => Date.now() + MONTH_MS + index * 1000)
for (let number = 0; number < SESSIONS; number += 1) {
  const { agent } = await host.create(`s${number}`, await makeLog(EVENTS, extras()))
  await host.ctx.sessions.flush(agent.session)
}
const bytes = (await clean()) - before
await host.dispose()
await new Promise((resolve) => process.stdout.write(`${bytes / 1024 / SESSIONS}\n`, resolve))
process.exit(0)
