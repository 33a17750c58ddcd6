import { join } from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'
import { browserConfigOf } from './scripts/lib/browser-half.ts'
import { ROOT, packages, type Package } from './scripts/lib/workspace.ts'

/** Always the copies of the running host, never ours: two copies of its modules would not know each other. */
const HOST = /^@deepseek-ai\//

/**
 * A member that is a DSH bundle is installed alone, without a registry: it carries everything but the host. What its
 * entries share lies in chunks, so that there is one copy of it at run time.
 */
const STANDALONE: UserConfig = {
  // The library for WebSockets then does not look for its optional native helpers, which are not here.
  define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
  deps: { neverBundle: HOST, alwaysBundle: id => !HOST.test(id) && !id.startsWith('node:'), onlyImport: [HOST] },
}

/** A library leaves its dependencies to whoever installs it. */
const LIBRARY: UserConfig = {
  deps: { neverBundle: true },
}

/**
 * The declarations of what was bundled leave bare imports behind, which say nothing and name packages that whoever
 * installs ours need not have.
 */
const WITHOUT_BARE_IMPORTS: NonNullable<UserConfig['plugins']> = {
  name: 'without-bare-imports',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && file.fileName.endsWith('.d.ts')) file.code = file.code.replaceAll(/^import "[^"]+";\n?/gm, '')
    }
  },
}

/** @returns how one member of packages/ becomes its lib folder: ESM for Node, with declarations */
export const configOf = (member: Package): UserConfig => ({
  cwd: member.folder,
  entry: { ...member.entries },
  outDir: 'lib',
  format: 'esm',
  platform: 'node',
  target: 'es2024',
  fixedExtension: false,
  dts: true,
  clean: true,
  tsconfig: join(ROOT, 'tsconfig.json'),
  logLevel: 'warn',
  // How long its own parts take is no news to somebody who starts a clone for the first time.
  checks: { pluginTimings: false },
  plugins: [WITHOUT_BARE_IMPORTS],
  ...(member.manifest.dsh?.bundle === undefined ? LIBRARY : STANDALONE),
})

export default defineConfig(packages().flatMap(member => [configOf(member), browserConfigOf(member)].filter(config => config !== undefined)))
