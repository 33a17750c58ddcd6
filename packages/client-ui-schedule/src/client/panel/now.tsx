import { createContext, useContext, useMemo, useSyncExternalStore, type ReactElement, type ReactNode } from 'react'
import { makeTicker, type Ticker } from './ticker.ts'

interface HostTime {
  readonly ticker: Ticker
  readonly skew: number
}

const TimeContext = createContext<HostTime>({ ticker: makeTicker(), skew: 0 })

/** The host's time for everything below, anew each second. */
export function NowProvider({ skew, children }: { readonly skew: number; readonly children: ReactNode }): ReactElement {
  const ticker = useMemo(makeTicker, [])
  const time = useMemo(() => ({ ticker, skew }), [ticker, skew])
  return <TimeContext.Provider value={time}>{children}</TimeContext.Provider>
}

/**
 * What follows from the time. Only a component whose answer changes is drawn anew: of hundreds of rows, most say
 * something else once a minute, or once an hour.
 *
 * @param select - from epoch milliseconds of the host's clock, in whole seconds of the browser's, to a plain value.
 */
export function useNow<T extends number | string>(select: (now: number) => T): T {
  const { ticker, skew } = useContext(TimeContext)
  return useSyncExternalStore(ticker.subscribe, () => select(ticker.now() + skew))
}
