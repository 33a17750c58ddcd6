import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { formatInstant, formatZoned, plainLine, type Instant, type ZoneName } from 'dsh-time-core'
import type { Countdown, Countdowns } from '../countdowns/fold.ts'
import { parseCountdownWish, resolveWhen, type CountdownWish } from '../countdowns/input.ts'
import { COUNTDOWN_ACTIONS, COUNTDOWN_TOOL, countdownMeta, ON_FIRE } from '../countdowns/protocol.ts'
import { viewCountdowns } from '../countdowns/view.ts'
import { isRefusal, refuse } from '../errors.ts'
import { stamp } from '../frame.ts'
import { shortDuration } from '../words.ts'
import { defineTimeTool, type Answer, type PortOf, type ToolPort } from './definition.ts'

/** What the tool of one session works with. */
export interface CountdownToolPort extends ToolPort {
  readonly countdowns: Countdowns
  now(): Instant
  zone(): ZoneName
  /** Why a countdown may not come on time here, if there is a reason. */
  limit(): string | undefined
}

/** Most pending countdowns of one session. */
const COUNTDOWN_LIMIT = 100

/** How much of an argument a title shows (code points). */
const TITLE_LENGTH = 80

const DESCRIPTION =
  'Be called once, later, also in a closed session. start takes in (90s, 10m, 1h30m, 2d) or at (15:30, in the zone of the session); snooze takes in, also for one that is over. onFire: wake begins a turn (default), inject waits for your next step.'

/**
 * The tool that sets countdowns (requirements R12, R13). It appends nothing of its own: its result is the record.
 *
 * @param portOf - the open sessions.
 */
export function countdownTool(portOf: PortOf<CountdownToolPort>): ToolDefinition {
  const properties = {
    action: { type: 'string', enum: [...COUNTDOWN_ACTIONS] },
    name: { type: 'string' },
    in: { type: 'string' },
    at: { type: 'string' },
    onFire: { type: 'string', enum: [...ON_FIRE] },
    note: { type: 'string', description: 'What to do then' },
    includeFired: { type: 'boolean' },
  }
  const spec = {
    name: COUNTDOWN_TOOL,
    description: DESCRIPTION,
    parameters: { properties, required: ['action'] },
    run: (args: unknown, port: CountdownToolPort) => {
      const wish = parseCountdownWish(args)
      return isRefusal(wish) ? wish : answerWish(port, wish)
    },
    meta: countdownMeta,
    title,
  }
  return defineTimeTool(spec, portOf)
}

/**
 * What a wish comes to. It changes nothing by itself: whoever asks puts the answer into the log.
 *
 * @param port - the session.
 * @param wish - of the model or of a person.
 */
export function answerWish(port: CountdownToolPort, wish: CountdownWish): Answer {
  const { countdowns } = port
  switch (wish.action) {
    case 'list':
      return viewCountdowns(countdowns, { now: port.now(), zone: port.zone(), includeFired: wish.includeFired })
    case 'cancel':
      return find(countdowns, wish.name) === undefined ? refuse('no-such-countdown', { field: 'name' }) : { set: true, action: 'cancel', name: wish.name }
    case 'start':
      return start(port, wish)
    case 'snooze': {
      const found = find(countdowns, wish.name)
      return found === undefined ? refuse('no-such-countdown', { field: 'name' }) : arm(port, wish, found)
    }
  }
}

type Setting = Extract<CountdownWish, { readonly action: 'start' | 'snooze' }>

/** B40: the same name twice is one countdown, and the answer says which one it replaced. */
function start(port: CountdownToolPort, wish: Setting): Answer {
  const replaced = port.countdowns.pending.get(wish.name)
  if (replaced === undefined && port.countdowns.pending.size >= COUNTDOWN_LIMIT) return refuse('too-many', { detail: { code: 'countdown-limit', most: COUNTDOWN_LIMIT } })
  const armed = arm(port, wish, undefined)
  return isRefusal(armed) || replaced === undefined ? armed : { ...armed, replaced: stamp(replaced.dueAt, port.zone()) }
}

function arm(port: CountdownToolPort, { action, name, when, ...wish }: Setting, before: Countdown | undefined): Answer {
  const [now, zone] = [port.now(), port.zone()]
  const dueAt = resolveWhen(when, now, zone)
  if (isRefusal(dueAt)) return dueAt
  const onFire = wish.onFire ?? before?.onFire ?? 'wake'
  const note = wish.note ?? before?.note ?? ''
  const limit = port.limit()
  return {
    set: true,
    action,
    name,
    due: formatZoned(dueAt, zone),
    left: shortDuration(dueAt - now),
    dueAt: formatInstant(dueAt),
    onFire,
    ...(note !== '' && { note }),
    ...(limit !== undefined && { limit }),
  }
}

/** What is pending under a name, else what has fired last under it (requirement R13). */
function find({ pending, fired }: Countdowns, name: string): Countdown | undefined {
  return pending.get(name) ?? fired.findLast((one) => one.name === name)
}

function title(args: unknown): string {
  const wish = parseCountdownWish(args)
  if (isRefusal(wish)) return 'Countdown'
  return plainLine(`Countdown: ${wish.action} ${'name' in wish ? wish.name : ''}`, TITLE_LENGTH)
}
