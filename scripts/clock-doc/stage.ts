import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bootHost, type Host } from '../../e2e/lib/host.ts'
import { makeHome, type Home } from '../../e2e/lib/home.ts'
import { talk, textOfMessage } from '../../e2e/lib/transcript.ts'
import { waitFor } from '../../e2e/lib/waiting.ts'
import type { LogEvent } from '../lib/dsh-client.ts'
import { parseJson } from '../lib/json.ts'
import { ROOT } from '../lib/workspace.ts'

/** The modes and forms that are shown. */
export const MODES = ['off', 'cron', 'turn', 'fine'] as const
export const FORMS = ['full', 'compact'] as const
export type Mode = (typeof MODES)[number]
export type Form = (typeof FORMS)[number]

/** When every session begins: a Thursday. */
export const MORNING = '2026-10-08T11:50:00+08:00'
/** Where the person is. */
export const ZONE = 'Asia/Shanghai'

/** A turn: what passes before it, how many steps it has, and what passes in each of them. */
export interface Turn {
  readonly pauseSeconds: number
  readonly steps: number
  readonly stepSeconds: number
}

/** What the model was asked, as its adapter got it. */
export interface Request {
  readonly sessionId: string
  readonly system: unknown
  readonly tools: readonly { readonly name: string }[]
  readonly messages: readonly unknown[]
}

/** One message of the clock, and where it stands; `why` is its reason, or `switch`. */
export interface Said {
  readonly turn: number
  readonly step: number
  readonly why: string
  readonly text: string
}

/** A real host whose clock stands where we put it, and which writes down what it asks the model. */
export interface Stage {
  readonly host: Host
  readonly home: Home
  readonly set: (instant: string) => void
  readonly wind: (seconds: number) => void
  readonly requestsOf: (sessionId: string) => readonly Request[]
}

const RECORDER = fileURLToPath(import.meta.resolve('./recorder.ts'))
const MOVED_CLOCK = import.meta.resolve('./moved-clock.ts')
const row = (id: string, name: string, config: object): string => [`    - id: ${id}`, `      name: ${JSON.stringify(name)}`, `      config: ${JSON.stringify(config)}`, ''].join('\n')

/** Boots the host with the clock and nothing else of this workspace but the offline model. */
export const openStage = async (): Promise<Stage> => {
  const home = await makeHome({ bundles: ['dsh-llm-offline'] })
  const [time, file] = [join(home.workspace, '../time'), join(home.workspace, '../requests.jsonl')]
  home.writeRows(`- insert:\n${row('clock', join(ROOT, 'packages/time-reminder/lib/index.js'), {})}${row('recorder', RECORDER, { file })}`)
  const set = (instant: string): void => writeFileSync(time, String(Date.parse(instant)))
  set(MORNING)
  const host = await bootHost(home, { env: { NODE_OPTIONS: `--import=${MOVED_CLOCK}`, CLOCK_DOC_TIME: time } })
  const wind = (seconds: number): void => writeFileSync(time, String(Number(readFileSync(time, 'utf8')) + seconds * 1000))
  const requests = (): readonly Request[] => readFileSync(file, 'utf8').trim().split('\n').map(line => parseJson<Request>(line))
  return { host, home, set, wind, requestsOf: sessionId => requests().filter(request => request.sessionId === sessionId) }
}

/** A new session in the morning, with a mode and a form that the running host takes from its settings. */
export const openSession = async ({ host, home, set }: Stage, defaultMode: Mode, reading: Form): Promise<string> => {
  set(MORNING)
  await host.call('settings.update', { ns: 'dsh-time-reminder', patch: { defaultMode, reading } })
  const sessionId = await host.createSession(home.workspace)
  await waitFor('the settings are taken over', async () => {
    const state = await fetch(`${host.url}/time-reminder/api/state?sessionId=${sessionId}`)
    return ((await state.json()) as { mode?: string }).mode === defaultMode
  })
  return sessionId
}

const stepsIn = (events: readonly LogEvent[]): number => events.filter(event => event.type === 'step/start').length

/** Plays one turn. In a step that takes time the model pauses, and the clock is wound on meanwhile. */
export const play = async ({ host, wind }: Stage, sessionId: string, { pauseSeconds, steps, stepSeconds }: Turn): Promise<readonly LogEvent[]> => {
  wind(pauseSeconds)
  const begun = stepsIn(await host.history(sessionId))
  const pause = stepSeconds === 0 ? [] : ['wait 1500']
  const winds = stepSeconds === 0 ? 0 : steps - 1
  const calls = Array.from({ length: steps - 1 }, () => [...pause, 'call todo_write {"todos":[]}']).flat()
  const done = talk(host, sessionId, [...calls, 'say done'].join(' ;; '), { zone: ZONE, timeout: 60_000 })
  for (let step = 1; step <= winds; step += 1) {
    await waitFor(`step ${step}`, async () => stepsIn(await host.history(sessionId)) >= begun + step, { every: 20 })
    wind(stepSeconds)
  }
  return done
}

/** What the clock put into a conversation, in order. */
export const said = (events: readonly LogEvent[]): readonly Said[] => {
  let [turn, step] = [0, 0]
  const all: Said[] = []
  for (const event of events) {
    const { source, ...data } = event.data as { readonly turn?: number; readonly step?: number; readonly source?: { readonly kind?: string; readonly why?: string } }
    if (event.type === 'step/start') [turn, step] = [data.turn ?? 0, data.step ?? 0]
    if (event.type === 'user/message' && source?.kind === 'dsh-time-reminder') all.push({ turn, step, why: source.why ?? 'switch', text: textOfMessage(event) })
  }
  return all
}
