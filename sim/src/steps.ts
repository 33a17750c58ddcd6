import type { IndexFault } from './index-file.ts'
import { randomOf, type Random } from './random.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** What is wanted of a countdown. */
export interface CountdownWish {
  readonly tool: 'countdown'
  readonly action: 'start' | 'snooze' | 'cancel' | 'list'
  readonly name: string
  readonly seconds: number
  readonly onFire?: 'wake' | 'inject'
}

/** What is wanted of reminders: the tool and its arguments; `pick` chooses among the ids that exist. */
export type ReminderWish =
  | { readonly tool: 'create'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly tool: 'delete' | 'snooze'; readonly pick: number; readonly seconds: number }
  | { readonly tool: 'list' }

/** What a person asks for in a message. */
export type Wish = ReminderWish | CountdownWish

/** One thing that happens. `host` and `session` are taken modulo what there is, so that steps can be left out. */
export type Step = {
  /** Decides everything that is left to chance while this step runs. */
  readonly salt: number
  readonly host: number
  readonly session: number
} & Happening

type Happening =
  | { readonly kind: 'prompt'; readonly wishes: readonly Wish[] }
  | { readonly kind: 'pass' | 'set-clock' | 'block'; readonly ms: number }
  | { readonly kind: 'release' | 'foreign-delete'; readonly pick: number }
  /** Share of the awaits that stay open until something releases them (per cent). */
  | { readonly kind: 'hold'; readonly share: number }
  | { readonly kind: 'disk'; readonly fault: 'reject' | 'partial' | 'lost-answer' }
  /** After that many more appends and awaits of the host; 0 is at once. */
  | { readonly kind: 'crash'; readonly after: number }
  /** Before one of the next writes of the host to the index. */
  | { readonly kind: 'crash-in-index'; readonly after: number }
  /** `apart`: in a container of its own, where the other host's processes are not seen. */
  | { readonly kind: 'boot'; readonly apart?: boolean }
  /** `restart`: of the whole machine. `leave`: of a host, in order. */
  /** `slowly`: another plugin takes its time. */
  | { readonly kind: 'close'; readonly slowly?: boolean }
  | { readonly kind: 'open' | 'fork' | 'cancel' | 'maintenance' | 'new' | 'poke-storm' | 'unload' | 'load' | 'restart' | 'leave' }
  | { readonly kind: 'index'; readonly fault: IndexFault }
  | { readonly kind: 'command'; readonly wish: CountdownWish }
  | { readonly kind: 'foreign-every'; readonly seconds: number }

const WEIGHTS: readonly (readonly [weight: number, make: (random: Random) => Happening])[] = [
  [22, (random) => ({ kind: 'prompt', wishes: wishes(random) })],
  [16, (random) => ({ kind: 'pass', ms: random.pick([SECOND, 7 * SECOND, 31 * SECOND, 2 * MINUTE, 6 * MINUTE, 11 * MINUTE]) })],
  [4, (random) => ({ kind: 'set-clock', ms: random.pick([-2 * HOUR, -5 * MINUTE, -30 * SECOND, -SECOND, 40 * SECOND, 10 * MINUTE, 3 * HOUR, 30 * 24 * HOUR]) })],
  [2, (random) => ({ kind: 'block', ms: random.pick([3 * SECOND, 90 * SECOND]) })],
  [10, (random) => ({ kind: 'release', pick: random.below(8) })],
  [5, (random) => ({ kind: 'hold', share: random.pick([0, 0, 30, 80]) })],
  [5, (random) => ({ kind: 'disk', fault: random.pick(['reject', 'partial', 'lost-answer']) })],
  [8, (random) => ({ kind: 'crash', after: random.pick([0, 1, 2, 3, 4, 5, 6, 8, 12, 20]) })],
  [2, (random) => ({ kind: 'crash-in-index', after: random.pick([0, 1, 2, 3, 5, 8]) })],
  [8, (random) => ({ kind: 'boot', ...(random.chance(0.15) && { apart: true }) })],
  [1, () => ({ kind: 'restart' })],
  [2, () => ({ kind: 'leave' })],
  [8, () => ({ kind: 'open' })],
  [6, (random) => ({ kind: 'close', ...(random.chance(0.5) && { slowly: true }) })],
  [2, () => ({ kind: 'fork' })],
  [2, () => ({ kind: 'cancel' })],
  [8, () => ({ kind: 'maintenance' })],
  [2, () => ({ kind: 'new' })],
  [4, (random) => ({ kind: 'index', fault: random.pick(['lose', 'keep', 'keep', 'put-back', 'damage', 'lock', 'refuse']) })],
  [2, (random) => ({ kind: 'command', wish: countdown(random) })],
  [4, () => ({ kind: 'poke-storm' })],
  [1, () => ({ kind: 'unload' })],
  [2, () => ({ kind: 'load' })],
  [2, (random) => ({ kind: 'foreign-delete', pick: random.below(8) })],
  [1, (random) => ({ kind: 'foreign-every', seconds: 300 + random.below(3) * 60 })],
]

const TOTAL = WEIGHTS.reduce((sum, [weight]) => sum + weight, 0)

/**
 * The schedule that a seed stands for.
 *
 * @param seed - any whole number.
 */
export function scheduleOf(seed: number): readonly Step[] {
  const random = randomOf(seed)
  return Array.from({ length: 10 + random.below(50) }, () => ({
    salt: random.below(2 ** 31),
    // One host does most; the other is there to be in its way.
    host: random.chance(0.8) ? 0 : 1,
    session: random.below(4),
    ...happening(random),
  }))
}

function happening(random: Random): Happening {
  let left = random.below(TOTAL)
  for (const [weight, make] of WEIGHTS) {
    if (left < weight) return make(random)
    left -= weight
  }
  return { kind: 'load' }
}

function wishes(random: Random): Wish[] {
  // Now and then a heap of equal instants, which is more than one message may hold.
  if (random.chance(0.04)) return Array.from({ length: 23 }, (_, index) => ({ tool: 'create', args: { prompt: `heap ${index}`, after_seconds: 30 } }))
  return Array.from({ length: random.below(4) }, () => wish(random))
}

function wish(random: Random): Wish {
  const pick = random.below(6)
  const seconds = random.pick([1, 20, 45, 300])
  return random.pick<Wish>([create(random), create(random), create(random), { tool: 'delete', pick, seconds }, { tool: 'snooze', pick, seconds }, { tool: 'list' }, countdown(random), countdown(random)])
}

function countdown(random: Random): CountdownWish {
  const onFire = random.pick([undefined, undefined, 'wake', 'inject'] as const)
  return { tool: 'countdown', action: random.pick(['start', 'start', 'start', 'snooze', 'snooze', 'cancel', 'list']), name: random.pick(['tea', 'nap', 'oven']), seconds: random.pick([1, 5, 29, 60, 240, 3600]), ...(onFire !== undefined && { onFire }) }
}

function create(random: Random): Wish {
  const prompt = `do ${random.below(1000)}`
  const options = { ...(random.chance(0.3) && { late_limit_seconds: random.pick([10, 120, 3600]) }), ...(random.chance(0.4) && { wake: true }) }
  const ends = { ...(random.chance(0.3) && { count: 1 + random.below(3) }) }
  return random.pick<Wish>([
    { tool: 'create', args: { prompt, after_seconds: random.pick([1, 5, 29, 60, 240, 3600, 2_592_000]), ...options } },
    { tool: 'create', args: { prompt, after_seconds: random.pick([1, 5, 29, 60]), ...options } },
    { tool: 'create', args: { prompt, every_seconds: random.pick([300, 420]), ...options, ...ends } },
    { tool: 'create', args: { prompt, cron: '*/30 * * * *', time_zone: 'UTC', ...options, ...ends } },
  ])
}
