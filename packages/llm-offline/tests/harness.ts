import { CallId, createAssistantMessage, createToolResultMessage, createUserMessage } from '@deepseek-ai/dsh-llm'
import type { GenerateOptions, Message, MessageSource } from '@deepseek-ai/dsh-llm'
import { replyTo } from '../src/replies.ts'
import type { Reply } from '../src/replies.ts'

/** Friday, 9 October 2026, 01:23:45 in Shanghai. */
export const STAMP = '2026-10-09T01:23:45+08:00[Asia/Shanghai]'

export const ALL_TOOLS = ['schedule_create', 'schedule_list', 'schedule_delete', 'schedule_snooze', 'time_mode', 'time_counter', 'time_countdown']

export const toolsNamed = (names: readonly string[]) => names.map(name => ({ name, description: '', parameters: {} }))

export const human = (text: string): Message => createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } })

/** A context message of a plugin with its own source kind, as the host logs it. */
export function context(text: string, source: Readonly<Record<string, unknown>> = { kind: 'dsh-time-reminder', form: 'notice', summary: 'a notice' }): Message {
  return createUserMessage({ content: [{ type: 'text', text }], source: source as unknown as MessageSource })
}

export const reading = (stamp: string = STAMP): Message =>
  context(`<system-reminder>\nTime sampled while preparing turn 1, step 1: ${stamp}\nTime mode: cron (daily 00:00; previous reading 2020-01-01T00:00:03+00:00[UTC])\n</system-reminder>`)

const MODEL_SOURCE = { provider: 'offline', model: 'timekeeper-demo' }

export const said = (text: string): Message => createAssistantMessage({ content: [{ type: 'text', text }], source: MODEL_SOURCE })

export const called = (tool: string, args = '{}', id = 'c1'): Message =>
  createAssistantMessage({ content: [{ type: 'tool-call', id: CallId(id), name: tool, arguments: args }], source: MODEL_SOURCE })

export const result = (value: unknown, options: { id?: string; isError?: boolean } = {}): Message =>
  createToolResultMessage({
    callId: CallId(options.id ?? 'c1'),
    content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
    isError: options.isError ?? false,
  })

export const oneReminder = (prompt: string): Message =>
  context(['[SCHEDULE REMINDER]', 'Tell the person.', 'occurrence_at: 2026-10-09T01:00:00.000Z', `reminder_prompt_json: ${JSON.stringify(prompt)}`].join('\n'), { kind: 'dsh-tool-schedule', form: 'notice', summary: 'Reminder' })

export function ask(messages: readonly Message[], options: Partial<Pick<GenerateOptions, 'purpose'>> & { tools?: readonly string[] } = {}): Reply {
  const { tools = ALL_TOOLS, ...rest } = options
  return replyTo({ messages: [...messages], tools: toolsNamed(tools), ...rest })
}

/** The one tool call a message leads to, as `[tool, arguments]`; with a reading in context unless told otherwise. */
export function callFor(text: string, before: readonly Message[] = [reading()]): [string, unknown] {
  const { act } = ask([...before, human(text)])
  if (act.kind !== 'call') throw new Error(`no call for "${text}": ${JSON.stringify(act)}`)
  return [act.tool, JSON.parse(act.args)]
}

/** The words a conversation is answered with. */
export function wordsFor(messages: readonly Message[], options: Parameters<typeof ask>[1] = {}): string {
  const { act, preface } = ask(messages, options)
  if (act.kind !== 'say') throw new Error(`not words: ${JSON.stringify(act)}`)
  return preface === '' ? act.text : `${preface}\n${act.text}`
}

/** Milliseconds of the fastest of up to five runs: a busy machine slows some runs, a slow rule slows all. */
export function fastest(job: () => unknown): number {
  let best = Infinity
  for (let run = 0; run < 5 && best > 10; run += 1) {
    const started = performance.now()
    job()
    best = Math.min(best, performance.now() - started)
  }
  return best
}
