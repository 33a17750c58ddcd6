#!/usr/bin/env node
/**
 * The `timekeeper` command. It looks into stored sessions and asks no host.
 *
 * @module dsh-timekeeper/cli
 */
import { homedir } from 'node:os'
import { runCli } from './cli/main.ts'

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has had enough (`timekeeper inspect | head`) is no fault.
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

process.exitCode = runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  userHome: homedir(),
  now: () => Date.now(),
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
})
