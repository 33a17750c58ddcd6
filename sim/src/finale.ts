import { SETTLE_MS } from '../../packages/session-host/src/wake-index/decide.ts'
import type { LiveSession } from './live.ts'
import { POLICY } from './reminders.ts'
import { Waiting } from './waiting.ts'
import type { World } from './world.ts'

/** Long after everything that any schedule sets (milliseconds). */
const MUCH_LATER_MS = 31 * 86_400_000

/** Two beats of the index, the time in which a new one settles, and what a first attempt that fails adds (milliseconds). */
const WAKE_MS = 240_000

/** Longer than the lease of a host lasts that nobody can look at, and long enough to take note of that (milliseconds). */
const UNSEEN_WAKE_MS = 900_000

/**
 * The end of a run: nothing goes wrong any more. Everything that is owed has to come, and everything has to end.
 *
 * @param world - after its last step.
 */
export async function finish(world: World): Promise<void> {
  world.heal()
  while (world.gates.size > 0) {
    world.gates.open(0)
    await world.rest()
  }
  world.boot(0, false)
  if (world.index.isDisturbed) await world.pass(2 * SETTLE_MS)
  for (const host of world.running) host.load()
  await world.rest()
  await wakeAll(world)
  await openAll(world)
  await endAll(world)
}

/** T9: what asks for it comes without anybody opening its session. */
async function wakeAll(world: World): Promise<void> {
  world.clock.shift(MUCH_LATER_MS)
  await world.pass(world.spaces.size > 1 ? UNSEEN_WAKE_MS : WAKE_MS)
  for (const live of writers(world)) {
    // What a barrier that failed has stopped comes with the next thing that happens: see docs/reliability.md.
    const reminders = live.isDisturbed ? [] : live.audit.unheard('waiting')
    const unheard = live.agent.isIdle ? [...reminders, ...live.countdownAudit.unread('waiting')] : []
    for (const one of unheard) world.violation(`${live.id}: S30 ${one} is recorded as delivered, and its message waits in the inbox of an idle agent that nobody wakes`)
  }
  const stored = new Waiting(world)
  for (const id of world.disk.logs.keys()) {
    if (world.running.some((host) => host.has(id))) continue
    for (const one of stored.owed(id)) world.violation(`${id}: T9 ${one} asked to be woken for, and its session stays closed`)
  }
}

async function openAll(world: World): Promise<void> {
  const [host] = world.hosts
  for (const id of world.disk.logs.keys()) if (!world.running.some((one) => one.has(id))) host?.open(id)
  for (const live of writers(world)) live.prompt([])
  for (let n = 0; n < 4; n += 1) {
    await world.pass(35_000)
    for (const live of writers(world)) live.poke()
  }
  await world.rest()
  for (const live of writers(world)) {
    const { audit, countdownAudit } = live
    const now = world.clock.wall
    for (const one of [...audit.overdue(now, POLICY.maxUnanswered), ...countdownAudit.overdue(now)]) world.violation(`${live.id}: nothing may be lost, and ${one} never came`)
    for (const one of [...audit.unheard('claimed'), ...countdownAudit.unread('taken')]) world.violation(`${live.id}: S30 ${one} is recorded as delivered, and its message was lost between the inbox and the conversation`)
  }
}

function writers(world: World): LiveSession[] {
  return world.running.flatMap((host) => [...host.sessions.values()])
}

async function endAll(world: World): Promise<void> {
  let open = 0
  for (const host of world.running) {
    open += 1
    const sessions = [...host.sessions.values()].map((live) => host.close(live))
    void Promise.all(sessions)
      .then(() => host.unload(true))
      .then(() => (open -= 1))
  }
  for (let n = 0; n < 5; n += 1) await world.rest()
  if (open > 0) world.violation(`S29 ${open} hosts do not end`)
  for (const host of world.running) {
    if (host.alarm.size > 0 || host.alarm.running || world.clock.running(host) > 0) world.violation(`S29 ${host.alarm.size} alarms and ${world.clock.running(host)} timers are left`)
  }
  if (world.gates.size > 0) world.violation(`S29 ${world.gates.size} promises are left`)
}
