import { listOf, member } from '../log/shape.ts'

/** One source of patches, in the order in which the host applies them. */
export interface Layer {
  /** Name for people: a bundle, or the path of a file. */
  readonly source: string
  readonly patches: readonly unknown[]
}

/** An expression in a patch, which only a host can evaluate. */
export class Expression {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}

/** A row of the composed tree. */
export interface Row {
  /** Empty where the row has none. */
  readonly id: string
  readonly name: string
  readonly state: 'on' | 'off' | 'conditional'
  readonly config: unknown
}

/** What the layers come to. */
export interface Composition {
  readonly rows: readonly Row[]
  /** Patches for a row that is not there when they are applied: the host warns and leaves them out. */
  readonly stray: readonly { readonly id: string; readonly source: string }[]
}

type Entry = Record<string, unknown>

/**
 * Apply the layers as the host does (read in 0.1.0-rc.8): an `insert` adds rows, at the top or to a group; everything else
 * names a row by its id and sets the members that it holds.
 *
 * @param layers - as they are applied.
 */
export function compose(layers: readonly Layer[]): Composition {
  const top: Entry[] = []
  const byId = new Map<string, Entry>()
  const stray: { id: string; source: string }[] = []
  const learn = (entries: readonly Entry[]): void => {
    for (const entry of entries) {
      if (typeof entry['id'] === 'string') byId.set(entry['id'], entry)
      if (isGroup(entry)) learn(entry['config'] as Entry[])
    }
  }
  for (const { source, patches } of layers) {
    for (const patch of patches.filter(isEntry)) {
      const { id, insert, name, ...members } = patch
      const target = typeof id === 'string' ? byId.get(id) : undefined
      if (insert !== undefined) {
        const entries = listOf(insert).filter(isEntry).map((entry) => structuredCopy(entry))
        if (id === undefined) top.push(...entries)
        else if (target !== undefined && isGroup(target)) (target['config'] as Entry[]).push(...entries)
        learn(entries)
      } else if (target === undefined) stray.push({ id: String(id), source })
      else if (name === undefined || name === target['name']) Object.assign(target, members)
    }
  }
  return { rows: rowsOf(top, 'on'), stray }
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isGroup(entry: Entry): boolean {
  return Boolean(entry['group']) && Array.isArray(entry['config'])
}

/** Deep enough: entries and the lists of groups are changed, everything else only replaced. */
function structuredCopy(entry: Entry): Entry {
  return isGroup(entry) ? { ...entry, config: (entry['config'] as unknown[]).filter(isEntry).map(structuredCopy) } : { ...entry }
}

function rowsOf(entries: readonly Entry[], above: Row['state']): Row[] {
  return entries.flatMap((entry) => {
    const state = stateOf(entry['disabled'], above)
    if (isGroup(entry)) return rowsOf(entry['config'] as Entry[], state)
    const { id, name, config } = entry
    return typeof name === 'string' ? [{ id: typeof id === 'string' ? id : '', name, state, config }] : []
  })
}

function stateOf(disabled: unknown, above: Row['state']): Row['state'] {
  if (above === 'off') return 'off'
  if (disabled instanceof Expression) return 'conditional'
  return disabled ? 'off' : above
}

/**
 * A member of a row's config that is a plain value.
 *
 * @param row - a row, if there is one.
 * @param key - of its config.
 * @returns `undefined` for what is absent or an expression.
 */
export function configValue(row: Row | undefined, key: string): string | number | boolean | undefined {
  const value = member(row?.config, key)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
