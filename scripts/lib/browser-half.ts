import { join } from 'node:path'
import type { UserConfig } from 'tsdown'
import { ROOT, packages, type Package } from './workspace.ts'

/**
 * What the page gives to every browser half (0.1.0-rc.8). Anything else is bundled: a second copy of React would not
 * know the first one's hooks, and a name that is not in this table cannot be loaded at all.
 */
const SHARED = new Set([
  'react',
  'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  '@deepseek-ai/cordis',
  '@deepseek-ai/dsh-client-ui-slots',
  '@deepseek-ai/dsh-client-ui-primitives',
  '@deepseek-ai/dsh-client-runtime/client',
])

/** Browser halves are put together from sources: each package's own bundle is in the page's format, not a module. */
const sources = (): Readonly<Record<string, string>> =>
  Object.fromEntries(packages().flatMap(({ name, client }) => (client === undefined ? [] : [[`${name}/client`, client]])))

/**
 * How the browser half of a package becomes `lib/client.js`: one classic script that registers a factory under the
 * package's name; the page runs it when the row is mounted. No code splitting, no further files.
 *
 * @returns undefined for a package without a browser half
 */
export const browserConfigOf = ({ name, folder, client }: Package): UserConfig | undefined =>
  client === undefined
    ? undefined
    : {
        cwd: folder,
        entry: { client },
        outDir: 'lib',
        format: 'cjs',
        platform: 'neutral',
        inputOptions: { platform: 'browser' },
        target: 'es2022',
        dts: false,
        clean: false,
        sourcemap: true,
        minify: true,
        define: { 'process.env.NODE_ENV': '"production"' },
        alias: { ...sources() },
        deps: { neverBundle: (id: string) => SHARED.has(id), alwaysBundle: (id: string) => !SHARED.has(id), onlyImport: [] },
        tsconfig: join(ROOT, 'tsconfig.client.json'),
        logLevel: 'warn',
        checks: { pluginTimings: false },
        outputOptions: {
          entryFileNames: 'client.js',
          banner: `window.__ModuleLoader__.load({ id: ${JSON.stringify(name)}, factory: require => { const module = { exports: {} }; let exports = module.exports;`,
          footer: 'return module.exports } })',
        },
      }
