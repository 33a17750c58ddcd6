import { join } from 'node:path'
import { runQuietly } from './child.ts'
import { ROOT, type Package } from './workspace.ts'

const PNPM = [process.execPath, join(ROOT, '.toolchain/node_modules/pnpm/bin/pnpm.mjs')]

/**
 * Packs a built package as it would be published.
 * @param folder where the tarball goes
 * @returns the path of the tarball
 * @throws when pnpm refuses, with its words
 */
export const pack = async (member: Package, folder: string): Promise<string> => {
  const { code, output } = await runQuietly([...PNPM, 'pack', '--pack-destination', folder], { cwd: member.folder })
  if (code !== 0) throw new Error(`pnpm pack failed for ${member.name}\n${output}`)
  return join(folder, `${member.name}-${member.manifest.version}.tgz`)
}
