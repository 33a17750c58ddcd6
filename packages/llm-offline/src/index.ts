import type { Context } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import { OfflineAdapter, PROVIDER } from './adapter.ts'
import { isOfflineDefault } from './selection.ts'
import type { DefaultPolicy, OfflineModel } from './selection.ts'

export { DISPLAY_NAME, MODEL, OfflineAdapter, PROVIDER } from './adapter.ts'
export type { Pause } from './adapter.ts'
export { formatScript, parseScript } from './script.ts'
export type { Act, ScriptStep } from './script.ts'
export type { DefaultPolicy, OfflineModel } from './selection.ts'

/** Cordis plugin name. */
export const name = 'llm-offline'

/** The model registry; keys are looked up later, where a key store is mounted. */
export const inject = ['llm']

/** Name of the service that tells the composition whether the demo model is the default. */
export const SERVICE = 'offlineModel'

/** Options of the row. */
export interface Config {
  /** When new sessions use the demo model; see {@link DefaultPolicy}. */
  asDefault: DefaultPolicy
  /** Names of the keys that make a real model usable. */
  keys: string[]
}

const OPTIONS = z.object({
  asDefault: z.union(['auto', 'always', 'never'] as const).default('auto').description('When new sessions use the demo model: auto while no key is set, always, or never but by choice.'),
  keys: z.array(z.string()).default(['DEEPSEEK_API_KEY']).description('Names of the keys that make a real model usable.'),
})

/** Validation of {@link Config}. */
export const Config: z<Config> = OPTIONS.i18n({
  zh: {
    asDefault: '新会话何时使用演示模型：auto 没有密钥时，always 总是，never 只在人选择时。',
    keys: '哪些名字的密钥使真正的模型可用。',
  },
})

/**
 * Registers the demo model, and tells as soon as the key store is up whether it is the default.
 *
 * @param ctx the plugin's context
 * @param config validated options
 */
export function apply(ctx: Context, config: Config): void {
  ctx.llm.registerAdapter([PROVIDER], new OfflineAdapter())
  ctx.inject(['credentials'], async keyed => {
    const isDefault = await isOfflineDefault(config.asDefault, config.keys, keyed.get('credentials'))
    keyed.provide(SERVICE, { isDefault } satisfies OfflineModel)
  })
}
