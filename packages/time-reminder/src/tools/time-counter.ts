import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { plainLine, type Instant, type ZoneName } from 'dsh-time-core'
import type { Counter } from '../counters/fold.ts'
import { parseCounterWish, type CounterWish } from '../counters/input.ts'
import type { Seen } from '../counters/lineage.ts'
import { COUNTER_ACTIONS, COUNTER_TOOL, counterMeta, DEFAULT_SCOPE, MAX_DEPTH, type CounterScope } from '../counters/protocol.ts'
import { viewCounter, viewSeen, type Look } from '../counters/view.ts'
import { isRefusal, refuse } from '../errors.ts'
import { stamp } from '../frame.ts'
import { shortDuration } from '../words.ts'
import { defineTimeTool, type Answer, type PortOf, type ToolPort } from './definition.ts'

/** What the tool of one session works with. */
export interface CounterPort extends ToolPort {
  now(): Instant
  zone(): ZoneName
  readonly counters: ReadonlyMap<string, Counter>
  /** Counters of other sessions that this one sees, the nearest first. */
  seen(): readonly Seen[]
}

/** Most counters of one session. */
const COUNTER_LIMIT = 100

/** Most rows of one list; the total counts them all (requirement P7). */
const LIST_LIMIT = 50

/** How much of an argument a title shows (code points). */
const TITLE_LENGTH = 80

const DESCRIPTION =
  'Time your work. start begins a counter, or begins it anew; lapse and list tell; reset, note, scope and remove change it. inject: tell it with every time reading; toChildren, toParents, depth: which subagents and parents see it.'

const FLAG = { type: 'boolean' }

/**
 * The tool that times work (requirement R8). It appends nothing of its own: its result is the record.
 *
 * @param portOf - the open sessions.
 */
export function counterTool(portOf: PortOf<CounterPort>): ToolDefinition {
  const properties = {
    action: { type: 'string', enum: [...COUNTER_ACTIONS] },
    name: { type: 'string' },
    note: { type: 'string' },
    inject: FLAG,
    toChildren: FLAG,
    toParents: FLAG,
    depth: { type: 'integer', description: `Generations, 1 to ${MAX_DEPTH}` },
  }
  const spec = {
    name: COUNTER_TOOL,
    description: DESCRIPTION,
    parameters: { properties, required: ['action'] },
    run: (args: unknown, port: CounterPort) => answer(port, args),
    meta: counterMeta,
    title,
  }
  return defineTimeTool(spec, portOf)
}

function answer(port: CounterPort, args: unknown): Answer {
  const wish = parseCounterWish(args)
  if (isRefusal(wish)) return wish
  const look: Look = { now: port.now(), zone: port.zone() }
  const counter = port.counters.get(wish.name)
  switch (wish.action) {
    case 'list':
      return list(port, look)
    case 'lapse':
      return lapse(port, wish.name, look)
    case 'start':
      return start(port, wish, look, counter)
    default:
      return counter === undefined ? refuse('no-such-counter', { field: 'name' }) : change(wish, counter, look)
  }
}

function list(port: CounterPort, look: Look): Answer {
  const rows = [...[...port.counters.values()].map((counter) => viewCounter(counter, look)), ...port.seen().map((seen) => viewSeen(seen, look))]
  return { total: rows.length, counters: rows.slice(0, LIST_LIMIT) }
}

function lapse(port: CounterPort, name: string, look: Look): Answer {
  const own = port.counters.get(name)
  if (own !== undefined) return viewCounter(own, look)
  const seen = port.seen().find(({ counter }) => counter.name === name)
  return seen === undefined ? refuse('no-such-counter', { field: 'name' }) : viewSeen(seen, look)
}

/** What is not said stays as it was; for a new counter it is the default. */
function start(port: CounterPort, { name, note, scope }: CounterWish, look: Look, before: Counter | undefined): Answer {
  if (before === undefined && port.counters.size >= COUNTER_LIMIT) return refuse('too-many', { detail: { code: 'counter-limit', most: COUNTER_LIMIT } })
  const ended = before === undefined ? {} : { before: shortDuration(look.now - before.since) }
  return { set: true, action: 'start', name, ...ended, since: stamp(look.now, look.zone), ...noteMember(note ?? before?.note), ...scopeOf({ ...DEFAULT_SCOPE, ...before, ...scope }) }
}

function change({ action, name, note, scope }: CounterWish, counter: Counter, look: Look): Answer {
  const lapsed = shortDuration(look.now - counter.since)
  if (action === 'remove') return { set: true, action, name, lapse: lapsed }
  const time = action === 'reset' ? { before: lapsed, since: stamp(look.now, look.zone) } : { lapse: lapsed }
  return { set: true, action, name, ...time, ...noteMember(note ?? counter.note), ...scopeOf({ ...counter, ...scope }) }
}

function noteMember(note: string | undefined): { readonly note?: string } {
  return note === undefined || note === '' ? {} : { note }
}

function scopeOf({ inject, toChildren, toParents, depth }: CounterScope): CounterScope {
  return { inject, toChildren, toParents, depth }
}

function title(args: unknown): string {
  const wish = parseCounterWish(args)
  return isRefusal(wish) ? 'Counter' : plainLine(`Counter: ${wish.action} ${wish.name}`, TITLE_LENGTH)
}
