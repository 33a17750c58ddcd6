import { createContext, useContext, useEffect, useState, type ReactElement, type ReactNode } from 'react'

const NowContext = createContext(0)

/** The host's time for everything below, anew each second. */
export function NowProvider({ skew, children }: { readonly skew: number; readonly children: ReactNode }): ReactElement {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), 1000 - (Date.now() % 1000) + 5)
    return () => clearTimeout(timer)
  }, [now])
  return <NowContext.Provider value={now + skew}>{children}</NowContext.Provider>
}

/** @returns epoch milliseconds of the host's clock, in whole seconds of the browser's */
export function useNow(): number {
  return useContext(NowContext)
}
