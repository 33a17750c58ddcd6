import type { ComponentType } from 'react'

/*
 * The page as this package uses it, measured on 0.1.0-rc.8. Written down here because the page's own packages are not
 * published as a complete set, and because the next version deals the same calls out to other packages.
 */

/** One event as the page hands it to a definition. */
export interface PageEvent {
  readonly seq: number
  readonly type: string
  readonly time: number
  readonly data: unknown
  readonly surfaceOp?: unknown
}

/** Where an event lies in the conversation. */
export interface PageLocation {
  readonly kind: string
  readonly turn?: { readonly end?: { readonly data?: unknown } | undefined }
}

/** An event that a definition has claimed. */
export interface PageMatch {
  readonly event: PageEvent
  readonly location: PageLocation
}

/** What is assembled under one identity of a definition. */
export interface PageContext<State> {
  readonly key: string
  readonly id: string
  readonly start: PageMatch | undefined
  readonly state: State | undefined
}

/** A row of the transcript; `hidden` ones are only there to be read. */
export interface PageNode<Data = unknown> {
  readonly key: string
  readonly kind: string
  readonly id: string
  readonly target: 'chat'
  /** Sorts the rows; between two events is a fraction. */
  readonly anchorSeq: number
  readonly location: PageLocation
  readonly visibility: 'visible' | 'hidden'
  readonly data: Data
}

/** The nearest earlier context of a definition. */
export interface PageReader {
  previous(kind: string): { readonly state: unknown } | undefined
}

/**
 * A state machine from events to rows. A method that throws stops the transcript of the session for good, and so does
 * an id that is started twice: every method has to be total, and every id unique in a log.
 */
export interface PageDefinition<State> {
  readonly kind: string
  readonly target?: 'chat'
  match(event: PageEvent): { readonly id: string; readonly role: 'start' } | null
  start(context: PageContext<State>, match: PageMatch, reader: PageReader): State
  update(context: PageContext<State> & { readonly state: State }): State
  buildViewNode?(context: PageContext<State>): PageNode | null
}

/** The wording of a namespace in the language of the page. */
export type Translate<Key extends string> = (key: Key, values?: Readonly<Record<string, string | number>>) => string

/** What the page gives a row. */
export interface RowProps<Data, Key extends string> {
  readonly node: PageNode<Data>
  readonly sessionId: string
  readonly t: Translate<Key>
  readonly useSession: <T>(select: (session: PageSession) => T) => T
}

/** The session snapshot, as far as rows read it. */
export interface PageSession {
  readonly chat?: { readonly nodes?: { get(key: string): PageNode | undefined } }
}

/** What a slot entry is registered with; `inject` hands members to the component. */
export interface SlotEntry {
  readonly name: string
  readonly key: string
  readonly locale: string
  readonly inject: () => Readonly<Record<string, unknown>>
}

/** A context of the page's plugin system: what every part of this plugin uses of it. */
export interface PluginContext<Self, Entry> {
  inject(services: readonly string[], callback: (ctx: Self) => void): void
  effect(start: () => () => void, label: string): void
  on(event: 'connection/reset', listener: () => void): void
  readonly locale: { register(namespace: string, dictionaries: Readonly<Record<'zh' | 'en', Readonly<Record<string, string>>>>): () => void }
  readonly connection: { readonly rpc: { call(channel: string, endpoint: string, payload: unknown): Promise<PageAnswer> } }
  readonly slots: {
    inject(slot: string, callback: () => () => void): void
    register<Props>(entry: Entry, component: ComponentType<Props>): () => void
  }
}

/** The context as the receipts use it. */
export interface PagePlugin extends PluginContext<PagePlugin, SlotEntry> {
  readonly conversationEvents: { register<State>(definition: PageDefinition<State>): unknown }
}

/** Answer of a channel. */
export type PageAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: { readonly message: string } }
