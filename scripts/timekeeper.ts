// npm run timekeeper -- …: the command line of the bundle, freshly built. Nothing but its own output goes to stdout.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildPackages } from './lib/build.ts'
import { packages } from './lib/workspace.ts'

const cli = (): string => {
  const bundle = packages().find(({ manifest }) => manifest.bin?.['timekeeper'] !== undefined)
  if (bundle?.manifest.bin?.['timekeeper'] === undefined) throw new Error('no package has the program timekeeper')
  return join(bundle.folder, bundle.manifest.bin['timekeeper'])
}

await buildPackages(line => console.error(line), 'bundles')
// Paths on the command line are meant from where the person typed it, which npm changes.
process.chdir(process.env['INIT_CWD'] ?? process.cwd())
await import(pathToFileURL(cli()).href)
