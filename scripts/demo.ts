// npm run demo: the whole story on a real host in a temporary home, told as a timeline; -- --json for machines.
import { unmountBundle } from '../e2e/lib/bundles.ts'
import { makeHome } from '../e2e/lib/home.ts'
import { endHosts } from '../e2e/lib/host.ts'
import { HOME_ZONE, tellStory, type Outcome } from '../e2e/story/story.ts'
import { createTimeline } from '../e2e/story/timeline.ts'

const asJson = process.argv.includes('--json')
const print = (line: string): void => {
  if (!asJson) console.log(line)
}

const tell = async (): Promise<boolean> => {
  const started = performance.now()
  const timeline = createTimeline(HOME_ZONE, print)
  const home = await makeHome()
  let outcome: Outcome | undefined
  try {
    outcome = await tellStory(home, () => unmountBundle(home, 'dsh-timekeeper'), timeline)
  } catch (error) {
    // The step that failed has said why; what is left is to end in order.
    if (timeline.steps.at(-1)?.ok !== false) throw error
  } finally {
    await endHosts()
    home.remove()
  }
  const ok = outcome !== undefined
  const reminders = outcome?.reminders ?? []
  if (asJson) console.log(JSON.stringify({ ok, steps: timeline.steps, reminders }, undefined, 2))
  for (const { id, prompt, scheduledAt, driftMs, deliveries } of reminders) {
    print(`  ${id.padEnd(6)} ${prompt.padEnd(12)} due ${scheduledAt}  ${driftMs === undefined ? 'waiting' : `drift ${driftMs} ms`}  deliveries ${deliveries}`)
  }
  print(`\n${ok ? 'Every step held' : 'The story broke'} (${Math.round((performance.now() - started) / 1000)} s).`)
  return ok
}

process.exitCode = (await tell()) ? 0 : 1
