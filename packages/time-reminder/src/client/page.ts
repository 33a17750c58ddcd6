import type { ComponentType } from 'react'

/*
 * The page as the clock uses it, measured on 0.1.0-rc.8. Written down here because the page's own packages are not
 * published as a complete set.
 */

/** The wording of a namespace in the language of the page. */
export type Translate<Key extends string> = (key: Key, values?: Readonly<Record<string, string | number>>) => string

/** Answer of a channel. */
export type PageAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: { readonly message: string } }

/** The session snapshot, as far as the clock reads it. */
export interface PageSession {
  readonly running?: unknown
}

/** What a slot entry of the header is registered with; `inject` hands members to the component. */
export interface HeaderEntry {
  readonly name: string
  readonly id: string
  /** Smaller is further left. */
  readonly order: number
  readonly locale: string
  readonly inject: () => Readonly<Record<string, unknown>>
}

/** A context of the page's plugin system. */
export interface ClockPage {
  inject(services: readonly string[], callback: (ctx: ClockPage) => void): void
  effect(start: () => () => void, label: string): void
  on(event: 'connection/reset', listener: () => void): void
  readonly locale: { register(namespace: string, dictionaries: Readonly<Record<'zh' | 'en', Readonly<Record<string, string>>>>): () => void }
  readonly connection: { readonly rpc: { call(channel: string, endpoint: string, payload: unknown): Promise<PageAnswer> } }
  readonly slots: {
    inject(slot: string, callback: () => () => void): void
    register<Props>(entry: HeaderEntry, component: ComponentType<Props>): () => void
  }
}
