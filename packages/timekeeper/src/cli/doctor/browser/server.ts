import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { fencedRoute, fencedStream, refuseRequest } from 'dsh-session-host'
import { refuse, type Refusal } from '../../refusal.ts'
import type { Comparison } from './compare.ts'
import { pageHtml, pagePolicy } from './page.ts'
import type { Question } from './questions.ts'

/** What a browser is asked, and what becomes of its answer. */
export interface BrowserRequest {
  /** The questions for a browser whose own zone has this name, which may be any text. */
  readonly questions: (own: string) => readonly Question[]
  /** Judge an answer, which may be anything. @returns `undefined` for one that answers other questions than were asked. */
  readonly judge: (answer: unknown) => Judged | undefined
  /** Told where the page is, once it is there, and for how long (milliseconds). */
  readonly opened: (url: string, limitMs: number) => void
}

/** An answer that counts. */
export interface Judged {
  readonly comparison: Comparison
  /** What the page says of it to whoever has opened it. */
  readonly lines: readonly string[]
}

/** How long a person may take to open a page. */
const LIMIT_MS = 300_000

/** Every zone that there is, asked at more than a hundred instants, answers with less. */
const MAX_REPORT_BYTES = 1_048_576

/** 192 bits: the address cannot be guessed by what else runs on this machine. */
const TOKEN_BYTES = 24

/**
 * Serve one page on 127.0.0.1 at a port that is free, until a browser has answered, Ctrl-C is pressed or the time is over.
 * Nothing of it is left afterwards.
 *
 * @param request - what to ask.
 * @param limitMs - how long to wait.
 * @throws what `request` throws while it answers: a fault of ours.
 */
export async function askBrowser(request: BrowserRequest, limitMs: number = LIMIT_MS): Promise<Comparison | Refusal> {
  const ended = Promise.withResolvers<Comparison | Refusal>()
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const handle = handlerFor(request, `/${token}/`, ended)
  const server = createServer((incoming, response) => void handle(incoming, response).catch(() => response.destroy()))
  server.once('error', ({ code }: NodeJS.ErrnoException) => ended.resolve(refuse('not_served', (texts) => texts.details.notServed(String(code)))))
  const timer = setTimeout(() => ended.resolve(refuse('browser_silent', (texts) => texts.details.browserSilent(texts.duration(limitMs)))), limitMs)
  const interrupt = (): void => ended.resolve(refuse('interrupted', (texts) => texts.details.interrupted))
  process.once('SIGINT', interrupt)
  server.listen(0, '127.0.0.1', () => request.opened(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`, limitMs))
  try {
    return await ended.promise
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', interrupt)
    server.close()
    server.closeAllConnections()
  }
}

type Ended = PromiseWithResolvers<Comparison | Refusal>
type Handler = (incoming: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** The page, what it asks for, and what it brings back, behind the fence that the routes of our plugins have too. */
function handlerFor(request: BrowserRequest, base: string, ended: Ended): (...both: Parameters<Handler>) => Promise<void> {
  const common = { method: 'GET', report: ended.reject } as const
  const nothing = fencedRoute({ ...common, answer: () => refuseRequest(404, 'not-found', 'Nothing is here.') })
  const routes = new Map<string, Handler>([
    [base, fencedStream({ open: servePage })],
    [`${base}questions`, fencedRoute({ ...common, answer: ({ query }) => ({ status: 200, body: request.questions(query.get('zone') ?? '') }) })],
    [`${base}report`, (incoming, response) => hear(request, incoming, response, ended)],
  ])
  return async (incoming, response) => {
    // A connection that is kept for later would only have to be broken at the end.
    response.shouldKeepAlive = false
    const [path = ''] = String(incoming.url).split('?')
    await (routes.get(path) ?? nothing)(incoming, response)
  }
}

async function hear({ judge }: BrowserRequest, incoming: IncomingMessage, response: ServerResponse, ended: Ended): Promise<void> {
  let judged: Judged | undefined
  const route = fencedRoute({
    method: 'POST',
    maxBytes: MAX_REPORT_BYTES,
    report: ended.reject,
    // Every browser names the origin of a POST.
    refuses: ({ headers }) => (headers.origin === undefined ? 403 : undefined),
    answer({ body }) {
      judged = judge(body)
      return judged === undefined ? refuseRequest(400, 'bad-request', 'This does not answer what was asked.') : { status: 200, body: judged.lines }
    },
  })
  await route(incoming, response)
  if (judged === undefined) return
  const { comparison } = judged
  // The page is to show what came of it, so this goes out before the end; whether it arrives changes nothing.
  await finished(response).catch(() => undefined)
  ended.resolve(comparison)
}

function servePage(response: ServerResponse): void {
  const nonce = randomBytes(16).toString('base64')
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': pagePolicy(nonce),
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  response.end(pageHtml(nonce))
}
