import { useEffect, useState, type ReactElement } from 'react'

/** What ticks. */
export interface TickingProps {
  /** Milliseconds; ticks fall on whole multiples of it. */
  readonly period: number
  readonly children: (now: number) => ReactElement
}

/** Draws its content anew at each tick, and nothing around it. */
export function Ticking({ period, children }: TickingProps): ReactElement {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    // A few milliseconds behind the edge: a timer may fire early, and would then show the second before.
    const timer = setTimeout(() => setNow(Date.now()), period - (Date.now() % period) + 5)
    return () => clearTimeout(timer)
  }, [now, period])
  return children(now)
}
