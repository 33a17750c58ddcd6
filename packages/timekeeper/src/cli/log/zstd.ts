import { constants, zstdDecompressSync } from 'node:zlib'

/** First four bytes of a Zstandard frame (RFC 8878 §3.1.1). */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Node's word for input that ends inside a frame. */
const CUT_OFF = 'Z_BUF_ERROR'

/** The text of a log, as far as its bytes can be decompressed. */
export interface Decoded {
  readonly text: Buffer
  /** Why it ends before the file does. */
  readonly stop: { readonly kind: 'torn' | 'damaged'; readonly byte: number; readonly detail: string } | undefined
}

/**
 * The text of a session file. The host writes one independent, checksummed Zstandard frame per batch, one after the
 * other (measured on 0.1.0-rc.8); a file without the magic number is plain text.
 *
 * @param bytes - the whole file.
 * @returns everything up to the first byte that makes no sense; of a frame that is cut off, what can be had of it.
 */
export function decodeLog(bytes: Buffer): Decoded {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return { text: bytes, stop: undefined }
  const texts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const rest = bytes.subarray(at)
    try {
      const { text, length } = decodeFrame(rest)
      texts.push(text)
      at += length
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === CUT_OFF) texts.push(decodeStart(rest))
      return { text: Buffer.concat(texts), stop: { kind: code === CUT_OFF ? 'torn' : 'damaged', byte: at, detail: message } }
    }
  }
  return { text: Buffer.concat(texts), stop: undefined }
}

/** Node decompresses one frame and tells how much of the input it took. */
function decodeFrame(bytes: Buffer): { text: Buffer; length: number } {
  const { buffer, engine } = zstdDecompressSync(bytes, { info: true }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
  return { text: buffer, length: engine.bytesWritten }
}

/** Without the end of the frame its checksum cannot be checked; whole lines of it are still what the host wrote. */
function decodeStart(bytes: Buffer): Buffer {
  return zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush })
}
