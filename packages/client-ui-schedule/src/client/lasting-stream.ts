/** What a stream of the host tells its listener. */
export interface StreamListener {
  /** The stream is open, perhaps again: something may have been missed. */
  opened(): void
  /** Data of one server-sent event. */
  line(text: string): void
}

/** How long to wait before a refused stream is asked for again (milliseconds): at first, and at the most. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/** `EventSource.CLOSED`. */
const CLOSED = 2

/**
 * Hear a stream of server-sent events for as long as the page wants it. A browser by itself comes back after a lost
 * connection, but fails the stream for good once it is answered with anything but a stream (WHATWG HTML, "server-sent
 * events"), as a host answers that has just started and has not mounted its plugins yet.
 *
 * @param path - of the stream.
 * @param listener - told what comes.
 * @returns stops hearing.
 */
export function hearStream(path: string, listener: StreamListener): () => void {
  let wait = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let stream = open()
  function open(): EventSource {
    const opening = new EventSource(path)
    opening.addEventListener('open', () => {
      wait = FIRST_WAIT_MS
      listener.opened()
    })
    opening.addEventListener('message', ({ data }: MessageEvent<string>) => listener.line(data))
    opening.addEventListener('error', () => {
      if (opening.readyState !== CLOSED) return
      timer = setTimeout(() => (stream = open()), wait)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    })
    return opening
  }
  return () => {
    clearTimeout(timer)
    stream.close()
  }
}
