import { expect, it } from 'vitest'
import { createFifo } from '../src/fifo.ts'

it('S11 runs the jobs of one key one after the other, in the order of their calls', async () => {
  const fifo = createFifo()
  const steps: string[] = []
  const gate = Promise.withResolvers<void>()
  const key = {}
  const first = fifo.run(key, async () => {
    steps.push('first begins')
    await gate.promise
    steps.push('first ends')
    return 1
  })
  const second = fifo.run(key, async () => {
    steps.push('second')
    return 2
  })
  await Promise.resolve()
  gate.resolve()
  expect(await Promise.all([first, second])).toEqual([1, 2])
  expect(steps).toEqual(['first begins', 'first ends', 'second'])
})

it('S11 lets the jobs of another key pass', async () => {
  const fifo = createFifo()
  const gate = Promise.withResolvers<void>()
  const held = fifo.run({}, () => gate.promise)
  expect(await fifo.run({}, async () => 'other')).toBe('other')
  gate.resolve()
  await held
})

it('goes on after a job that failed, and hands its failure to its own caller only', async () => {
  const fifo = createFifo()
  const key = {}
  const failure = new Error('broken')
  const first = fifo.run(key, () => Promise.reject(failure))
  const second = fifo.run(key, async () => 'fine')
  await expect(first).rejects.toBe(failure)
  expect(await second).toBe('fine')
})
