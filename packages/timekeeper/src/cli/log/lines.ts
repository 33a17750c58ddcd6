import type { Stop } from './zstd.ts'

const LINE_BREAK = 0x0a

/** The lines of a text that comes piece by piece; no more than one line and one piece are kept. */
export class Lines {
  /** Why the text ended early; known once it has ended. */
  stop: Stop | undefined
  readonly #pieces: Iterator<Buffer, Stop | undefined>
  #piece: Buffer = Buffer.alloc(0)
  #at = 0

  /** @param pieces - of the text, in order. */
  constructor(pieces: Iterator<Buffer, Stop | undefined>) {
    this.#pieces = pieces
  }

  /** The next line that ends with a line break, without it; `undefined` after the last one. */
  next(): string | undefined {
    for (let from = this.#at; ; ) {
      const end = this.#piece.indexOf(LINE_BREAK, from)
      if (end !== -1) {
        const line = this.#piece.toString('utf8', this.#at, end)
        this.#at = end + 1
        return line
      }
      const more = this.#pieces.next()
      if (more.done === true) {
        this.stop = more.value
        return undefined
      }
      from = this.left
      this.#piece = from === 0 ? more.value : Buffer.concat([this.#piece.subarray(this.#at), more.value])
      this.#at = 0
    }
  }

  /** How many bytes of the pieces so far are no whole line. */
  get left(): number {
    return this.#piece.length - this.#at
  }
}
