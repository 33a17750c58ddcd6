import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, readManifest } from './workspace.ts'

const LOCK = join(ROOT, 'package-lock.json')

/**
 * A lock that lists the root's own dependencies and nothing below them. npm reads package.json's `engines`, which hold
 * the sentence that refuses `npm install` and `npm ci`, only after it knows the whole tree; with this it knows at once
 * and asks no registry.
 */
const wanted = (): string => {
  const { name, version, devDependencies = {} } = readManifest(ROOT)
  const packages: Record<string, object> = { '': { name, version, devDependencies } }
  for (const [dependency, range] of Object.entries(devDependencies)) packages[`node_modules/${dependency}`] = { version: range, dev: true }
  const lock = {
    '//': 'Nothing is installed from this file: it lets npm refuse at once. Written by `npm run build -- --docs`; see scripts/lib/npm-refusal.ts',
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages,
  }
  return `${JSON.stringify(lock, undefined, 2)}\n`
}

/** @returns whether package-lock.json lists the dependencies of today */
export const isRefusalFresh = (): boolean => existsSync(LOCK) && readFileSync(LOCK, 'utf8') === wanted()

/** Writes package-lock.json. */
export const writeRefusal = (): void => writeFileSync(LOCK, wanted())
