import { constants, zstdDecompressSync } from 'node:zlib'

/** First four bytes of a Zstandard frame (RFC 8878 §3.1.1). */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** How much of a plain file is read at once (bytes). */
const PIECE = 1 << 20

/** What is read piece by piece. */
export interface Bytes {
  readonly size: number
  /** @returns fewer bytes than asked for only at the end. */
  read(from: number, length: number): Buffer
}

/** Why a text ends before its file does. */
export interface Stop {
  readonly kind: 'torn' | 'damaged'
  readonly byte: number
  readonly detail: string
}

/**
 * The text of a session file, piece by piece: however long the log is, no more of it is in memory than one batch that
 * the host has stored. The host writes one independent, checksummed Zstandard frame per batch, one after the other
 * (measured on 0.1.0-rc.8); a file without the magic number is plain text.
 *
 * @param bytes - the file.
 * @returns after everything up to the first byte that makes no sense, why it ended there; of a frame that is cut off,
 *   what can be had of it is given.
 */
export function* textOf(bytes: Bytes): Generator<Buffer, Stop | undefined> {
  if (bytes.read(0, MAGIC.length).equals(MAGIC)) return yield* framesOf(bytes)
  for (let at = 0; at < bytes.size; at += PIECE) yield bytes.read(at, PIECE)
  return undefined
}

function* framesOf(bytes: Bytes): Generator<Buffer, Stop | undefined> {
  for (let at = 0; at < bytes.size; ) {
    const end = frameEnd(bytes, at)
    try {
      if (typeof end === 'string') return { kind: 'damaged', byte: at, detail: end }
      yield decodeFrame(bytes.read(at, Math.min(end, bytes.size) - at), end <= bytes.size)
      if (end > bytes.size) return { kind: 'torn', byte: at, detail: 'unexpected end of file' }
      at = end
    } catch (error) {
      return { kind: 'damaged', byte: at, detail: (error as Error).message }
    }
  }
  return undefined
}

/** Without the end of the frame its checksum cannot be checked; whole lines of it are still what the host wrote. */
function decodeFrame(frame: Buffer, isWhole: boolean): Buffer {
  return zstdDecompressSync(frame, isWhole ? {} : { finishFlush: constants.ZSTD_e_flush })
}

/** Sizes of the fields of a frame header, by their two bits in its descriptor (RFC 8878 §3.1.1.1.1). */
const DICTIONARY_ID = [0, 1, 2, 4] as const
const CONTENT_SIZE = [0, 2, 4, 8] as const

const BLOCK_HEADER = 3
const REPEATED = 1
const RESERVED = 3

/**
 * Where a frame ends, by its block headers alone.
 *
 * @returns the byte after it, beyond the end of the file for a frame that is cut off; a text says why it is no frame.
 */
function frameEnd(bytes: Bytes, start: number): number | string {
  const head = bytes.read(start, MAGIC.length + 1)
  if (!MAGIC.subarray(0, head.length).equals(head.subarray(0, MAGIC.length))) return 'no Zstandard frame begins here'
  const descriptor = head[MAGIC.length] ?? 0
  let at = start + MAGIC.length + headerSize(descriptor)
  for (let isLast = false; !isLast; ) {
    const header = bytes.read(at, BLOCK_HEADER)
    if (header.length < BLOCK_HEADER) return Infinity
    const fields = header.readUIntLE(0, BLOCK_HEADER)
    const type = (fields >> 1) & 3
    if (type === RESERVED) return 'a block of the frame is of no known type'
    isLast = (fields & 1) === 1
    at += BLOCK_HEADER + (type === REPEATED ? 1 : fields >> 3)
  }
  const hasChecksum = (descriptor & 4) !== 0
  return at + (hasChecksum ? 4 : 0)
}

function headerSize(descriptor: number): number {
  const isSingle = (descriptor & 0x20) !== 0
  const contentSize = CONTENT_SIZE[(descriptor >> 6) as 0 | 1 | 2 | 3]
  return 1 + (isSingle ? 0 : 1) + DICTIONARY_ID[(descriptor & 3) as 0 | 1 | 2 | 3] + (isSingle ? Math.max(1, contentSize) : contentSize)
}
