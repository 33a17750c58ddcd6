import type { ComponentType } from 'react'
import type { PageAnswer } from '../page.ts'

/** What a slot entry over the whole page is registered with. */
export interface OverlayEntry {
  readonly name: string
  readonly id: string
  readonly locale: string
  readonly inject: () => Readonly<Record<string, unknown>>
}

/** A context of the page's plugin system, as the panel uses it (measured on 0.1.0-rc.8). */
export interface PanelPage {
  inject(services: readonly string[], callback: (ctx: PanelPage) => void): void
  effect(start: () => () => void, label: string): void
  on(event: 'connection/reset', listener: () => void): void
  readonly locale: { register(namespace: string, dictionaries: Readonly<Record<'zh' | 'en', Readonly<Record<string, string>>>>): () => void }
  readonly connection: { readonly rpc: { call(channel: string, endpoint: string, payload: unknown): Promise<PageAnswer> } }
  readonly slots: {
    inject(slot: string, callback: () => () => void): void
    register<Props>(entry: OverlayEntry, component: ComponentType<Props>): () => void
  }
}
