// A plugin that writes down what is sent to the model, exactly as the model's adapter receives it.
import { appendFileSync } from 'node:fs'

/** The part of the host that is used here. */
interface Host {
  on(event: 'llm/stream', listener: (request: Request, next: () => unknown) => unknown): void
}

interface Request {
  readonly sessionId?: string
  /** Of a title or a summary, which are requests of their own outside the conversation. */
  readonly purpose?: string
  readonly system?: unknown
  readonly tools?: unknown
  readonly messages: unknown
}

export const name = 'clock-doc-recorder'
export const inject = ['llm']

/** @param file one JSON line is appended to it per request */
export const apply = (ctx: Host, { file }: { readonly file: string }): void => {
  ctx.on('llm/stream', ({ sessionId, purpose, system, tools, messages }, next) => {
    if (purpose === undefined) appendFileSync(file, `${JSON.stringify({ sessionId, system, tools, messages })}\n`)
    return next()
  })
}
