#!/usr/bin/env node
/**
 * The `timekeeper` command. It looks into stored sessions and asks no host.
 *
 * @module dsh-timekeeper/cli
 */
import { homedir } from 'node:os'
import { askBrowser } from './cli/doctor/browser/server.ts'
import { runCli } from './cli/main.ts'

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has had enough (`timekeeper inspect | head`) is no fault.
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

// That the SQLite of Node may still change is no news to whoever runs this program.
const print = process.listeners('warning')
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') for (const listener of print) listener(warning)
})

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  userHome: homedir(),
  machine: {
    node: process.versions.node,
    tz: process.versions['tz'] ?? '?',
    icu: process.versions['icu'] ?? '?',
    // Where TZ names no zone there is none, whatever the type says.
    zone: (new Intl.DateTimeFormat().resolvedOptions() as { readonly timeZone?: string }).timeZone ?? '?',
  },
  now: () => Date.now(),
  askBrowser,
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  // From the beginning of the line, which is then cleared to its end.
  status: process.stderr.isTTY ? (text) => void process.stderr.write(`\r${text}\u001b[K`) : undefined,
})
