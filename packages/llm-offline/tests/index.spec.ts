import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { Context } from '@deepseek-ai/cordis'
import { BlockAssembler, LlmRuntime } from '@deepseek-ai/dsh-llm'
import type { GenerateOptions } from '@deepseek-ai/dsh-llm'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as plugin from '../src/index.ts'
import { human } from './harness.ts'

const hosts: Context[] = []

afterEach(async () => {
  await Promise.all(hosts.splice(0).map(ctx => ctx.fiber.dispose()))
})

/** The host's real model registry with the plugin in it. */
async function mount(config: Partial<plugin.Config> = {}) {
  const ctx = new Context()
  hosts.push(ctx)
  await ctx.plugin(LlmRuntime)
  const fiber = await ctx.plugin(plugin, plugin.Config({ asDefault: 'auto', keys: ['DEEPSEEK_API_KEY'], ...config }))
  return { ctx, fiber }
}

/** Mounts a key store and waits for what the plugin says about the default. */
function chosen(ctx: Context, configured: boolean): Promise<unknown> {
  ctx.provide('credentials', { describe: () => Promise.resolve({ configured }) })
  return new Promise(resolve => {
    ctx.inject([plugin.SERVICE], ready => resolve(ready.get(plugin.SERVICE)))
  })
}

async function answer(ctx: Context, text: string, more: Partial<GenerateOptions> = {}) {
  const config = { provider: plugin.PROVIDER, model: plugin.MODEL }
  const assembler = new BlockAssembler()
  const call = await ctx.llm.prepareCall(config)
  for await (const chunk of call.stream({ ...call.config, messages: [human(text)], ...more })) assembler.push(chunk)
  return { blocks: assembler.blocks(), finish: assembler.finish, context: call.context, retryPolicy: call.retryPolicy }
}

describe("in the host's model registry", () => {
  it('the route, its model and its metadata pass the host\'s checks', async () => {
    const { ctx } = await mount()
    expect(ctx.llm.listProviders()).toEqual([{ id: 'offline', name: 'Offline demo (no AI)' }])
    expect(await ctx.llm.listModels('offline')).toMatchObject([{ id: 'timekeeper-demo', name: 'Offline demo (no AI)' }])
    const { blocks, finish, context, retryPolicy } = await answer(ctx, 'say hi')
    expect(blocks).toEqual([{ type: 'text', text: 'hi' }])
    expect(finish).toEqual({ kind: 'stop' })
    expect(context).toEqual({ contextWindow: 1_000_000 })
    expect(retryPolicy).toMatchObject({ maxRetries: 0 })
  })

  it('failures and cancels arrive as the host\'s own finish reasons', async () => {
    const { ctx } = await mount()
    expect((await answer(ctx, 'fail QUOTA')).finish).toEqual({ kind: 'error', failure: { message: 'The script asked for this failure.', code: 'QUOTA' } })
    expect((await answer(ctx, 'say hi', { signal: AbortSignal.abort() })).finish).toMatchObject({ kind: 'aborted' })
  })

  it('unloading takes the route away', async () => {
    const { ctx, fiber } = await mount()
    await fiber.dispose()
    expect(ctx.llm.listProviders()).toEqual([])
  })

  it('a wrong option is refused by name', async () => {
    const ctx = new Context()
    hosts.push(ctx)
    await ctx.plugin(LlmRuntime)
    const wrong = { asDefault: 'sometimes' } as unknown as plugin.Config
    await expect(Promise.resolve(ctx.plugin(plugin, wrong))).rejects.toThrow(/asDefault/)
  })
})

describe('the default', () => {
  it('is told once the key store is up', async () => {
    expect(await chosen((await mount()).ctx, false)).toEqual({ isDefault: true })
    expect(await chosen((await mount()).ctx, true)).toEqual({ isDefault: false })
    expect(await chosen((await mount({ asDefault: 'always' })).ctx, true)).toEqual({ isDefault: true })
  })

  it('without a key store nothing is told, and the model works', async () => {
    const { ctx } = await mount()
    expect(ctx.get(plugin.SERVICE)).toBeUndefined()
    expect((await answer(ctx, 'say hi')).finish).toEqual({ kind: 'stop' })
  })
})

describe('the bundle patch', () => {
  const js = { tag: 'tag:yaml.org,2002:js', resolve: (source: string) => ({ source }) }
  const text = readFileSync(new URL('../cordis.patch.yml', import.meta.url), 'utf8')
  const [added, changed] = parse(text, { customTags: [js] }) as [{ insert: unknown }, { id: string; inject: string[]; config: Record<string, { source: string }> }]

  /** The loader's own way to evaluate a row's expression. */
  const evaluate = (source: string, isDefault: boolean): unknown => runInNewContext(source, { ctx: { [plugin.SERVICE]: { isDefault } } })

  it('adds the plugin, and makes the default wait for what it tells', () => {
    expect(added.insert).toEqual([{ id: 'llm-offline', name: 'dsh-llm-offline' }])
    expect(changed).toMatchObject({ id: 'agent-default-model', inject: [plugin.SERVICE] })
  })

  it('chooses the demo or the stock model', () => {
    const choose = (isDefault: boolean) => Object.fromEntries(Object.entries(changed.config).map(([key, value]) => [key, evaluate(value.source, isDefault)]))
    expect(choose(true)).toEqual({ provider: plugin.PROVIDER, model: plugin.MODEL })
    expect(choose(false)).toEqual({ provider: 'deepseek-official', model: 'deepseek-v4-flash' })
  })
})
