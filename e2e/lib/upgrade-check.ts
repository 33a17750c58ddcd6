/** One event of a session log, from memory or from a file. */
export interface CheckedEvent {
  readonly type: string
  readonly seq: number
  readonly data: unknown
}

/** A place where a later host would refuse to take the log over, or would read something else than we wrote. */
export interface Violation {
  readonly seq: number
  readonly rule: string
}

/** Source kinds of this bundle's messages. */
const OWN_KINDS = ['dsh-tool-schedule', 'dsh-time-reminder']

/** Member under which facts of ours travel; it has no place on a source that a later host checks member by member. */
const CARRIER = 'timekeeper'

/** The host shows a notice's summary on one row and bounds it to this many characters. */
const SUMMARY_LIMIT = 120

/**
 * Check that later hosts can take a log over (requirement X7): they migrate it through a strict validator, and refuse
 * the whole session when one event fails. Written from the measured description of that validator and of what version
 * 1 allows; shares nothing with the code that writes these logs, so that the two cannot be wrong in the same way.
 *
 * @param events - the whole log in order.
 * @param known - event types that the host knows, as `@deepseek-ai/dsh-session` lists them.
 * @returns every violation in the order of the log; empty for a log that can be upgraded.
 */
export function checkUpgrade(events: readonly CheckedEvent[], known: ReadonlySet<string>): Violation[] {
  return events.flatMap(({ type, seq, data }) => {
    const rules = known.has(type) ? eventRules(type, data) : [`the event type ${JSON.stringify(type)} is unknown`]
    return rules.map((rule) => ({ seq, rule }))
  })
}

function eventRules(type: string, data: unknown): string[] {
  switch (type) {
    case 'schedule/change':
      return scheduleRules(data)
    case 'user/message':
      return sourceRules(member(data, 'source'))
    case 'agent/inbox/spliced':
      return listOf(member(data, 'inserted')).flatMap((message) => sourceRules(member(message, 'source')))
    case 'assistant/message':
      return sourceRules(member(member(data, 'message'), 'source'))
    case 'tool/result':
      return [...sourceRules(member(member(data, 'message'), 'source')), ...errorRules(member(data, 'error'))]
    default:
      return []
  }
}

/** A closed shape: exactly these members, each of them as its check demands. */
type Shape = Readonly<Record<string, (value: unknown) => boolean>>

const is = (expected: unknown) => (value: unknown): boolean => value === expected
const isText = (value: unknown): boolean => typeof value === 'string' && value.length > 0 && value.trim() === value
const isCount = (least: number, most: number) => (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most

/** `YYYY-MM-DDTHH:mm:ss.mmmZ` of an instant that exists, years 0001 to 9999. */
function isInstant(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}(?:-\d\d){2}T\d\d(?::\d\d){2}\.\d{3}Z$/.test(value) || value.startsWith('0000')) return false
  const instant = new Date(value)
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === value
}

const RECORD = { id: isText, prompt: isText, scheduledAt: isInstant }
const MOST = Number.MAX_SAFE_INTEGER

const RECORDS: Readonly<Record<string, Shape>> = {
  after: { ...RECORD, kind: is('after'), afterSeconds: isCount(1, MOST) },
  at: { ...RECORD, kind: is('at') },
  every: { ...RECORD, kind: is('every'), everySeconds: isCount(300, Math.floor(MOST / 1000)) },
}

const CHANGES: Readonly<Record<string, Shape>> = {
  create: { version: is(1), operation: is('create'), schedule: (record) => shapeRules('', record, shapeNamed(RECORDS, member(record, 'kind'))).length === 0 },
  delete: { version: is(1), operation: is('delete'), id: isText },
  dispatch: { version: is(1), operation: is('dispatch'), id: isText },
}

function scheduleRules(data: unknown): string[] {
  const operation = member(data, 'operation')
  const named = shapeNamed(CHANGES, operation)
  const shape = operation === 'dispatch' && member(data, 'acceptedAt') !== undefined ? { ...named, acceptedAt: isInstant } : named
  const found = shapeRules('schedule/change', data, shape)
  const record = member(data, 'schedule')
  // The record's own fault says more than that the record is faulty.
  return operation === 'create' && record !== undefined ? [...found.filter((rule) => !rule.endsWith('schedule is wrong')), ...shapeRules('schedule/change.schedule', record, shapeNamed(RECORDS, member(record, 'kind')))] : found
}

function shapeNamed(shapes: Readonly<Record<string, Shape>>, name: unknown): Shape | undefined {
  return typeof name === 'string' && Object.hasOwn(shapes, name) ? shapes[name] : undefined
}

function shapeRules(path: string, value: unknown, shape: Shape | undefined): string[] {
  if (!isObject(value)) return [`${path} is no object`]
  if (shape === undefined) return [`${path} is of no kind of version 1`]
  const foreign = Object.keys(value).filter((name) => !Object.hasOwn(shape, name))
  const wrong = Object.entries(shape).filter(([name, check]) => !Object.hasOwn(value, name) || !check(value[name]))
  return [...foreign.map((name) => `${path} has the foreign member ${JSON.stringify(name)}`), ...wrong.map(([name]) => `${path}.${name} is wrong`)]
}

/** `error` of a tool result is absent, or exactly a name and a code. */
function errorRules(error: unknown): string[] {
  return error === undefined ? [] : shapeRules('tool/result.error', error, { name: isText, code: isText })
}

function sourceRules(source: unknown): string[] {
  const kind = member(source, 'kind')
  if (!isObject(source) || typeof kind !== 'string' || kind === '') return ['a message has no source kind']
  if (OWN_KINDS.includes(kind)) return noticeRules(source)
  const rules = Object.hasOwn(source, CARRIER) ? [`facts of ours ride on a source of the kind ${JSON.stringify(kind)}`] : []
  if (OWN_KINDS.some((own) => kind === `plugin:${own}` || member(source, 'plugin') === own)) rules.push('a message of ours has not its own source kind')
  if (kind === 'plugin') rules.push(...pluginRules(source))
  if (kind === 'user') rules.push(...foreignRules(source, ['kind', 'rpcId', 'clientTimeZone']))
  return rules
}

/** What one row of the page can show of a message of ours. */
function noticeRules(source: Readonly<Record<string, unknown>>): string[] {
  const { form, summary } = source
  if (form !== 'notice') return summary === undefined ? [] : ['a summary belongs to a notice']
  const isRow = typeof summary === 'string' && !/[\r\n\u2028\u2029]/.test(summary) && Array.from(summary).length <= SUMMARY_LIMIT
  return isRow ? [] : ['a notice has no summary of one row']
}

/** The kind that all plugins of 0.1 share is checked to its last member. */
function pluginRules(source: Readonly<Record<string, unknown>>): string[] {
  const { form } = source
  const more = form === 'snapshot' ? ['sections'] : form === 'notice' ? ['summary'] : []
  return [...foreignRules(source, ['kind', 'plugin', 'form', ...more]), ...(isText(source['plugin']) ? [] : ['a source of the kind "plugin" names no plugin'])]
}

function foreignRules(source: object, names: readonly string[]): string[] {
  const foreign = Object.keys(source).filter((name) => !names.includes(name) && name !== CARRIER)
  return foreign.map((name) => `a source has the foreign member ${JSON.stringify(name)}`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
