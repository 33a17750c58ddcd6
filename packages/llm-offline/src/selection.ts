import { isObject } from './values.ts'

/** When the demo model is the default for new sessions: only without a key, whatever happens, or not at all. */
export type DefaultPolicy = 'auto' | 'always' | 'never'

/** The host's credential seam, as far as it is used here: inherited environment, the stored keys, then `.env` files. */
interface KeyStore {
  describe(ref: string): Promise<unknown>
}

const isKeyStore = (value: unknown): value is KeyStore =>
  typeof value === 'object' && value !== null && 'describe' in value && typeof value.describe === 'function'

/** What the composition's rows read to choose the default model. */
export interface OfflineModel {
  readonly isDefault: boolean
}

async function isMissing(store: KeyStore, key: string): Promise<boolean> {
  try {
    const info = await store.describe(key)
    return isObject(info) && info['configured'] === false
  } catch {
    return false
  }
}

/**
 * Whether the demo model is to be the default: under `auto`, when none of the keys is configured.
 *
 * A store that cannot answer counts as holding a key: the real provider then names the trouble, and a person who has a
 * key is never given a demo.
 *
 * @param policy the configured policy
 * @param keys names of the keys that make a real model usable
 * @param store the host's key store; of its answers only `configured` is read, never a key
 */
export async function isOfflineDefault(policy: DefaultPolicy, keys: readonly string[], store: unknown): Promise<boolean> {
  if (policy !== 'auto') return policy === 'always'
  if (!isKeyStore(store)) return false
  const missing = await Promise.all(keys.map(key => isMissing(store, key)))
  return !missing.includes(false)
}
