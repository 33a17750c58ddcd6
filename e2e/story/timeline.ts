/** One thing that happened in the story. Instants are UTC, ISO 8601. */
export interface Step {
  readonly name: string
  readonly at: string
  readonly ok: boolean
  readonly detail: string
}

/** Records the story, and tells it to a person while it happens. */
export interface Timeline {
  readonly steps: readonly Step[]
  /**
   * Do one step of the story.
   *
   * @param name - what is done and what has to hold.
   * @param act - does it; what it resolves with is told beside the name.
   * @throws what `act` throws, after the step is recorded as failed: what comes next would stand on nothing.
   */
  step(name: string, act: () => Promise<string>): Promise<void>
}

/**
 * A new story.
 *
 * @param zone - IANA zone of the person in it; times are told in UTC and there.
 * @param print - takes each line.
 */
export function createTimeline(zone: string, print: (line: string) => void): Timeline {
  const steps: Step[] = []
  const local = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const record = (name: string, ok: boolean, detail: string): void => {
    const now = new Date()
    steps.push({ name, at: now.toISOString(), ok, detail })
    print(`${ok ? '✓' : '✗'} ${now.toISOString().slice(11, 23)}Z  ${local.format(now)} local  ${name}${detail === '' ? '' : `\n    ${detail}`}`)
  }
  return {
    steps,
    async step(name, act) {
      try {
        record(name, true, await act())
      } catch (error) {
        record(name, false, error instanceof Error ? error.message : String(error))
        throw error
      }
    },
  }
}
