import { nextFire, parseCron, parseZone, previousFire } from 'dsh-time-core'
import type { Findings } from '../findings.ts'
import { summarize } from '../stats.ts'

const RULES: readonly (readonly [string, string, string])[] = [
  ['each minute', '* * * * *', 'UTC'],
  ['workdays at nine', '0 9 * * 1-5', 'Europe/Berlin'],
  ['half an hour that clocks skip', '30 2 * * *', 'America/New_York'],
  ['29 February', '0 0 29 2 *', 'Asia/Shanghai'],
  ['never', '0 0 31 2 *', 'UTC'],
]
const RUNS = 200

/** How long the next and the previous fire of a rule take to be found; nobody else on this host has rules. */
export async function cron(isQuick: boolean): Promise<Findings> {
  const rows = RULES.map(([what, text, place]) => {
    const parsed = parseCron(text)
    const zone = parseZone(place)
    if (!parsed.ok || zone === undefined) return { rule: what, cron: text, zone: place, 'next (µs)': '–', 'p99 ': '–', 'previous (µs)': '–', p99: '–' }
    const time = (find: (from: number) => unknown): readonly number[] =>
      Array.from({ length: isQuick ? RUNS : 5 * RUNS }, (_, index) => {
        const from = 1_790_000_000_000 + index * 7_654_321
        const start = performance.now()
        find(from)
        return 1000 * (performance.now() - start)
      })
    const [next, previous] = [nextFire, previousFire].map((find) => summarize(time((from) => find(parsed.cron, zone, from))))
    return { rule: what, cron: text, zone: place, 'next (µs)': next?.median ?? '–', 'p99 ': next?.p99 ?? '–', 'previous (µs)': previous?.median ?? '–', p99: previous?.p99 ?? '–' }
  })
  return { goals: [], tables: [{ title: 'Cron: the next and the previous fire', rows }] }
}
