/** What `measure` takes of a question. */
interface Asked {
  readonly zone: string
  readonly instants: readonly number[]
}

/**
 * The offsets of a zone by the `Intl` of whoever runs this. The page is given the text of this function, so it stands alone
 * and uses nothing that a browser of recent years has not.
 *
 * @param asked - a zone, and instants (milliseconds).
 * @returns seconds east of UTC, in the order of the instants; `null` for a zone that is not known.
 */
export function measure({ zone, instants }: Asked): readonly number[] | null {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  let clock: Intl.DateTimeFormat
  try {
    clock = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { ...fields, hourCycle: 'h23', timeZone: zone })
  } catch {
    return null
  }
  return instants.map((instant) => {
    const parts = clock.formatToParts(instant)
    const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
    // Some browsers have called midnight 24:00 of the day that begins.
    const wall = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour') % 24, read('minute'), read('second'))
    return wall / 1000 - Math.floor(instant / 1000)
  })
}
