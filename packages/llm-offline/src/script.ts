/** What one answer of a script does. */
export type Act =
  | { readonly kind: 'call'; readonly tool: string; readonly args: string }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'fail'; readonly code: string }
  | { readonly kind: 'flood'; readonly count: number }

/** One answer of a script: a pause, then an act; without an act the outcome of the last tool call is told. */
export interface ScriptStep {
  /** Milliseconds to wait before answering, 0 … {@link LONGEST_WAIT_MS}. */
  readonly waitMs: number
  readonly act: Act | undefined
}

/** Longest pause a script can ask for: ten minutes. */
export const LONGEST_WAIT_MS = 600_000

/** Most text deltas a script can ask for in one answer. */
export const MOST_DELTAS = 100_000

/** Longer messages are no scripts: splitting looks ahead from every part, so the length bounds the work. */
const LONGEST_SCRIPT = 10_000

const SEPARATOR = ';;'
const CALL = /^call\s+([A-Za-z][\w.-]*)(?:\s+([\s\S]+))?$/
const SAY = /^say\s+([\s\S]+)$/
const FAIL = /^fail\s+([A-Z][A-Z0-9_]*)$/
const WAIT = /^wait\s+(\d{1,9})$/
const FLOOD = /^flood\s+(\d{1,9})$/

/** End of the JSON value that starts at `from`, where its brackets close outside strings; -1 when they do not. */
function jsonEnd(text: string, from: number): number {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth === 0) return at + 1
  }
  return -1
}

/** Splits at `;;`, but not inside the JSON arguments of a call; after arguments that never close, at every `;;`. */
function segments(text: string): string[] {
  const parts: string[] = []
  let from = 0
  let closes = true // one look ahead to the very end is enough: the work stays in proportion to the length
  while (from <= text.length) {
    const open: RegExpExecArray | null = closes ? /^\s*call\s+\S+\s+(?=[{[])/.exec(text.slice(from)) : null
    const closed: number = open === null ? from : jsonEnd(text, from + open[0].length)
    closes &&= closed !== -1
    const next = text.indexOf(SEPARATOR, Math.max(from, closed))
    const end = next === -1 ? text.length : next
    parts.push(text.slice(from, end).trim())
    from = end + SEPARATOR.length
  }
  return parts
}

/** "call mum" is a sentence: without arguments a tool name must look like one. */
function readCall(segment: string): Act | undefined {
  const match = CALL.exec(segment)
  const [, tool = '', args] = match ?? []
  const isCall = match !== null && (tool.includes('_') || (args ?? '').startsWith('{'))
  return isCall ? { kind: 'call', tool, args: args ?? '{}' } : undefined
}

function readVerb(segment: string): Act | undefined {
  const call = readCall(segment)
  if (call !== undefined) return call
  const text = SAY.exec(segment)?.[1]
  if (text !== undefined) return { kind: 'say', text }
  const code = FAIL.exec(segment)?.[1]
  if (code !== undefined) return { kind: 'fail', code }
  const count = FLOOD.exec(segment)?.[1]
  return count === undefined ? undefined : { kind: 'flood', count: Math.min(Number(count), MOST_DELTAS) }
}

/**
 * Reads a message as a script: answers separated by `;;`, each a verb or plain text, `wait` adding to the next answer.
 *
 * Verbs: `call <tool> <json>`, `say <text>`, `fail <CODE>`, `flood <count>`, `wait <ms>`.
 *
 * @param message what a person wrote
 * @returns `undefined` when no part is a verb, that is, when the message is ordinary language, or beyond 10,000 units
 */
export function parseScript(message: string): ScriptStep[] | undefined {
  if (message.length > LONGEST_SCRIPT) return undefined
  const parts = segments(message)
  if (!parts.some(part => WAIT.test(part) || readVerb(part) !== undefined)) return undefined
  const steps: ScriptStep[] = []
  let waitMs = 0
  for (const part of parts) {
    const wait = WAIT.exec(part)?.[1]
    if (wait === undefined) {
      if (part !== '') steps.push({ waitMs, act: readVerb(part) ?? { kind: 'say', text: part } })
      waitMs = 0
    } else waitMs = Math.min(waitMs + Number(wait), LONGEST_WAIT_MS)
  }
  return waitMs === 0 ? steps : [...steps, { waitMs, act: undefined }]
}

function formatAct(act: Act): string {
  if (act.kind === 'call') return `call ${act.tool} ${act.args}`
  if (act.kind === 'say') return `say ${act.text}`
  return act.kind === 'fail' ? `fail ${act.code}` : `flood ${act.count}`
}

/**
 * Writes a script that {@link parseScript} reads back as the same steps, for tests and demos.
 *
 * @param steps answers in order; texts without `;;` and without blanks at their ends, arguments a JSON object
 */
export const formatScript = (steps: readonly ScriptStep[]): string =>
  steps
    .flatMap(({ waitMs, act }) => [...(waitMs === 0 ? [] : [`wait ${waitMs}`]), ...(act === undefined ? [] : [formatAct(act)])])
    .join(` ${SEPARATOR} `)
