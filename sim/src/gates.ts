import type { SimHost } from './host.ts'

interface Gate {
  readonly host: SimHost
  readonly open: () => void
}

/** Awaits that the schedule holds open. */
export class Gates {
  readonly #gates: Gate[] = []

  get size(): number {
    return this.#gates.length
  }

  /** Stay here until somebody opens. */
  hold(host: SimHost): Promise<void> {
    return new Promise((open) => this.#gates.push({ host, open }))
  }

  /** Let one await go on. @param pick - which one, modulo what there is. */
  open(pick: number): void {
    this.#gates.splice(pick % Math.max(this.#gates.length, 1), 1)[0]?.open()
  }

  /** Something of this process is held. */
  holds(host: SimHost): boolean {
    return this.#gates.some((gate) => gate.host === host)
  }

  /** Awaits of a process that is gone never end. */
  drop(host: SimHost): void {
    for (let at = this.#gates.length - 1; at >= 0; at -= 1) if (this.#gates[at]?.host === host) this.#gates.splice(at, 1)
  }
}
