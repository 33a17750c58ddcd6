import type { PluginContext } from '../page.ts'

/** What a slot entry over the whole page is registered with. */
export interface OverlayEntry {
  readonly name: string
  readonly id: string
  readonly locale: string
  readonly inject: () => Readonly<Record<string, unknown>>
}

/** The page's context as the panel uses it (measured on 0.1.0-rc.8). */
export interface PanelPage extends PluginContext<PanelPage, OverlayEntry> {}
