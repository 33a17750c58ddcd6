import { readChange } from './change.ts'
import { EVENT_TYPES } from './event-types.ts'
import type { Problem } from './problem.ts'
import type { StoredEvent } from './scan.ts'
import { listOf, member } from './shape.ts'

/** What is wrong with one event, without the place where it stands. */
export type Obstacle = Pick<Problem, 'code' | 'detail'>

/** Packages whose messages have to carry their own kind. */
const OURS: ReadonlySet<unknown> = new Set(['dsh-tool-schedule', 'dsh-time-reminder'])

/** What a source of the shared kind may hold, and the one form that each further member belongs to. */
const PLUGIN_MEMBERS: Readonly<Record<string, string | undefined>> = { kind: undefined, plugin: undefined, form: undefined, sections: 'snapshot', summary: 'notice' }

/**
 * What a later host's strict migration would refuse about an event (requirement X7). One such event makes the whole
 * session impossible to take along. Checked are the rules that events of plugins can break: known types,
 * `schedule/change` in exactly version 1, sources of messages, errors of tool results.
 *
 * @param event - an event as stored.
 * @returns nothing for an event that can be migrated.
 */
export function obstacles({ type, data, ignorable }: StoredEvent): readonly Obstacle[] {
  if (!EVENT_TYPES.has(type)) return [{ code: ignorable === true ? 'ignorable_type' : 'unknown_type', detail: type }]
  switch (type) {
    case 'schedule/change':
      return changeObstacles(data)
    case 'user/message':
      return sourceObstacles(member(data, 'source'))
    case 'agent/inbox/spliced':
      return listOf(member(data, 'inserted')).flatMap((message) => sourceObstacles(member(message, 'source')))
    case 'tool/result':
      return errorObstacles(member(data, 'error'))
    default:
      return []
  }
}

function changeObstacles(data: unknown): readonly Obstacle[] {
  const change = readChange(data)
  return typeof change === 'string' ? [{ code: 'not_version_1', detail: change }] : []
}

function sourceObstacles(source: unknown): readonly Obstacle[] {
  const kind = member(source, 'kind')
  if (typeof kind !== 'string' || kind === '') return [{ code: 'foreign_source', detail: 'no kind' }]
  const plugin = kind === 'plugin' ? member(source, 'plugin') : kind.replace(/^plugin:/, '')
  if (kind.startsWith('plugin') && OURS.has(plugin)) return [{ code: 'foreign_source', detail: `${String(plugin)} under the kind ${kind}` }]
  if (kind !== 'plugin') return []
  const form = member(source, 'form')
  const foreign = Object.keys(source as object).find((name) => !Object.hasOwn(PLUGIN_MEMBERS, name) || (PLUGIN_MEMBERS[name] ?? form) !== form)
  return foreign === undefined ? [] : [{ code: 'foreign_member', detail: `source.${foreign}` }]
}

/** An error of a result is exactly its name and its code. */
function errorObstacles(error: unknown): readonly Obstacle[] {
  if (error === undefined) return []
  const names = typeof error === 'object' && error !== null ? Object.keys(error) : []
  return names.toSorted().join() === 'code,name' ? [] : [{ code: 'foreign_member', detail: 'error' }]
}
