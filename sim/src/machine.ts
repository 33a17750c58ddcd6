import type { Holder, ProcessSystem } from '../../packages/session-host/src/wake-index/holder.ts'

/** A small table, so that the ids of processes are soon used again. */
const FIRST_PID = 10
const PIDS = 4

/** The processes of one machine as they can be looked up there, across its starts. */
export class Machine implements ProcessSystem {
  #boot = 1
  #ticks = 0
  #hosts = 0
  #lastPid = FIRST_PID - 1
  /** What `/proc/<pid>/stat` says. */
  readonly #stats = new Map<number, string>()

  /**
   * Start a process.
   *
   * @param space - name space of process ids; processes of another one are not seen.
   */
  start(space: string): Holder {
    const pid = this.#freePid()
    const started = String((this.#ticks += 1))
    this.#stats.set(pid, statOf(pid, 'S', started))
    return { hostId: `host-${(this.#hosts += 1)}`, pid, started, machine: 'desk', boot: `boot-${this.#boot}`, space }
  }

  /** A process has ended. @param isCollected - its parent has taken note; until then it lies there as a zombie. */
  end({ pid, started }: Holder, isCollected: boolean): void {
    if (isCollected) this.#stats.delete(pid)
    else this.#stats.set(pid, statOf(pid, 'Z', started))
  }

  /** The machine starts again: no process is left, and ticks are counted anew. */
  restart(): void {
    this.#boot += 1
    this.#ticks = 0
    this.#lastPid = FIRST_PID - 1
    this.#stats.clear()
  }

  read(path: string): string | undefined {
    return this.#stats.get(Number(/^\/proc\/(\d+)\/stat$/.exec(path)?.[1]))
  }

  readLink(): undefined {
    return undefined
  }

  exists(pid: number): boolean {
    return this.#stats.has(pid)
  }

  #freePid(): number {
    const isRunning = (pid: number): boolean => this.#stats.get(pid)?.includes(') S ') === true
    do this.#lastPid = this.#lastPid + 1 < FIRST_PID + PIDS ? this.#lastPid + 1 : FIRST_PID
    while (isRunning(this.#lastPid))
    return this.#lastPid
  }
}

function statOf(pid: number, state: 'S' | 'Z', started: string): string {
  return `${pid} (node (dsh) web) ${[state, ...Array.from({ length: 18 }, () => '0'), started].join(' ')} 0\n`
}
