import fc from 'fast-check'
import { parseCron } from '../../packages/time-core/src/cron/parse.ts'
import { parseDuration } from '../../packages/time-core/src/duration.ts'
import { parseCanonicalInstant } from '../../packages/time-core/src/instant.ts'
import { parseLocal } from '../../packages/time-core/src/local.ts'
import { parseOffsetInstant } from '../../packages/time-core/src/rfc3339.ts'
import { jsonLine, plainLine } from '../../packages/time-core/src/safe-text.ts'
import { languageIn } from '../../packages/time-core/src/sentences.ts'
import { parseZone } from '../../packages/time-core/src/zone.ts'
import { isReading, ZoneFold } from '../../packages/session-host/src/request-zone.ts'
import type { SessionEvent } from '../../packages/session-host/tests/harness.ts'
import { modeMeta, modeOfMeta, modeOfSource, modeOfValue } from '../../packages/time-reminder/src/protocol.ts'
import { countdownMeta, countdownChangeOf, firedMarks } from '../../packages/time-reminder/src/countdowns/protocol.ts'
import { parseCountdownWish } from '../../packages/time-reminder/src/countdowns/input.ts'
import { counterChangeOf, counterMeta } from '../../packages/time-reminder/src/counters/protocol.ts'
import { parseCounterWish } from '../../packages/time-reminder/src/counters/input.ts'
import { parseModeChange, parseSessionId, parseSwitch } from '../../packages/time-reminder/src/input.ts'
import { parseCommandLine } from '../../packages/timekeeper/src/cli/arguments.ts'
import { planFacts, readFacts, subCallFacts } from '../../packages/tool-schedule/src/facts.ts'
import { LedgerFold } from '../../packages/tool-schedule/src/fold.ts'
import { parseCreate, parseOptionalTarget, parseTarget } from '../../packages/tool-schedule/src/input.ts'
import { zhNumber } from '../../packages/tool-schedule/src/people/amounts.ts'
import { delayOf, editOf, FIELDS, idOf, inputOf, parseBody, type Endpoint } from '../../packages/tool-schedule/src/people/bodies.ts'
import { readDelay, readReminder } from '../../packages/tool-schedule/src/people/grammar.ts'
import { PersonFold } from '../../packages/tool-schedule/src/people/person-fold.ts'
import { CorruptLog, decodeChange } from '../../packages/tool-schedule/src/protocol.ts'

/** One parser or decoder, and what it is fed with. */
export interface Target {
  readonly name: string
  readonly inputs: fc.Arbitrary<unknown>
  readonly take: (input: never) => unknown
  /** The named error that it may throw. */
  readonly mayThrow?: new (message: string) => Error
}

const garbage = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 60 }))
const anything = fc.anything({ maxDepth: 3, withNullPrototype: true })

/** Text that is nearly right: made of the pieces that right texts are made of. */
const nearly = (...pieces: readonly string[]): fc.Arbitrary<string> => fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(''))
const nearlyCron = nearly('*', '/', '-', ',', ' ', ' ', '0', '5', '59', '60', '31', 'L', 'W', '#', '?', 'MON', 'JAN', 'sun-', '\t', '@')
const nearlyInstant = nearly('2026', '-', '02', '30', 'T', '23', ':', '59', '60', '.', '123', 'Z', '+', '08:00', '0000', ' ')
const nearlyZone = nearly('Asia', '/', 'Shanghai', 'UTC', 'Etc', 'GMT', '+', '8', ' ', 'america', 'New_York', '\n')
const nearlyDuration = nearly('1', '90', 'd', 'h', 'm', 's', '.', '-', ' ', '999999999')
const nearlySpoken = nearly('in', ' ', '10', 'm', 'tomorrow', 'at', '9', ':', '30', 'pm', 'every', 'weekday', 'on', 'monday', '每', '天', '早上', '九', '点', '半', '两', '小时', '后', '百', '万', '零', '下周', '一', 'to', 'cron', '* * *', '[UTC]', 'Asia/Shanghai', '+08:00', '\u2028', '\u202E', 'https://x', '"', '\\')
const words = fc.oneof(garbage, nearlyCron, nearlyInstant, nearlyZone, nearlyDuration, nearlySpoken)
const instant = fc.oneof(words, fc.date({ noInvalidDate: true }).map((date) => date.toISOString()))
const amount = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, 1, 299, 300, 2 ** 53, -0, '5', 1e300))
const id = fc.constantFrom<unknown>('r-1', 'r-2', 'r-1.1', 'r-1.2', ' r-1', '', 7, '__proto__', 'constructor')

/** Objects with the names that are known, some foreign ones, and values that are nearly right. */
function nearlyObject(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const values = Object.fromEntries(Object.entries({ ...fields, stray: anything }).map(([name, value]) => [name, fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: anything })]))
  return fc.oneof({ weight: 9, arbitrary: fc.record(values, { requiredKeys: Object.keys(fields).slice(0, 1) }) }, { weight: 1, arbitrary: anything })
}

const local = nearlyObject({ date: fc.oneof(words, fc.constant('2026-12-01')), time: fc.oneof(words, fc.constant('09:00')), time_zone: nearlyZone })
const createArguments = nearlyObject({ prompt: words, after_seconds: amount, at: fc.oneof(instant, local), every_seconds: amount, cron: nearlyCron, time_zone: nearlyZone, until: instant, count: amount, late_limit_seconds: amount, wake: fc.boolean() })
const record = nearlyObject({ kind: fc.constantFrom('at', 'after', 'every', 'x'), id, prompt: words, scheduledAt: instant, afterSeconds: amount, everySeconds: amount })
const change = nearlyObject({ operation: fc.constantFrom('create', 'delete', 'dispatch', 'x'), version: fc.constantFrom(1, 1, 1, 2), schedule: record, id, acceptedAt: instant })
const rule = nearlyObject({ kind: fc.constantFrom('every', 'cron', 'x'), everySeconds: amount, anchor: instant, cron: nearlyCron, zone: nearlyZone, until: instant, count: amount })
const fact = nearlyObject({ fact: fc.constantFrom('plan', 'delivery', 'missed', 'countdown', 'counter'), id, setBy: fc.constantFrom('model', 'person', 'x'), series: rule, occurrenceAt: instant, deliveredAt: instant, decidedAt: instant, reasons: fc.array(words, { maxLength: 2 }), last: fc.constant(true), lateLimitSeconds: amount, snoozeOf: id, name: words, dueAt: instant })
const carrier = nearlyObject({ timekeeper: nearlyObject({ facts: fc.array(fact, { maxLength: 3 }), v: fc.constantFrom(1, 1, 2) }), kind: fc.constantFrom('dsh-tool-schedule', 'dsh-time-reminder', 'plugin', 'user', 'time-context'), plugin: words, form: fc.constantFrom('notice', 'snapshot'), mode: fc.constantFrom('off', 'cron', 'turn', 'fine', 'x'), cron: nearlyCron, clientTimeZone: nearlyZone })
/** A source that is no object at all is a regression of its own. */
const source = carrier.filter((one) => typeof one === 'object' && one !== null)
const message = fc.record({ id: fc.constantFrom('m1', 'm2', 'm3'), source, content: fc.constant([]) })

/** Events as the host writes them; what travels in their opaque parts may be anything. */
const event = fc.oneof(
  change.map((data) => ({ type: 'schedule/change', data })),
  carrier.map((meta) => ({ type: 'tool/result', data: { meta } })),
  message.map((data) => ({ type: 'user/message', data })),
  fc.array(message, { maxLength: 2 }).map((inserted) => ({ type: 'agent/inbox/spliced', data: { target: 'next-turn', start: 0, inserted } })),
  fc.constantFrom(undefined, 'canceled').map((outcome) => ({ type: 'agent/inbox/spliced', data: { target: 'next-turn', start: 0, removedCount: 1, inserted: [], outcome } })),
  fc.record({ name: fc.constantFrom('schedule_create', 'reminder_snooze', 'x'), text: fc.oneof(words, fact.map((one) => JSON.stringify(one, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))) }).map(({ name, text }) => ({ type: 'tool/code-dispatch', data: { name, isError: false, content: [{ text }] } })),
  fc.constant({ type: 'turn/start', data: { turn: 1 } }),
  fc.constantFrom('completed', 'aborted', 'interrupted', 'error', 'x').map((kind) => ({ type: 'turn/end', data: { turn: 1, reason: { kind } } })),
)

const NOW = Date.parse('2026-10-09T01:00:00.000Z')
const reader = fc.constantFrom('Asia/Shanghai', 'America/New_York', undefined).map((zone) => ({ now: NOW, zone: zone === undefined ? undefined : parseZone(zone) }))
const body = nearlyObject({ sessionId: fc.constantFrom('s', ''), language: fc.constantFrom('zh', 'en', 'x'), timeZone: fc.oneof(nearlyZone, fc.constant('UTC')), text: words, reminder: createArguments, id, prompt: words, time: nearlyObject({ date: words, time: words, timeZone: nearlyZone }), afterSeconds: amount, untilMs: amount })

function fold(events: readonly unknown[]): void {
  const folds = [new LedgerFold(), new ZoneFold(), new PersonFold(() => undefined)]
  for (const [seq, one] of events.entries()) {
    const given = { ...(one as object), seq, time: NOW } as SessionEvent
    for (const each of folds) each.apply(given)
  }
}

function bodyOf({ payload, endpoint, at }: { payload: unknown; endpoint: Endpoint; at: Parameters<typeof inputOf>[1] }): void {
  languageIn(payload)
  const parsed = parseBody(payload, endpoint)
  if (!('fields' in parsed)) return
  inputOf(parsed, at)
  editOf(parsed, at)
  delayOf(parsed, at)
  idOf(parsed)
}

/** Everything of ours that reads what others wrote. */
export const TARGETS: readonly Target[] = [
  { name: 'instants with an offset', inputs: fc.oneof(words, instant), take: parseOffsetInstant },
  { name: 'canonical instants', inputs: fc.oneof(instant, anything), take: parseCanonicalInstant },
  { name: 'local times', inputs: fc.tuple(words, words), take: ([date, time]: [string, string]) => parseLocal(date, time) },
  { name: 'zones', inputs: fc.oneof(words, anything), take: parseZone },
  { name: 'durations', inputs: words, take: parseDuration },
  { name: 'cron expressions', inputs: fc.oneof(words, nearlyCron, anything), take: parseCron },
  { name: 'lines for people and for the model', inputs: words, take: (text: string) => [plainLine(text, 80), jsonLine(text)] },
  { name: 'arguments of schedule_create', inputs: createArguments, take: parseCreate },
  { name: 'arguments with a target', inputs: nearlyObject({ id, after_seconds: amount }), take: (args: unknown) => [parseTarget(args, true), parseTarget(args, false), parseOptionalTarget(args)] },
  { name: 'schedule/change events', inputs: change, take: decodeChange, mayThrow: CorruptLog },
  { name: 'facts on carriers', inputs: fc.oneof(carrier, fact), take: (value: unknown) => [readFacts(value), planFacts(value), subCallFacts('schedule_create', [value])] },
  { name: 'logs of reminders', inputs: fc.array(event, { maxLength: 10 }), take: fold },
  { name: 'what people type', inputs: fc.tuple(fc.oneof(words, nearlySpoken), reader), take: ([text, at]: [string, Parameters<typeof inputOf>[1]]) => [readReminder(text, at), readDelay(text, at)] },
  { name: 'Chinese numbers', inputs: fc.oneof(nearly('一', '两', '二', '十', '百', '千', '万', '亿', '零', '半', '9'), garbage), take: zhNumber },
  { name: 'bodies of the channel', inputs: fc.record({ payload: body, endpoint: fc.constantFrom(...(Object.keys(FIELDS) as Endpoint[])), at: reader }), take: bodyOf },
  { name: 'changes of the clock mode', inputs: nearlyObject({ mode: fc.constantFrom('off', 'cron', 'turn', 'fine', 'x'), cron: nearlyCron, sessionId: words }), take: (value: unknown) => [parseModeChange(value), parseSwitch(value), parseSessionId(value)] },
  { name: 'arguments of time_countdown and time_counter', inputs: nearlyObject({ action: fc.constantFrom('start', 'snooze', 'cancel', 'list', 'lapse', 'note', 'scope', 'reset', 'remove', 'x'), name: words, in: nearlyDuration, at: words, onFire: fc.constantFrom('wake', 'inject', 'x'), note: words, includeFired: fc.boolean(), inject: fc.boolean(), toChildren: fc.boolean(), depth: amount }), take: (args: unknown) => [parseCountdownWish(args), parseCounterWish(args)] },
  { name: 'facts of countdowns and counters', inputs: fc.oneof(fact, carrier, anything), take: (value: unknown) => [countdownChangeOf(value), counterChangeOf(value), countdownMeta(value), counterMeta(value), firedMarks(value)] },
  { name: 'marks of the clock', inputs: fc.oneof(carrier, anything), take: (value: unknown) => [modeMeta(value), modeOfMeta(value), modeOfValue(value), modeOfSource(value), isReading(value)] },
  { name: 'command lines', inputs: fc.array(fc.oneof(words, fc.constantFrom('next', 'inspect', '--lang', 'zh', '--json', '--', '-x', '--home')), { maxLength: 6 }), take: (argv: string[]) => parseCommandLine(argv, {}) },
]
