import { makeDefinitions, type Definitions } from '../../src/client/definitions.ts'
import type { PageContext, PageDefinition, PageEvent, PageLocation, PageNode } from '../../src/client/page.ts'

/** A page that assembles the rows of a whole window, by the host's rules as they were measured. */
export interface Assembled {
  readonly definitions: Definitions
  readonly nodes: readonly PageNode[]
}

type Context = PageContext<unknown> & { readonly seq: number; readonly definition: PageDefinition<unknown> }

export function assemble(events: readonly PageEvent[], location: (event: PageEvent) => PageLocation = () => ({ kind: 'session' })): Assembled {
  const definitions = makeDefinitions()
  const contexts: Context[] = []
  for (const event of events.toSorted((one, other) => one.seq - other.seq)) {
    for (const definition of [definitions.evidence, definitions.receipt, definitions.answer] as readonly PageDefinition<unknown>[]) {
      const match = definition.match(event)
      if (match === null) continue
      const key = `${definition.kind.length}:${definition.kind}${match.id}`
      if (contexts.some((context) => context.key === key)) throw new Error(`started twice: ${key}`)
      const start = { event, location: location(event) }
      const empty: PageContext<unknown> = { key, id: match.id, start, state: undefined }
      const previous = (kind: string): { readonly state: unknown } | undefined => contexts.findLast((context) => context.definition.kind === kind)
      const state = definition.start(empty, start, { previous })
      contexts.push({ ...empty, state: definition.update({ ...empty, state }), seq: event.seq, definition })
    }
  }
  return { definitions, nodes: contexts.flatMap((context) => context.definition.buildViewNode?.(context) ?? []) }
}
