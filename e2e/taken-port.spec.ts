import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import type * as Ports from '../scripts/lib/ports.ts'
import { LOOPBACK } from '../scripts/lib/ports.ts'
import { bootHost, endHosts } from './lib/host.ts'
import { makeHome } from './lib/home.ts'

const chosen: number[] = []
vi.mock('../scripts/lib/ports.ts', async original => {
  const real = await original<typeof Ports>()
  return { ...real, anyFreePort: async () => chosen.shift() ?? real.anyFreePort() }
})

afterEach(endHosts)

it('a port that somebody took before the host had it is given up for another, and one that was asked for is not', async () => {
  const home = await makeHome()
  const other = createServer().listen(0, LOOPBACK)
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  chosen.push(port)
  const host = await bootHost(home)
  expect([host.port === port, chosen]).toEqual([false, []])
  await host.stop()
  await expect(bootHost(home, { port })).rejects.toThrow('EADDRINUSE')
  other.close()
  home.remove()
})
