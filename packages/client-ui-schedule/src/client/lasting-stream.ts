/** What a stream of the host tells its listener. */
export interface StreamListener {
  /** The stream is open, perhaps again: something may have been missed. */
  opened(): void
  line(text: string): void
}

/** How long to wait before a lost or refused stream is asked for again (milliseconds): at first, and at the most. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 5000

/**
 * Hear a stream of the host for as long as the page wants it, over whatever the host goes through meanwhile. A WebSocket
 * and not server-sent events: of those a browser can keep six to one host in all its tabs together, and then nothing of
 * any page is loaded any more.
 *
 * @param path - of the stream.
 * @param listener - told what comes.
 * @returns stops hearing.
 */
export function hearStream(path: string, listener: StreamListener): () => void {
  let wait = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let stream = open()
  function open(): WebSocket {
    const opening = new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')))
    opening.addEventListener('open', () => {
      wait = FIRST_WAIT_MS
      listener.opened()
    })
    opening.addEventListener('message', ({ data }: MessageEvent<string>) => listener.line(data))
    opening.addEventListener('close', again)
    return opening
  }
  function again(): void {
    timer = setTimeout(() => (stream = open()), wait)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
  return () => {
    clearTimeout(timer)
    stream.removeEventListener('close', again)
    stream.close()
  }
}
