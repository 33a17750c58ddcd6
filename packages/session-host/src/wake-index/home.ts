import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Where the wake index of a home is kept. The home is found as the host finds it (read in 0.1.0-rc.8): `DSH_HOME`
 * unless blank, else `~/.dsh`; a leading `~` is the user's directory.
 *
 * @param configured - path from the configuration; replaces the default.
 * @param env - environment with `DSH_HOME`.
 * @returns an absolute path.
 */
export function wakeIndexPath(configured: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  if (configured !== undefined) return resolve(expand(configured))
  const home = env['DSH_HOME']?.trim() ? env['DSH_HOME'] : join('~', '.dsh')
  return resolve(expand(home), 'timekeeper', 'wake.sqlite')
}

function expand(path: string): string {
  return /^~($|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : path
}
