/** Which reminders the page shows over everything else. */
export interface Shown {
  readonly sessionId: string
  /** Gets the focus back. */
  readonly opener: HTMLElement | null
}

/** The one panel of a page. The page takes the members apart, so none of them needs `this`. */
export interface Opening {
  readonly getSnapshot: () => Shown | undefined
  readonly subscribe: (listener: () => void) => () => void
  readonly open: (sessionId: string, opener: HTMLElement | null) => void
  readonly close: () => void
}

/** A page that shows no panel yet. */
export function makeOpening(): Opening {
  let shown: Shown | undefined
  const listeners = new Set<() => void>()
  const show = (next: Shown | undefined): void => {
    shown = next
    for (const listener of listeners) listener()
  }
  return {
    getSnapshot: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open: (sessionId, opener) => show({ sessionId, opener }),
    close() {
      const opener = shown?.opener
      show(undefined)
      opener?.focus()
    },
  }
}
