import { BlockAssembler, LlmError } from '@deepseek-ai/dsh-llm'
import type { GenerateOptions, Message, StreamChunk } from '@deepseek-ai/dsh-llm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DISPLAY_NAME, MODEL, OfflineAdapter, PROVIDER } from '../src/adapter.ts'
import type { Pause } from '../src/adapter.ts'
import { formatScript } from '../src/script.ts'
import { called, context, human, result, said, toolsNamed } from './harness.ts'

const request = (messages: readonly Message[], more: Partial<GenerateOptions> = {}): GenerateOptions => ({
  provider: PROVIDER, model: MODEL, messages: [...messages], tools: toolsNamed(['schedule_list']), ...more,
})

async function chunksOf(messages: readonly Message[], more: Partial<GenerateOptions> = {}, pause?: Pause): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = []
  for await (const chunk of new OfflineAdapter(pause).stream(request(messages, more))) chunks.push(chunk)
  return chunks
}

/** Checks the host's chunk grammar and returns what it assembles to. */
function assembled(chunks: readonly StreamChunk[]) {
  const open = new Set<number>()
  const ended = new Set<number>()
  for (const [position, chunk] of chunks.entries()) {
    if (chunk.type === 'block-start') {
      expect(open.size + ended.size).toBe(chunk.index)
      open.add(chunk.index)
    } else if (chunk.type === 'block-end') {
      expect(open.delete(chunk.index)).toBe(true)
      ended.add(chunk.index)
    } else if (chunk.type === 'usage') expect(position).toBe(chunks.length - 2)
    else if (chunk.type === 'finish') expect(position).toBe(chunks.length - 1)
    else expect(open.has(chunk.index)).toBe(true)
  }
  expect(open.size).toBe(0)
  expect(ended.size).toBeGreaterThan(0)
  const fromEnds = new BlockAssembler()
  const fromDeltas = new BlockAssembler()
  for (const chunk of chunks) {
    fromEnds.push(chunk)
    if (chunk.type !== 'block-end') fromDeltas.push(chunk)
  }
  expect(fromDeltas.blocks()).toEqual(fromEnds.blocks())
  return { blocks: fromEnds.blocks(), finish: fromEnds.finish, usage: fromEnds.usage }
}

describe('the adapter', () => {
  it('streams words as one text block and stops', async () => {
    const { blocks, finish, usage } = assembled(await chunksOf([human('say hello there')]))
    expect(blocks).toEqual([{ type: 'text', text: 'hello there' }])
    expect(finish).toEqual({ kind: 'stop' })
    expect(usage).toEqual({ inputTokens: expect.any(Number) as number, outputTokens: 3 })
  })

  it('streams a call as one block and finishes with tool calls', async () => {
    const message = human('call schedule_create {"prompt":"a"}')
    const { blocks, finish } = assembled(await chunksOf([message]))
    expect(blocks).toEqual([{ type: 'tool-call', id: `offline-${message.id}-0`, name: 'schedule_create', arguments: '{"prompt":"a"}' }])
    expect(finish).toEqual({ kind: 'tool-calls' })
  })

  it('puts words that go before in front, in the same answer', async () => {
    const fired = context('over', { kind: 'dsh-time-reminder', form: 'notice', countdown: 'tea' })
    const calling = assembled(await chunksOf([human('hi'), said('x'), fired, human('list my reminders')]))
    expect(calling.blocks).toMatchObject([{ type: 'text', text: 'Countdown over: tea' }, { type: 'tool-call', name: 'schedule_list' }])
    const telling = assembled(await chunksOf([human('list my reminders'), called('schedule_list'), result([]), fired]))
    expect(telling.blocks).toEqual([{ type: 'text', text: 'Countdown over: tea\nYou have no reminders.' }])
  })

  it('the same request gets the same chunks', async () => {
    const messages = [human('call schedule_list')]
    expect(await chunksOf(messages)).toEqual(await chunksOf(messages))
  })

  it('a flood has as many deltas as asked for, at least one', async () => {
    const deltas = async (text: string) => {
      const chunks = await chunksOf([human(text)])
      assembled(chunks)
      return chunks.filter(chunk => chunk.type === 'text-delta').length
    }
    expect(await deltas('flood 1000')).toBe(1000)
    expect(await deltas('flood 0')).toBe(1)
  })

  it('every reply of a script keeps to the grammar and says something', async () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant('say' as const), text: fc.stringMatching(/^[a-z ]{0,20}x$/) }),
      fc.record({ kind: fc.constant('call' as const), tool: fc.constant('a_b'), args: fc.constant('{"n":1}') }),
      fc.record({ kind: fc.constant('flood' as const), count: fc.integer({ min: 0, max: 600 }) }),
    )
    await fc.assert(fc.asyncProperty(act, async step => {
      const { finish } = assembled(await chunksOf([human(formatScript([{ waitMs: 0, act: step }]))]))
      expect(finish.kind).toBe(step.kind === 'call' ? 'tool-calls' : 'stop')
    }), { numRuns: 30 })
  })

  it('fails with the code the script names', async () => {
    const failing = chunksOf([human('fail RATE_LIMIT')])
    await expect(failing).rejects.toThrow(LlmError)
    await expect(chunksOf([human('fail RATE_LIMIT')])).rejects.toMatchObject({ code: 'RATE_LIMIT' })
  })

  it('tells the host what it is', async () => {
    const adapter = new OfflineAdapter()
    expect(adapter.providerInfo('offline')).toEqual({ id: 'offline', name: 'Offline demo (no AI)' })
    expect(await adapter.listModels('offline')).toEqual([{ provider: 'offline', id: 'timekeeper-demo', name: DISPLAY_NAME, inputModalities: ['text'] }])
    expect(await adapter.resolveModel('offline', 'any')).toMatchObject({ provider: 'offline', id: 'any', context: { contextWindow: 1_000_000 } })
    expect(adapter.providerRetryPolicy()).toMatchObject({ mode: 'normal', maxRetries: 0 })
  })
})

describe('waiting and cancelling', () => {
  it('a wait happens before anything is sent', async () => {
    const waits: number[] = []
    const stream = new OfflineAdapter(ms => Promise.resolve(void waits.push(ms))).stream(request([human('wait 250 ;; say hi')]))
    expect(waits).toEqual([])
    expect((await stream.next()).value).toMatchObject({ type: 'block-start' })
    expect(waits).toEqual([250])
  })

  it('a cancelled wait ends at once, with the real timer', async () => {
    const controller = new AbortController()
    const stream = new OfflineAdapter().stream(request([human('wait 600000 ;; say hi')], { signal: controller.signal }))
    const first = stream.next()
    controller.abort(new Error('the person'))
    await expect(first).rejects.toMatchObject({ code: 'ABORTED', cause: new Error('the person') })
  })

  it('a wait without a signal runs to its end', async () => {
    const { blocks } = assembled(await chunksOf([human('wait 1 ;; say hi')]))
    expect(blocks).toEqual([{ type: 'text', text: 'hi' }])
  })

  it('an aborted request says nothing', async () => {
    await expect(chunksOf([human('say hi')], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('a flood is cancelled from outside while it runs', async () => {
    const controller = new AbortController()
    let seen = 0
    const flooded = (async () => {
      for await (const chunk of new OfflineAdapter().stream(request([human('flood 100000')], { signal: controller.signal }))) {
        seen += Number(chunk.type === 'text-delta')
        if (seen === 1) setImmediate(() => controller.abort())
      }
    })()
    await expect(flooded).rejects.toMatchObject({ code: 'ABORTED' })
    expect(seen).toBeLessThan(1000)
  })
})
