// Prints an overlay that mounts this folder as it is, by its absolute path: a row's name is looked up from the profile.
import { fileURLToPath } from 'node:url'

const [zone] = process.argv.slice(2)
console.log(`- insert:
    - id: tool-hours
      name: ${JSON.stringify(fileURLToPath(new URL('index.js', import.meta.url)))}${zone === undefined ? '' : `\n      config: { zone: ${JSON.stringify(zone)} }`}`)
