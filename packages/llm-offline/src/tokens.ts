import type { GenerateOptions, Message } from '@deepseek-ai/dsh-llm'

const BYTES_PER_TOKEN = 4

/**
 * A steady guess of what a text would cost: a quarter of its UTF-8 bytes, rounded up.
 *
 * @param text any text
 */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)

function messageTokens(message: Pick<Message, 'content'>): number {
  let tokens = 0
  for (const block of message.content) {
    if (block.type === 'text' || block.type === 'reasoning') tokens += tokensOf(block.text)
    else if (block.type === 'tool-call') tokens += tokensOf(block.name) + tokensOf(block.arguments)
    else if (block.type === 'tool-result') tokens += messageTokens(block)
  }
  return tokens
}

/**
 * A steady guess of what a whole request would cost, at least 1: system text, messages and tool schemas.
 *
 * @param request the request as sent to the adapter
 */
export function requestTokens(request: Pick<GenerateOptions, 'messages' | 'system' | 'tools'>): number {
  const history = request.messages.reduce((total, message) => total + messageTokens(message), 0)
  const fixed = tokensOf(request.system ?? '') + (request.tools === undefined ? 0 : tokensOf(JSON.stringify(request.tools)))
  return Math.max(1, history + fixed)
}
