import { expect, it } from 'vitest'
import { perHost } from '../src/per-host.ts'
import { mountHost } from './harness.ts'

it('makes one value for all users of a host, and disposes it with the last of them', async () => {
  const host = await mountHost({ persistence: false })
  const log: string[] = []
  const use = (ctx: Parameters<typeof perHost>[0]): unknown =>
    perHost(ctx, 'thing', () => {
      log.push('made')
      return { value: { log }, dispose: () => log.push('disposed') }
    })
  const values: unknown[] = []
  const first = await host.ctx.plugin({ apply: (ctx) => void values.push(use(ctx)) })
  const second = await host.ctx.plugin({ apply: (ctx) => void values.push(use(ctx)) })
  expect(values[0]).toBe(values[1])
  await first.dispose()
  expect(log).toEqual(['made'])
  await second.dispose()
  expect(log).toEqual(['made', 'disposed'])
  const third = await host.ctx.plugin({ apply: (ctx) => void values.push(use(ctx)) })
  expect(log).toEqual(['made', 'disposed', 'made'])
  await third.dispose()
  await host.dispose()
})

it('keeps two hosts in one process apart', async () => {
  const hosts = [await mountHost({ persistence: false }), await mountHost({ persistence: false })]
  const values: unknown[] = []
  for (const host of hosts) await host.ctx.plugin({ apply: (ctx) => void values.push(perHost(ctx, 'thing', () => ({ value: {}, dispose: () => undefined }))) })
  expect(values[0]).not.toBe(values[1])
  for (const host of hosts) await host.dispose()
})
