// node scripts/clock-doc.ts: writes docs/clock.md from a run of a real host. Nothing in that document is typed by hand.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { endHosts } from '../e2e/lib/host.ts'
import { FORMS, MODES, MORNING, openSession, openStage, play, said, ZONE, type Form, type Mode, type Request, type Said, type Stage, type Turn } from './clock-doc/stage.ts'
import type { LogEvent } from './lib/dsh-client.ts'
import { dshVersion } from './lib/profile.ts'
import { ROOT } from './lib/workspace.ts'

const DOCUMENT = join(ROOT, 'docs/clock.md')
const MINUTE = 60
const HOUR = 60 * MINUTE

const DAY: readonly (Turn & { readonly what: string })[] = [
  { what: 'A first question; two tools take 20 s each', pauseSeconds: 0, steps: 3, stepSeconds: 20 },
  { what: 'The next question, three minutes later', pauseSeconds: 3 * MINUTE + 7, steps: 1, stepSeconds: 0 },
  { what: 'After a pause of 45 minutes; a tool takes 20 s', pauseSeconds: 45 * MINUTE, steps: 2, stepSeconds: 20 },
  { what: 'Late in the evening', pauseSeconds: 11 * HOUR + 10 * MINUTE, steps: 1, stepSeconds: 0 },
  { what: 'Twenty minutes later, after midnight', pauseSeconds: 20 * MINUTE, steps: 1, stepSeconds: 0 },
]

type Cell = string | number

const tokens = (text: string): number => encode(text).length
const total = (all: readonly Said[]): number => all.reduce((sum, { text }) => sum + tokens(text), 0)
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
const fenced = (text: string): string => ['```text', text, '```'].join('\n')
const table = (head: readonly Cell[], rows: readonly (readonly Cell[])[]): string => [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

const playAll = async (stage: Stage, sessionId: string, turns: readonly Turn[]): Promise<readonly Said[]> => {
  let events: readonly LogEvent[] = []
  for (const turn of turns) events = await play(stage, sessionId, turn)
  return said(events)
}

const transcript = (mode: Mode, all: readonly Said[]): string => {
  const rows = DAY.map(({ what, steps }, index) => {
    const here = all.filter(({ turn }) => turn === index + 1)
    const where = here.map(({ step, why }) => `step ${step} (${why})`)
    return [index + 1, what, steps, where.length === 0 ? 'none' : where.join(', '), total(here)]
  })
  const words = all.length === 0 ? 'The model reads nothing of the clock.' : fenced(all.map(({ text }) => text).join('\n'))
  return [`### ${mode}`, table(['turn', 'what happens', 'steps', 'readings', 'tokens'], rows), words].join('\n\n')
}

/** Each request is sent again as the beginning of the next one, byte for byte, or there is no document. */
const prefixRows = (requests: readonly Request[]): readonly (readonly Cell[])[] => {
  const bodies = requests.map(({ messages }) => Buffer.from(JSON.stringify(messages).slice(0, -1))) // without the bracket that closes the list
  return bodies.map((body, index) => {
    const next = bodies[index + 1]
    if (next !== undefined && !next.subarray(0, body.length).equals(body)) throw new Error(`request ${index + 1} is not the beginning of request ${index + 2}`)
    return [index + 1, body.length, hash(body.toString()), next === undefined ? 'no further request' : hash(next.subarray(0, body.length).toString())]
  })
}

/** @returns the hash of a part that is the same in every request */
const constant = (what: 'system' | 'tools', requests: readonly Request[]): string => {
  const hashes = new Set(requests.map(request => hash(JSON.stringify(request[what]))))
  const [only] = hashes
  if (only === undefined || hashes.size > 1) throw new Error(`${what} is not the same in every request`)
  return only
}

const proof = (sent: ReadonlyMap<Mode, readonly Request[]>): string => {
  const all = [...sent.values()].flat()
  const rows = [...sent].map(([mode, requests]) => {
    const sizes = prefixRows(requests).map(([, bytes]) => bytes)
    return [mode, requests.length, `${sizes[0]} → ${sizes.at(-1)}`, `${requests.length - 1} of ${requests.length - 1}`]
  })
  return [
    table(['mode', 'requests of the day', 'bytes of messages, first → last', 'request n is a byte prefix of request n+1'], rows),
    `The system text (sha256 ${constant('system', all)}…) and the tool schemas (sha256 ${constant('tools', all)}…) are the same in all ${all.length} requests. Request by request, for the mode that adds most:`,
    table(['request of `fine`', 'bytes', 'sha256', 'sha256 of as many bytes of the next request'], prefixRows(sent.get('fine') ?? [])),
  ].join('\n\n')
}

const EIGHT_STEPS: Turn = { pauseSeconds: 20, steps: 8, stepSeconds: 0 }

const measure = async (stage: Stage, mode: Mode, form: Form): Promise<readonly Cell[]> => {
  const all = await playAll(stage, await openSession(stage, mode, form), Array.from({ length: 10 }, () => EIGHT_STEPS))
  return [mode, form, all.length, all.length === 0 ? 0 : Math.max(...all.map(({ text }) => tokens(text))), total(all) / 10, total(all)]
}

/** What the model reads when a person switches in the page. */
const switchText = async (stage: Stage): Promise<string> => {
  const sessionId = await openSession(stage, 'cron', 'full')
  await stage.host.call('mode', { sessionId, mode: 'turn' }, '/time-reminder')
  const all = await playAll(stage, sessionId, [{ pauseSeconds: 0, steps: 1, stepSeconds: 0 }])
  const found = all.find(({ why }) => why === 'switch')
  if (found === undefined) throw new Error('the switch is not in the conversation')
  return found.text
}

const HEAD = `# The clock, as a model reads it

Written by \`node scripts/clock-doc.ts\`; do not edit. The script boots the published \`dsh web\` ${dshVersion()} with the plugin \`dsh-time-reminder\` and the offline model of this repository, plays conversations over its HTTP interface, and reads the logs back from it. The host's clock is replaced for the run, so that a day passes in a minute: it stands at ${MORNING} (${ZONE}) when a session begins and is wound on between turns and inside tools. Requests are those that the model's adapter received. Tokens are counted with o200k_base (gpt-tokenizer); DeepSeek's own tokenizer counts a little differently.

The reason in parentheses rides on the source of the message, for people: \`first\` reading of a session, \`plan\` due, another \`date\`, after a \`pause\`, a \`resume\` or a \`compaction\`, the \`clock\` set back, a new \`turn\`, a new \`step\`.`

const compose = async (stage: Stage): Promise<string> => {
  const sent = new Map<Mode, readonly Request[]>()
  const days: string[] = []
  for (const mode of MODES) {
    const sessionId = await openSession(stage, mode, 'full')
    days.push(transcript(mode, await playAll(stage, sessionId, DAY)))
    sent.set(mode, stage.requestsOf(sessionId))
  }
  const costs: (readonly Cell[])[] = []
  for (const mode of MODES) for (const form of FORMS) costs.push(await measure(stage, mode, form))
  const schema = sent.get('cron')?.[0]?.tools.find(({ name }) => name === 'time_mode')
  const sections = [
    HEAD,
    '## One day in each mode',
    ...days,
    '## Ten turns of eight steps, 20 s apart',
    table(['mode', 'form', 'readings', 'tokens of the longest', 'tokens per turn', 'tokens in context'], costs),
    `The schema of the tool \`time_mode\` adds ${tokens(JSON.stringify(schema))} tokens to every request.`,
    '## The cached prefix stays whole',
    proof(sent),
    '## A switch in the page',
    fenced(await switchText(stage)),
  ]
  return `${sections.join('\n\n')}\n`
}

const main = async (): Promise<void> => {
  const stage = await openStage()
  try {
    const text = await compose(stage)
    mkdirSync(dirname(DOCUMENT), { recursive: true })
    writeFileSync(DOCUMENT, text)
    await stage.host.stop()
  } finally {
    await endHosts()
    stage.home.remove()
  }
}

await main()
