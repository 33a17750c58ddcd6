import { expect, it } from 'vitest'
import { nextFire, parseCron, previousFire, type Cron } from '../../src/index.ts'
import { seeded, type Random } from '../oracle/random.ts'
import { oracleRule } from '../oracle/rule.ts'
import { zone } from '../harness.ts'

const DAY = 86_400_000

/** A rule with one time of day and narrow dates, so that its fires lie far apart. */
function seldomExpression(random: Random): string {
  const minute = random.below(60)
  const hour = random.below(24)
  const day = random.pick(['*', '*/9', String(28 + random.below(4)), `${random.below(28) + 1}`, 'L', '29', '30-31', '1-31'])
  const month = random.pick(['*', '2', 'FEB', '2,4', '6-9', '*/5', String(random.below(12) + 1)])
  const weekday = random.pick(['*', '*', String(random.below(8)), '*/4', 'MON,WED', '1-7'])
  return `${minute} ${hour} ${day} ${month} ${weekday}`
}

/** Walks the calendar day by day in UTC until the rule matches at its time of day. */
function byDays(rule: Cron, pivot: number, direction: 1 | -1): number {
  const { matches } = oracleRule(rule.text)
  const time = (rule.hours[0]! * 60 + rule.minutes[0]!) * 60_000
  for (let day = Math.floor(pivot / DAY) * DAY; ; day += direction * DAY) {
    if ((day + time - pivot) * direction > 0 && matches(day + time)) return day + time
  }
}

it('T2 rules that fire seldom agree with a walk through the calendar day by day, both ways', () => {
  const random = seeded(20_261_009)
  const wrong: string[] = []
  let compared = 0
  for (let count = 0; count < 400; count += 1) {
    const parse = parseCron(seldomExpression(random))
    if (!parse.ok) continue
    const pivot = Date.UTC(1900, 0, 1) + random.below(80_000) * DAY + random.below(DAY)
    const next = nextFire(parse.cron, zone('UTC'), pivot)?.instant
    const previous = previousFire(parse.cron, zone('UTC'), pivot)?.instant
    compared += 1
    if (next !== byDays(parse.cron, pivot, 1) || previous !== byDays(parse.cron, pivot, -1)) {
      wrong.push(`'${parse.cron.text}' at ${new Date(pivot).toISOString()}`)
    }
  }
  expect(wrong).toEqual([])
  expect(compared).toBeGreaterThan(300)
})
