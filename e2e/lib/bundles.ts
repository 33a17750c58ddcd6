import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../scripts/lib/json.ts'
import type { Home } from './home.ts'

/**
 * Takes a bundle out of a home's web profile, as `dsh plugin remove` does; its files stay where they are. Seen by the
 * next host that boots.
 *
 * @param home - the home.
 * @param name - package name of the bundle.
 */
export const unmountBundle = (home: Home, name: string): void => {
  const path = join(home.profile, 'package.json')
  const manifest = parseJson<{ dsh: { profile: { bundles: string[] } } }>(readFileSync(path, 'utf8'))
  manifest.dsh.profile.bundles = manifest.dsh.profile.bundles.filter(bundle => bundle !== name)
  writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`)
}
