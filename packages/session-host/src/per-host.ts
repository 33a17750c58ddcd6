import type { Context } from '@deepseek-ai/cordis'

interface Shared {
  readonly value: unknown
  readonly dispose: () => void
  users: number
}

const hosts = new WeakMap<object, Map<string, Shared>>()

/**
 * One value per host process part: every plugin that asks under the same name on the same root context gets the
 * same value, and the last user's unload disposes it. Plugins must not import each other, so what they have to
 * share (the alarm clock, the durability watermarks) is kept here instead of in a module variable, which two
 * hosts in one process would share by accident.
 *
 * @param ctx - context of the asking plugin; its unload counts as giving the value back.
 * @param name - name of the shared value, unique in this package.
 * @param create - builds the value for its first user and says how to dispose it.
 * @returns the shared value.
 */
export function perHost<T>(ctx: Context, name: string, create: (root: Context) => { value: T; dispose: () => void }): T {
  const root = ctx.root
  const values = hosts.get(root) ?? new Map<string, Shared>()
  hosts.set(root, values)
  const shared: Shared = values.get(name) ?? { ...create(root), users: 0 }
  values.set(name, shared)
  shared.users += 1
  ctx.effect(() => () => {
    shared.users -= 1
    if (shared.users > 0) return
    values.delete(name)
    shared.dispose()
  }, `session-host ${name}`)
  return shared.value as T
}
