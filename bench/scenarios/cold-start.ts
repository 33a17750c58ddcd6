import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { foldScheduleEvents } from '@deepseek-ai/dsh-schedule'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { judge, type Findings } from '../findings.ts'
import { mountHost, turn, type BenchHost } from '../host.ts'
import { settled } from '../meter.ts'
import { median } from '../stats.ts'
import { SCHEDULES } from '../subjects.ts'

/** A home with stored sessions: one in ten owes a reminder in a month, one of all owes one since long. */
interface Home {
  readonly root: string
  readonly sessions: number
}

/** A start of a host on that home. */
interface Start {
  /** Milliseconds from mounting the plugin until the overdue session is asked for. */
  readonly knownMs: number
  /** Logs that had been listed or read by then. */
  readonly touchedBefore: number
  /** Logs that were read in the background after that, and how long it took from the first listing. */
  readonly read: number
  readonly checkMs: number
}

/** What one home has shown. */
interface Measured {
  readonly goals: Findings['goals']
  readonly rows: readonly Readonly<Record<string, string | number>>[]
}

interface Stored {
  listSnapshots(signal?: AbortSignal): Promise<readonly { readonly header: { readonly id: string; readonly seedLength?: number } }[]>
  readFrom(id: string, from: number, signal?: AbortSignal): Promise<{ readonly events: readonly SessionEvent[] }>
}

const CHANGED = 10
/** Reading every log takes some milliseconds for each, so it is only done up to here. */
const INSPECTED = 100
const STARTS = 2
const MONTH_S = 30 * 86_400
const NAMES = ['plain', 'later', 'overdue'] as const

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const storeOf = ({ ctx }: BenchHost): Stored => ctx.get('sessionPersistence') as unknown as Stored

/** One stored session of each sort, written by the real host and the real tool. */
async function writeSamples(root: string): Promise<void> {
  const host = await mountHost({ root })
  await SCHEDULES[0]?.mount(host.ctx, root)
  host.model.pieces = 180
  for (const [index, seconds] of [0, MONTH_S, 1].entries()) {
    const { agent, dispose } = await host.create(`sample-${NAMES[index] ?? ''}`)
    if (seconds > 0) host.model.next = { tool: 'schedule_create', args: { prompt: 'check the build', after_seconds: seconds, wake: true } }
    await turn(agent)
    await host.ctx.sessions.flush(agent.session)
    await dispose()
  }
  await host.dispose()
}

/** Copies of the samples under ids of their own, in frames as the host writes them: the header, and the rest. */
async function makeHome(sessions: number): Promise<Home> {
  const samples = mkdtempSync(join(tmpdir(), 'timekeeper-bench-samples-'))
  await writeSamples(samples)
  const root = mkdtempSync(join(tmpdir(), 'timekeeper-bench-home-'))
  const files = readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl.zstd'))
  const texts = new Map(files.map((name) => [/sample-(\w+)/.exec(name)?.[1], { name, text: decompress(readFileSync(join(samples, name))) }]))
  for (let number = 0; number < sessions; number += 1) {
    const sort = number === 0 ? 'overdue' : number % 10 === 0 ? 'later' : 'plain'
    const { name, text } = texts.get(sort) ?? { name: '', text: '' }
    const [from, id] = [`sample-${sort}`, `stored-${number}`]
    const path = join(root, name.replaceAll(from, id))
    const copy = text.replaceAll(from, id)
    const end = copy.indexOf('\n') + 1
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, Buffer.concat([frame(copy.slice(0, end)), frame(copy.slice(end))]))
  }
  rmSync(samples, { recursive: true, force: true })
  return { root, sessions }
}

const frame = (text: string): Buffer => zstdCompressSync(text, { params: { 201: 1 } })

function decompress(bytes: Buffer): string {
  const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
  const starts = [0]
  for (let at = bytes.indexOf(MAGIC, 1); at > 0; at = bytes.indexOf(MAGIC, at + 1)) starts.push(at)
  return starts.map((at, index) => zstdDecompressSync(bytes.subarray(at, starts[index + 1])).toString('utf8')).join('')
}

/** Start a host on the home, and let it run until the background check has come to its end. */
async function start({ root }: Home): Promise<Start> {
  const host = await mountHost({ root })
  const seen = { listings: 0, read: 0, open: 0, firstAt: 0, lastAt: 0 }
  spy(storeOf(host), seen)
  const asked: Pick<Start, 'knownMs' | 'touchedBefore'>[] = []
  const begin = performance.now()
  provideController(host, () => asked.push({ knownMs: performance.now() - begin, touchedBefore: seen.listings + seen.read }))
  await SCHEDULES[0]?.mount(host.ctx, root)
  while (asked.length === 0 || seen.listings === 0 || seen.open > 0 || performance.now() - seen.lastAt < 150) await pause(10)
  await host.dispose()
  return { ...(asked[0] as (typeof asked)[number]), read: seen.read, checkMs: seen.lastAt - seen.firstAt }
}

/** A host with a page can bring sessions back; this one says that it cannot just now, so that the next start finds the same. */
function provideController({ ctx }: BenchHost, asked: () => unknown): void {
  const controller = {
    async resolveAgent() {
      asked()
      return { error: { code: 'later' } }
    },
  }
  ctx.provide('sessionController', controller)
}

function spy(store: Stored, seen: { listings: number; read: number; open: number; firstAt: number; lastAt: number }): void {
  const around = async <T>(what: 'listings' | 'read', job: () => Promise<T>): Promise<T> => {
    seen[what] += 1
    seen.open += 1
    seen.firstAt ||= performance.now()
    try {
      return await job()
    } finally {
      seen.open -= 1
      seen.lastAt = performance.now()
    }
  }
  const [list, read] = [store.listSnapshots.bind(store), store.readFrom.bind(store)]
  store.listSnapshots = (signal) => around('listings', () => list(signal))
  store.readFrom = (id, from, signal) => around('read', () => read(id, from, signal))
}

/** Without an index there is one way to know what is owed: read every log, and fold it. */
async function inspect({ root }: Home): Promise<number> {
  const host = await mountHost({ root })
  const store = storeOf(host)
  const begin = performance.now()
  for (const { header } of await store.listSnapshots()) foldScheduleEvents((await store.readFrom(header.id, 0)).events, header.seedLength)
  const ms = performance.now() - begin
  await host.dispose()
  return ms
}

/** Another host, without the plugin, goes on with some of the sessions. */
async function change({ root }: Home): Promise<void> {
  const host = await mountHost({ root })
  for (let number = 1; number <= CHANGED; number += 1) {
    const { agent, dispose } = await host.resume(`stored-${number}`)
    await host.ctx.sessions.flush(agent.session)
    await dispose()
  }
  await settled()
  await host.dispose()
}

/** What a home that has an index is like to start on. */
async function measure(home: Home, first: Start): Promise<Measured> {
  const { sessions } = home
  const theirs = sessions > INSPECTED ? undefined : await inspect(home)
  const again: Start[] = []
  for (let number = 0; number < STARTS; number += 1) again.push(await start(home))
  await change(home)
  const changed = await start(home)
  const known = median(again.map(({ knownMs }) => knownMs))
  const row = (what: string, one: Start): Record<string, string | number> => ({ 'stored sessions': sessions, start: what, 'known after ms': one.knownMs, 'logs touched before': one.touchedBefore, 'logs read after': one.read, 'check took ms': one.checkMs })
  const inspected = theirs === undefined ? [] : [row('theirs: every log', { knownMs: theirs, touchedBefore: sessions, read: 0, checkMs: 0 })]
  const at = `at ${sessions.toLocaleString('en')} stored sessions`
  return {
    goals: [
      judge(`P4 what is owed is known ${at} (ms)`, { atMost: 50 }, known, theirs ?? null),
      judge(`P4 logs listed or read before that ${at}`, { exactly: 0 }, Math.max(...again.map(({ touchedBefore }) => touchedBefore)), theirs === undefined ? null : sessions),
      judge(`P4 logs read in the background ${at}, nothing changed`, { exactly: 0 }, Math.max(...again.map(({ read }) => read))),
      judge(`P4 logs read in the background ${at}, ${CHANGED} changed`, { exactly: CHANGED }, changed.read),
    ],
    rows: [row('without an index', first), row('nothing changed', { ...(again[0] ?? first), knownMs: known }), row(`${CHANGED} changed`, changed), ...inspected],
  }
}

/**
 * How soon a start knows what is owed (requirement P4).
 *
 * @param isQuick - a hundred sessions only.
 */
export async function coldStart(isQuick: boolean): Promise<Findings> {
  const homes: Home[] = []
  try {
    for (const sessions of isQuick ? [100] : [100, 1000, 5000]) homes.push(await makeHome(sessions))
    // Side by side: a start without an index lets more than a minute pass, whatever the home.
    const firsts = await Promise.all(homes.map(start))
    const found: Measured[] = []
    for (const [index, home] of homes.entries()) found.push(await measure(home, firsts[index] as Start))
    return { goals: found.flatMap(({ goals }) => goals), tables: [{ title: 'Cold start: what is owed in sessions that nobody has open', rows: found.flatMap(({ rows }) => rows) }] }
  } finally {
    for (const { root } of homes) rmSync(root, { recursive: true, force: true })
  }
}
