import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RECEIPT } from '../../src/client/definitions.ts'
import type { Feed } from '../../src/client/feed.ts'
import { apply, inject } from '../../src/client/index.tsx'
import type { PageAnswer, PagePlugin, SlotEntry } from '../../src/client/page.ts'
import { receiptOf } from '../../src/client/store.ts'
import { create, dispatch } from '../events.ts'

type Heard = (event: { data: string }) => void

class FakeStream {
  static open: FakeStream[] = []
  readonly listeners = new Map<string, Heard>()
  closed = false
  readonly url: string
  constructor(url: URL) {
    this.url = url.href
    FakeStream.open.push(this)
  }
  addEventListener(name: string, listener: Heard): void {
    this.listeners.set(name, listener)
  }
  removeEventListener(name: string): void {
    this.listeners.delete(name)
  }
  close(): void {
    this.closed = true
  }
}

interface Tag {
  readonly dataset: Record<string, string>
  textContent: string
}

/** Everything that a page is told by the plugin. */
function page(answer: PageAnswer) {
  const told = { services: [] as readonly string[], kinds: [] as string[], words: {} as object, entry: undefined as SlotEntry | undefined, asked: [] as unknown[], reset: () => undefined as void, undo: [] as (() => void)[] }
  const ctx: PagePlugin = {
    inject: (services, callback) => {
      told.services = services
      callback(ctx)
    },
    effect: (start) => void told.undo.push(start()),
    on: (_event, listener) => void (told.reset = listener),
    locale: {
      register: (namespace, words) => {
        told.words = { [namespace]: Object.keys(words) }
        return () => undefined
      },
    },
    connection: {
      rpc: {
        call: async (channel, endpoint, payload) => {
          told.asked.push([channel, endpoint, payload])
          return answer
        },
      },
    },
    conversationEvents: { register: ({ kind }) => told.kinds.push(kind) },
    slots: {
      inject: (_slot, callback) => void told.undo.push(callback()),
      register: (entry) => {
        told.entry = entry
        return () => undefined
      },
    },
  }
  return { ctx, told }
}

let tags: Tag[]
beforeEach(() => {
  tags = []
  FakeStream.open = []
  vi.stubGlobal('WebSocket', FakeStream)
  vi.stubGlobal('location', { href: 'https://localhost/' })
  vi.stubGlobal('document', {
    querySelector: () => tags[0] ?? null,
    createElement: () => ({ dataset: {}, textContent: '' }),
    head: { append: (tag: Tag) => tags.push(tag) },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const feedOf = (entry: SlotEntry | undefined): Feed => (entry!.inject() as { hooks: { receipts: Feed } }).hooks.receipts
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
const CURSOR = { host: 'h', lifetime: 1, throughSeq: 2, seedLength: 0 }

describe('the browser half in a page', () => {
  it('S35 waits only for what every page has, and registers definitions, a row and its wording', () => {
    const { ctx, told } = page({ ok: true, value: CURSOR })
    apply(ctx)
    expect(inject).toEqual(['slots'])
    expect(told).toMatchObject({ services: ['locale', 'connection', 'conversationEvents'], words: { 'dsh-client-ui-schedule': ['zh', 'en'] }, entry: { name: 'conversation.chat.node', key: RECEIPT } })
    expect(told.kinds).toHaveLength(3)
  })

  it('S34 asks over the channel, is pushed the rest, and starts anew with a new connection', async () => {
    const { ctx, told } = page({ ok: true, value: CURSOR })
    apply(ctx)
    const feed = feedOf(told.entry)
    const shows = (seq: number): boolean => receiptOf(feed.getSnapshot().sessions.get('s'), seq) !== undefined
    feed.see('s', [create(0, 'r-1'), dispatch(1, 'r-1'), dispatch(2, 'r-1')])
    await settle()
    expect(told.asked).toEqual([['/dsh-receipts', 'cursor', { sessionId: 's' }]])
    expect([shows(1), shows(2)]).toEqual([true, false])
    const [stream] = FakeStream.open
    stream!.listeners.get('message')!({ data: JSON.stringify({ ...CURSOR, throughSeq: 3, sessionId: 's' }) })
    expect([stream!.url, shows(2)]).toEqual(['wss://localhost/dsh-receipts/events', true])
    const open = stream!.listeners.get('open')!
    open({ data: '' })
    expect(told.asked).toHaveLength(1)
    open({ data: '' })
    expect(told.asked).toHaveLength(2)
    told.reset()
    expect(shows(1)).toBe(false)
  })

  it('S33 a refusal shows nothing', async () => {
    const { ctx, told } = page({ ok: false, error: { message: 'no' } })
    apply(ctx)
    const feed = feedOf(told.entry)
    feed.see('s', [dispatch(1, 'r-1')])
    await settle()
    expect(feed.getSnapshot().sessions.get('s')?.cursor).toBeUndefined()
  })

  it('puts its rules in once, under the name of the loaded plugin, and closes its stream when it goes', () => {
    const { ctx, told } = page({ ok: true, value: CURSOR })
    apply(ctx, 'dsh-timekeeper')
    apply(ctx, 'dsh-timekeeper')
    expect(tags).toHaveLength(1)
    expect(tags[0]).toMatchObject({ dataset: { plugin: 'dsh-timekeeper', pluginCss: 'dsh-client-ui-schedule:receipt' } })
    for (const undo of told.undo) undo()
    expect(FakeStream.open.map(({ closed }) => closed)).toEqual([true, true])
  })
})
