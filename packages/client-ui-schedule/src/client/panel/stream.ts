/** What the browser gives to share one stream between its tabs. */
export interface StreamPort {
  /** Absent on a page that is not a secure context. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  /** Open the stream; the returned function closes it. */
  open(line: (text: string) => void): () => void
  /** Hear what other tabs tell, and tell them; the returned function leaves. */
  join(heard: (text: string) => void): { readonly tell: (text: string) => void; readonly leave: () => void }
}

/** Name of the lock; whoever holds it has the stream. */
const LOCK = 'dsh-timekeeper stream'

/**
 * Hear the host's lines with one stream for all tabs of a browser: it allows six connections to one host in all, and
 * each stream takes one for good.
 *
 * @param port - the browser.
 * @param heard - each line, and whether this tab is the one that has the stream.
 * @returns stops hearing.
 */
export function shareStream(port: StreamPort, heard: (text: string, isLeader: boolean) => void): () => void {
  const room = port.join((text) => heard(text, false))
  const stop = new AbortController()
  const lead = (): Promise<void> =>
    new Promise((resolve) => {
      const close = port.open((text) => {
        heard(text, true)
        room.tell(text)
      })
      stop.signal.addEventListener('abort', () => {
        close()
        resolve()
      })
    })
  // Nobody to share with: every tab is on its own.
  const led = port.locks === undefined ? lead() : port.locks.request(LOCK, { signal: stop.signal }, lead)
  led.catch(() => undefined)
  return () => {
    stop.abort()
    room.leave()
  }
}
