import type { Random } from './random.ts'

/** A cron rule as look-up tables, read from the raw text by a reader of its own. */
export interface OracleRule {
  readonly text: string
  readonly intervalLike: boolean
  matches(wall: number): boolean
}

const DAY = 86_400_000
const NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** Reads a valid five-field expression. */
export function oracleRule(text: string): OracleRule {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = text.split(' ')
  const [minutes, hours, days, months] = [table(minute, 0, 59), table(hour, 0, 23), table(day, 1, 31), table(month, 1, 12)]
  const weekdays = table(weekday, 0, 6)
  weekdays[0] ||= weekdays[7] ?? false
  const lastDay = day.split(',').includes('L')
  const either = day[0] !== '*' && weekday[0] !== '*'
  const matches = (wall: number): boolean => {
    // The time of day first, by arithmetic: most readings fail here.
    const minuteOfDay = Math.floor((((wall % DAY) + DAY) % DAY) / 60_000)
    if (!minutes[minuteOfDay % 60] || !hours[Math.floor(minuteOfDay / 60)]) return false
    const date = new Date(wall)
    if (!months[date.getUTCMonth() + 1]) return false
    const isLast = new Date(wall + DAY).getUTCDate() === 1
    const onDate = Boolean(days[date.getUTCDate()]) || (lastDay && isLast)
    const onWeekday = Boolean(weekdays[date.getUTCDay()])
    return either ? onDate || onWeekday : onDate && onWeekday
  }
  return { text, intervalLike: /[*/]/.test(minute + hour), matches }
}

function table(field: string, low: number, high: number): boolean[] {
  const marks: boolean[] = []
  for (const item of field.split(',').filter(part => part !== 'L')) {
    const [range = '', step = '1'] = item.split('/')
    const [from = '', to = from] = range === '*' ? [String(low), String(high)] : range.split('-')
    for (let value = number(from); value <= number(to); value += Number(step)) marks[value] = true
  }
  return marks
}

function number(text: string): number {
  const name = NAMES.indexOf(text)
  if (name === -1) return Number(text)
  return name < 7 ? name : name - 6
}

/** A random expression that is likely to have something to do near `wall`. */
export function randomExpression(random: Random, wall: number): string {
  const choose = (...options: [() => string, ...(() => string)[]]): string => random.pick(options)()
  const date = new Date(wall)
  const near = (value: number, size: number): number => (value + random.below(5) - 2 + size) % size
  const [hourNow, dayNow, monthNow, weekdayNow] = [date.getUTCHours(), date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay()]
  const minute = choose(
    () => String(random.pick([0, 1, 15, 29, 30, 31, 44, 45, 59])),
    () => `${random.below(30)},${30 + random.below(30)}`,
    () => `*/${1 + random.below(59)}`,
    () => `${random.below(20)}-${20 + random.below(40)}`,
    () => `${random.below(20)}-${20 + random.below(40)}/${1 + random.below(20)}`,
    () => '*',
  )
  const hour = choose(
    () => String(near(hourNow, 24)),
    () => String(near(hourNow, 24)),
    () => `${near(hourNow, 24)},${random.below(24)}`,
    () => `${random.below(hourNow + 1)}-${hourNow + random.below(24 - hourNow)}`,
    () => `${random.below(hourNow + 1)}-${hourNow + random.below(24 - hourNow)}/${1 + random.below(6)}`,
    () => `*/${1 + random.below(12)}`,
    () => '*',
    () => '*',
  )
  const day = choose(
    () => '*',
    () => '*',
    () => '*',
    () => String(dayNow),
    () => `${random.below(dayNow) + 1}-${dayNow}`,
    () => `*/${1 + random.below(6)}`,
    () => random.pick(['L', '15,L', '1-31', '31', '29-31/2']),
  )
  const month = choose(
    () => '*',
    () => '*',
    () => String(monthNow),
    () => `*/${1 + random.below(4)}`,
    () => random.pick(['JAN-DEC', '1-6', 'MAR,OCT', '2-12/2']),
  )
  const weekday = choose(
    () => '*',
    () => '*',
    () => '*',
    () => String(weekdayNow),
    () => random.pick(['0', '7', '1-5', '5-7', 'MON-FRI', 'SUN', 'SAT,SUN', '0-7', '1-6/2']),
    () => `*/${1 + random.below(6)}`,
  )
  return [minute, hour, day, month, weekday].join(' ')
}
