import { countTokens } from 'gpt-tokenizer'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { judge, type Findings } from '../findings.ts'
import { call, mountHost, turn, type BenchHost, type Live } from '../host.ts'
import { makeLog, reminders } from '../logs.ts'
import { clocks, SCHEDULES, wakes, type SubjectName } from '../subjects.ts'

/** What the model reads of one side. */
interface Read {
  readonly tools: number
  readonly schemas: number
  readonly wake: number
  readonly row: number
  readonly shown: number
}

const PROMPT = 'stretch your back'
const HOUR_MS = 3_600_000
const MANY = 1000
const NEAR = 50

async function mount(name: SubjectName): Promise<BenchHost> {
  const host = await mountHost()
  for (const subjects of [SCHEDULES, clocks('cron')]) await subjects.find((subject) => subject.name === name)?.mount(host.ctx, host.root)
  return host
}

/** A person in Berlin writes, and the model sets a reminder: only a call that the loop has logged keeps its zone. */
async function setReminder({ model }: BenchHost, { agent }: Live, at: number): Promise<void> {
  model.next = { tool: 'schedule_create', args: { prompt: PROMPT, at: new Date(at).toISOString() } }
  await turn(agent)
}

/** A reminder that is an hour late because the host was off: the wake that says most. Its log is one that was really written, two hours ago. */
async function wakeText(host: BenchHost): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  host.ctx.on('session/event', (_session, event) => {
    const [text] = wakes(event)
    if (text !== undefined) resolve(text)
  })
  const due = Date.now() + HOUR_MS
  const early = await host.create('early')
  await setReminder(host, early, due)
  const log = JSON.stringify(early.agent.session.events).replaceAll(new Date(due).toISOString(), new Date(due - 2 * HOUR_MS).toISOString())
  await early.dispose()
  const events = (JSON.parse(log) as SessionEvent[]).map((event) => ({ ...event, time: event.time - 2 * HOUR_MS }))
  const late = await host.create('late', events)
  const text = await promise
  await late.agent.whenIdle()
  await late.dispose()
  return text
}

/** Reminders that a person in Berlin asked for, in front of a thousand others. */
async function rowsOf(host: BenchHost, live: Live): Promise<{ readonly shown: number; readonly text: string }> {
  for (let number = 0; number < NEAR; number += 1) await setReminder(host, live, Date.now() + HOUR_MS + number)
  const { value, text } = await call(host, live.agent, 'schedule_list', {})
  return { shown: (Array.isArray(value) ? value : (value as { reminders: unknown[] }).reminders).length, text }
}

const tokensOf = (value: unknown): number => countTokens(typeof value === 'string' ? value : JSON.stringify(value))

async function read(name: SubjectName): Promise<Read> {
  const host = await mount(name)
  const wake = tokensOf(await wakeText(host))
  const live = await host.create('long', await makeLog(200, reminders(MANY, (index) => Date.now() + 24 * HOUR_MS + index)))
  const { shown, text } = await rowsOf(host, live)
  const schemas = (host.ctx.get('tools')?.schemas(live.agent) ?? []).filter((tool) => tool.name !== 'noop')
  const shapes = schemas.map(({ name: tool, description, parameters }) => ({ name: tool, description, parameters }))
  await live.dispose()
  await host.dispose()
  return { tools: schemas.length, schemas: tokensOf(shapes), wake, row: tokensOf(text) / shown, shown }
}

/** What the model has to read (requirement P7), in o200k tokens. */
export async function tokens(): Promise<Findings> {
  const ours = await read('ours')
  const theirs = await read('theirs')
  return {
    goals: [
      judge('P7 all tool schemas together (tokens)', { atMost: 1000 }, ours.schemas, theirs.schemas),
      judge('P7 a wake with its drift (tokens)', { atMost: 120 }, ours.wake, theirs.wake),
      judge('P7 a row of a list (tokens)', { atMost: 40 }, ours.row, theirs.row),
      judge('P7 reminders shown of 1,050', { exactly: 50 }, ours.shown, theirs.shown),
    ],
    tables: [
      {
        title: 'What the model reads (o200k tokens)',
        rows: (['tools', 'schemas', 'wake', 'row', 'shown'] as const).map((what) => ({ what: WORDS[what], ours: ours[what], theirs: theirs[what] })),
      },
    ],
  }
}

const WORDS: Readonly<Record<keyof Read, string>> = {
  tools: 'tools',
  schemas: 'tool schemas, with every request',
  wake: 'a wake, one hour late',
  row: 'a row of a list',
  shown: 'rows of a list of 1,050',
}
