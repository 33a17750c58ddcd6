/**
 * What stands beside the clock in the page and knows reminders. The clock works without one; whoever mounts both hands
 * it in, so that neither half imports the other.
 */
export interface Annex {
  readonly subscribe: (listener: () => void) => () => void
  /** Keep what is known of a session up to date, until the returned function is called. */
  readonly watch: (sessionId: string) => () => void
  /**
   * When the next reminder of a session is due.
   *
   * @returns epoch milliseconds; undefined when none is pending or nothing is known.
   */
  readonly nextDue: (sessionId: string) => number | undefined
  /**
   * Show the reminders of a session.
   *
   * @param opener - gets the focus back.
   */
  readonly open: (sessionId: string, opener: HTMLElement | null) => void
}

/** A page without reminders. */
export const NO_ANNEX: Annex = {
  subscribe: () => () => undefined,
  watch: () => () => undefined,
  nextDue: () => undefined,
  open: () => undefined,
}
