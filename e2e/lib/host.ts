import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DshClient } from '../../scripts/lib/dsh-client.ts'
import { startDsh, type DshProcess } from '../../scripts/lib/dsh-process.ts'
import { anyFreePort } from '../../scripts/lib/ports.ts'
import type { Home } from './home.ts'
import { leftovers, marked } from './leftovers.ts'

/** How a test boots a host. */
export interface BootOptions {
  /** Any free port unless told. */
  readonly port?: number
  /** Laid over the environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Overlays for this boot alone: YAML lists of patch rows, applied in order over every other layer. */
  readonly patches?: readonly string[]
  /** The same as files that exist already. */
  readonly overlays?: readonly string[]
}

/** A ready host and its interface. */
export type Host = DshProcess & DshClient

const running = new Set<DshProcess>()

// A test process that ends, in whatever way it can still notice, takes its hosts with it; the leash does it otherwise.
process.once('exit', () => {
  for (const host of running) host.kill('SIGKILL')
})

/** A key in the environment of whoever runs the tests must not make them talk to a real model. */
const WITHOUT_KEYS = { DEEPSEEK_API_KEY: undefined, DEEPSEEK_BASE_URL: undefined }

const PORT_TRIES = 3

/** Runs `dsh web` on a home and waits until it is ready; ends with `stop`, or with `kill` for a crash. */
export const bootHost = async (home: Home, options: BootOptions = {}): Promise<Host> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await bootAt(options.port ?? (await anyFreePort()), home, options)
    } catch (error) {
      // Free when it was chosen, and taken by somebody else before the host had it: hosts boot side by side.
      if (options.port !== undefined || tries === PORT_TRIES || !String(error).includes('EADDRINUSE')) throw error
    }
  }
}

const bootAt = async (port: number, home: Home, { env = {}, patches = [], overlays: given = [] }: BootOptions): Promise<Host> => {
  const folder = mkdtempSync(join(home.workspace, '../patches-'))
  const written = patches.flatMap((text, index) => {
    const file = join(folder, `${index}.patch.yml`)
    writeFileSync(file, text)
    return ['--patch', file]
  })
  const host = startDsh({
    home: home.path,
    port,
    args: [...given.flatMap(file => ['--patch', file]), ...written, '--no-open'],
    env: { ...marked({}), ...WITHOUT_KEYS, DSH_TELEMETRY_DISABLED: '1', ...env },
    cwd: home.workspace,
  })
  running.add(host)
  void host.exited.then(() => {
    running.delete(host)
    rmSync(folder, { recursive: true, force: true })
  })
  try {
    await host.ready()
  } catch (error) {
    await host.stop()
    throw error
  }
  return { ...host, ...connect(host.url) }
}

/** Kills every host of this test process and waits until they are gone. */
const killHosts = async (): Promise<void> => {
  await Promise.all(
    [...running].map(async host => {
      host.kill('SIGKILL')
      await host.exited
    }),
  )
}

/**
 * Ends what a test started: for an afterEach.
 * @throws when a process of the test is still there after its hosts are gone
 */
export const endHosts = async (): Promise<void> => {
  await killHosts()
  const left = leftovers()
  if (left.length > 0) throw new Error(`still running after the test:\n${left.join('\n')}`)
}
