import { setImmediate, setTimeout } from 'node:timers/promises'
import { CallId, LlmAdapter, LlmError } from '@deepseek-ai/dsh-llm'
import type { ContentBlock, GenerateOptions, LlmModelInfo, LlmProviderInfo, LlmResolvedModelInfo, ResolvedRetryPolicy, StreamChunk } from '@deepseek-ai/dsh-llm'
import { replyTo } from './replies.ts'
import type { Reply } from './replies.ts'
import type { Act } from './script.ts'
import { requestTokens, tokensOf } from './tokens.ts'

/** Route of the demo model. */
export const PROVIDER = 'offline'

/** Id of the demo model. */
export const MODEL = 'timekeeper-demo'

/** Name people see, for the provider and for the model: it must never look like an AI. */
export const DISPLAY_NAME = 'Offline demo (no AI)'

/** Tokens of context: large, so that the host does not compact a demo or a test. */
const CONTEXT_WINDOW = 1_000_000

/** After so many deltas other work gets a turn, so that a flood can be cancelled. */
const DELTAS_PER_BREATH = 256

/** A rule never answers differently the second time, so nothing is retried. */
const NO_RETRY: ResolvedRetryPolicy = {
  mode: 'normal',
  maxRetries: 0,
  retryableCodes: ['EMPTY_RESPONSE'],
  initialDelayMs: 1,
  maxDelayMs: 1,
  jitterRatio: 0,
}

/** Waits, and rejects at once when the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<void>

const pause: Pause = (ms, signal) => setTimeout(ms, undefined, { ...(signal !== undefined && { signal }) })

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new LlmError('The request was cancelled.', 'ABORTED', { cause: signal.reason })
}

/** The deltas of an act that is words; `flood` makes them up. */
function* deltasOf(act: Act): Generator<string> {
  if (act.kind === 'say') yield act.text
  if (act.kind === 'flood') for (let n = 1; n <= Math.max(1, act.count); n += 1) yield `${n} `
}

async function* textBlock(index: number, deltas: Iterable<string>, signal: AbortSignal | undefined): AsyncGenerator<StreamChunk, string> {
  let text = ''
  let sent = 0
  yield { type: 'block-start', index, blockType: 'text' }
  for (const delta of deltas) {
    throwIfAborted(signal)
    text += delta
    sent += 1
    yield { type: 'text-delta', index, text: delta }
    if (sent % DELTAS_PER_BREATH === 0) await setImmediate()
  }
  yield { type: 'block-end', index, block: { type: 'text', text } }
  return text
}

function* callBlock(index: number, act: Extract<Act, { kind: 'call' }>, callId: string): Generator<StreamChunk> {
  const block: ContentBlock = { type: 'tool-call', id: CallId(callId), name: act.tool, arguments: act.args }
  yield { type: 'block-start', index, blockType: 'tool-call' }
  yield { type: 'tool-call-delta', index, id: block.id, name: act.tool, argumentsDelta: act.args }
  yield { type: 'block-end', index, block }
}

/** The blocks of a reply in the host's grammar; its value is the number of tokens put out. */
async function* blocks({ preface, act, callId }: Reply, signal: AbortSignal | undefined): AsyncGenerator<StreamChunk, number> {
  if (act.kind !== 'call') {
    const head = preface === '' ? [] : [`${preface}\n`]
    return tokensOf(yield* textBlock(0, [...head, ...deltasOf(act)], signal))
  }
  const before = preface === '' ? '' : yield* textBlock(0, [preface], signal)
  yield* callBlock(preface === '' ? 0 : 1, act, callId)
  return tokensOf(before) + tokensOf(act.tool) + tokensOf(act.args)
}

/**
 * The demo model as the host's adapter. It keeps no state: the same request gets the same answer.
 */
export class OfflineAdapter extends LlmAdapter {
  readonly #pause: Pause

  /** @param wait replaces the real pause in tests */
  constructor(wait: Pause = pause) {
    super()
    this.#pause = wait
  }

  override providerInfo(provider: string): LlmProviderInfo {
    return { id: provider, name: DISPLAY_NAME }
  }

  override providerRetryPolicy(): ResolvedRetryPolicy {
    return NO_RETRY
  }

  override listModels(provider: string): Promise<readonly LlmModelInfo[]> {
    return Promise.resolve([{ provider, id: MODEL, name: DISPLAY_NAME, inputModalities: ['text'] }])
  }

  override resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    return Promise.resolve({ provider, id: model, name: DISPLAY_NAME, inputModalities: ['text'], context: { contextWindow: CONTEXT_WINDOW } })
  }

  /**
   * Answers one request.
   *
   * @param options the assembled request; its signal ends a pause or a flood at once
   * @throws LlmError `ABORTED` when cancelled, or the code a script asks for with `fail`
   */
  override async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    const { signal } = options
    throwIfAborted(signal)
    const reply = replyTo(options)
    if (reply.waitMs > 0) await this.#pause(reply.waitMs, signal).catch(() => throwIfAborted(signal))
    throwIfAborted(signal)
    if (reply.act.kind === 'fail') throw new LlmError('The script asked for this failure.', reply.act.code)
    const outputTokens = yield* blocks(reply, signal)
    yield { type: 'usage', usage: { inputTokens: requestTokens(options), outputTokens } }
    yield { type: 'finish', reason: { kind: reply.act.kind === 'call' ? 'tool-calls' : 'stop' } }
  }
}
