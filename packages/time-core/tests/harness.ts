import { formatInstant, parseCron, parseZone, type Cron, type Fire, type Instant, type ZoneName } from '../src/index.ts'

/** An instant from its ISO text; a typing error in a test fails at once. */
export function at(iso: string): Instant {
  const instant = Date.parse(iso)
  if (Number.isNaN(instant)) throw new Error(`not an instant: ${iso}`)
  return instant
}

/** A zone that must exist. */
export function zone(name: string): ZoneName {
  const found = parseZone(name)
  if (found === undefined) throw new Error(`no such zone: ${name}`)
  return found
}

/** A cron expression that must be valid. */
export function cron(text: string): Cron {
  const parse = parseCron(text)
  if (!parse.ok) throw new Error(parse.refusal.code)
  return parse.cron
}

/** A fire as one readable text: the UTC time to the minute, and what was special about it. */
export function shown(fire: Fire | undefined): string {
  if (fire === undefined) return 'none'
  const moved = fire.moved ? ` moved from ${fire.moved.from}` : ''
  return formatInstant(fire.instant).replace(/:00\.000Z$/, 'Z') + moved + (fire.repeated ? ' repeated' : '')
}

/** The least CPU time of three runs in milliseconds, so that a busy machine does not fail a speed test. */
export function cpuTime(job: () => unknown): number {
  const once = (): number => {
    const start = process.cpuUsage()
    job()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
  return Math.min(once(), once(), once())
}
