import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { waitFor } from '../../../e2e/lib/waiting.ts'

/** Past this a line is taken to hang, and is killed with everything that it started. */
const LINE_LIMIT_MS = 600_000
/** A server may have to be set up and built first; how long that may take is the business of who walks. */
const READY_LIMIT_MS = 600_000
/** Past this a server that was told to end is killed. */
const END_LIMIT_MS = 15_000

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

/** How one line of a block ended, and all that it printed. */
export interface LineResult {
  readonly code: number
  readonly output: string
}

/** A line that was left running. */
export interface Server {
  /** What it printed so far. */
  readonly output: () => string
  /** Its first address in what it printed, without a slash at the end. */
  readonly url: string | undefined
  /**
   * Ends it as Ctrl-C in its terminal does.
   * @returns false when it had to be killed
   */
  readonly stop: () => Promise<boolean>
}

/** A terminal: what one line changes (folder, exported variables) holds for the next one. */
export interface Shell {
  readonly run: (line: string) => Promise<LineResult>
  /**
   * Runs a line and leaves it running.
   * @param until a text in its output that says that it is ready
   * @throws when it ends first, or is not ready within ten minutes
   */
  readonly serve: (line: string, until: string) => Promise<Server>
}

// The state is read before a line and written after it, since each line is a process of its own, whose end is its code.
const WRAPPED = `[ -f "$WALK_STATE" ] && . "$WALK_STATE"
eval "$WALK_LINE"
walk_status=$?
{ export -p | grep -v ' WALK_'; printf "cd '%s'\\n" "$PWD"; } >"$WALK_STATE"
exit "$walk_status"`

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // all of it has ended
  }
}

/**
 * @param text of a `sh` block
 * @returns its commands: a line that ends with a backslash goes on; comments and empty lines are none
 */
export const commandsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))

/**
 * @param folder where it starts
 * @param env its whole environment
 * @param scratch an existing folder for what it remembers between lines, used by no other terminal
 */
export const openShell = (folder: string, env: NodeJS.ProcessEnv, scratch: string): Shell => {
  const start = (line: string): { child: ChildProcess; output: () => string; exited: Promise<number> } => {
    const child = spawn('sh', ['-c', WRAPPED], {
      cwd: folder,
      env: { ...env, WALK_STATE: join(scratch, 'state.sh'), WALK_LINE: line },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        text += chunk
      })
    }
    const exited = new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', code => resolve(code ?? 128))
    })
    return { child, output: () => text, exited }
  }

  return {
    async run(line) {
      const { child, output, exited } = start(line)
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), LINE_LIMIT_MS)
      const code = await exited
      clearTimeout(timer)
      return { code, output: output() }
    },
    async serve(line, until) {
      const { child, output, exited } = start(line)
      const state = { hasEnded: false }
      const ended = exited.then(() => {
        state.hasEnded = true
      })
      const stop = async (): Promise<boolean> => {
        signalGroup(child, 'SIGINT')
        let isOrderly = true
        const patience = setTimeout(() => {
          isOrderly = false
          signalGroup(child, 'SIGKILL')
        }, END_LIMIT_MS)
        await ended
        clearTimeout(patience)
        return isOrderly
      }
      try {
        await waitFor(`"${until}" in the output of: ${line}`, () => state.hasEnded || output().includes(until), { timeout: READY_LIMIT_MS })
      } catch (error) {
        await stop()
        throw new Error(`${String(error)}\n${output()}`, { cause: error })
      }
      if (!output().includes(until)) throw new Error(`it ended without "${until}"\n${output()}`)
      return { output, url: ADDRESS.exec(output())?.[0], stop }
    },
  }
}
