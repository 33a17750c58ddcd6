import { readFileSync, readdirSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import type { Package } from './workspace.ts'

/** As a bundler writes them: static imports and re-exports at the left margin, and calls of `import()`, of types too. */
const IMPORTS = [/^(?:import|export)\b[^;"'`]*?\bfrom "([^"]+)"/gm, /^import "([^"]+)"/gm, /\bimport\("([^"]+)"\)/g]

/** A browser half is given its modules by the page, and nobody else loads it. */
const BROWSER_HALF = 'client.js'

const packageOf = (specifier: string): string => specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/')

/** @returns the packages that a text imports */
const importedBy = (text: string): readonly string[] =>
  IMPORTS.flatMap(pattern => [...text.matchAll(pattern)].map(([, specifier = '']) => specifier))
    .filter(specifier => !specifier.startsWith('.') && !isBuiltin(specifier))
    .map(packageOf)

/**
 * Whoever installs a package gets what its manifest names, and nothing else.
 * @param member built
 * @returns one line per published file and package that it imports, also for its types alone, and does not declare
 */
export const undeclaredImports = ({ folder, name, manifest }: Package): readonly string[] => {
  const declared = new Set([name, ...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})])
  const files = readdirSync(join(folder, 'lib')).filter(file => /\.(?:js|d\.ts)$/.test(file) && file !== BROWSER_HALF)
  return files.flatMap(file => {
    const missing = new Set(importedBy(readFileSync(join(folder, 'lib', file), 'utf8')).filter(imported => !declared.has(imported)))
    return [...missing].map(imported => `${name}: lib/${file} imports ${imported}, which package.json does not declare`)
  })
}
