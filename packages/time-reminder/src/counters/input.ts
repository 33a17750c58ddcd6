import { isRefusal, refuse, type Refusal } from '../errors.ts'
import { parseFields, parseName, parseNote, parseWord, type Fields } from '../input.ts'
import { COUNTER_ACTIONS, isDepth, MAX_DEPTH, type CounterAction, type CounterScope } from './protocol.ts'

/** What is to be done with which counter. */
export interface CounterWish {
  readonly action: CounterAction
  /** Empty for `list`. */
  readonly name: string
  /** Empty to take a note back; `undefined` when nothing is said about it. */
  readonly note: string | undefined
  /** What is said about the scope. */
  readonly scope: Partial<CounterScope>
}

const FLAGS = ['inject', 'toChildren', 'toParents'] as const

/**
 * Check the arguments of `time_counter` (requirement R8).
 *
 * @param args - what the model sent, of whatever shape.
 * @returns the wish, or a refusal that names the field.
 */
export function parseCounterWish(args: unknown): CounterWish | Refusal {
  const { refusal, values } = parseFields(args, ['action', 'name', 'note', ...FLAGS, 'depth'])
  const action = refusal ?? parseWord('action', values['action'], COUNTER_ACTIONS)
  if (isRefusal(action)) return action
  const name = action === 'list' ? '' : parseName(values['name'])
  if (isRefusal(name)) return name
  const note = parseNote(values['note'])
  if (isRefusal(note)) return note
  const scope = parseScope(values)
  if (isRefusal(scope)) return scope
  if (action === 'note' && note === undefined) return refuse('bad-request', { field: 'note', detail: { code: 'note-needed' } })
  if (action === 'scope' && Object.keys(scope).length === 0) return refuse('bad-request', { detail: { code: 'scope-needed', fields: [...FLAGS, 'depth'] } })
  return { action, name, note, scope }
}

function parseScope(values: Fields): Partial<CounterScope> | Refusal {
  const bad = FLAGS.find((flag) => values[flag] !== undefined && typeof values[flag] !== 'boolean')
  if (bad !== undefined) return refuse('bad-request', { field: bad, detail: { code: 'true-or-false', field: bad } })
  const { depth } = values
  if (depth !== undefined && !isDepth(depth)) return refuse('bad-request', { field: 'depth', detail: { code: 'depth', most: MAX_DEPTH } })
  const given = FLAGS.flatMap((flag) => (values[flag] === undefined ? [] : [[flag, values[flag]] as const]))
  return { ...Object.fromEntries(given), ...(depth !== undefined && { depth }) }
}
