import { createServer } from 'node:net'

/** The address that `dsh web` listens on. */
export const LOOPBACK = '127.0.0.1'

/** @returns the port that the system gave, or undefined when the wanted one is taken; 0 wants any */
const tryPort = (port: number): Promise<number | undefined> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined))
    })
  })

/** @returns whether nobody listens on this loopback port now */
export const isFree = async (port: number): Promise<boolean> => (await tryPort(port)) === port

/** @returns a loopback port that the system says is free now */
export const anyFreePort = async (): Promise<number> => {
  const port = await tryPort(0)
  if (port === undefined) throw new Error('the system has no free loopback port')
  return port
}

/**
 * @param first the wanted port
 * @param tries how many neighbours to look at
 * @returns the first free port from `first` upwards, else any free one
 */
export const firstFreePort = async (first: number, tries = 20): Promise<number> => {
  for (let port = first; port < first + tries; port += 1) if (await isFree(port)) return port
  return anyFreePort()
}
