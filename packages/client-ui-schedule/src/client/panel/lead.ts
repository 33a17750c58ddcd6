/** What the browser gives to choose one of its tabs. */
export interface LeadPort {
  readonly locks: Pick<LockManager, 'request'>
  /**
   * Tell when the browser puts this tab to sleep, and when it wakes it up.
   *
   * @returns stops telling.
   */
  watchSleep(asleep: () => void, awake: () => void): () => void
}

/** Name of the lock; whoever holds it leads. */
const LOCK = 'dsh-timekeeper lead'

/**
 * Be the one tab of a browser that does what has to be done once, whenever no other tab is. The browser hands the lock
 * on when a tab is closed or crashes; a tab that is put to sleep gives it away, because it would do nothing with it.
 *
 * @param port - the browser.
 * @param changed - whether this tab leads, each time that this changes.
 * @returns leads no more.
 */
export function takeLead(port: LeadPort, changed: (isLeader: boolean) => void): () => void {
  let stop = new AbortController()
  const stand = (): void => {
    stop = new AbortController()
    const { signal } = stop
    const lead = (): Promise<void> =>
      new Promise((resolve) => {
        // Given up, and handed over all the same.
        if (signal.aborted) return resolve()
        changed(true)
        signal.addEventListener('abort', () => {
          changed(false)
          resolve()
        })
      })
    // Given up while it was waited for.
    port.locks.request(LOCK, { signal }, lead).catch(() => undefined)
  }
  stand()
  const stopWatching = port.watchSleep(() => stop.abort(), stand)
  return () => {
    stopWatching()
    stop.abort()
  }
}
