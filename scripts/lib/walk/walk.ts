import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Block, Page } from '../docs/page.ts'
import { exchangesIn, openChat, type Chat } from './chat.ts'
import { matchInOrder } from './expect.ts'
import { commandsIn, openShell, type Server, type Shell } from './shell.ts'

/** One thing that was done as a page says. */
export interface Step {
  readonly page: string
  /** Of the block, from 1. */
  readonly line: number
  readonly kind: 'sh' | 'serve' | 'chat' | 'file' | 'output' | 'skip'
  /** What was typed, written or left out. */
  readonly text: string
  readonly ms: number
  /** What did not happen as the page says; undefined when all of it did. */
  readonly problem: string | undefined
}

/** Where and how pages are walked. */
export interface WalkOptions {
  /** The folder that every block begins in. */
  readonly folder: string
  /** The folder that conversations work in. */
  readonly work: string
  readonly env: NodeJS.ProcessEnv
  /** @returns an empty folder */
  readonly scratch: () => string
  /** Told each step when it has ended. */
  readonly report: (step: Step) => void
  /** Told each time that a reminder was seen to be delivered. */
  readonly delivered: () => void
}

/** What a page that talks without starting a host says in words: it is running. */
const START = { line: 'npm start', until: 'Stop   Ctrl-C' }
/** How long what a server prints may take to come. */
const OUTPUT_LIMIT_MS = 30_000

/** The zone of the person of a page. */
const zoneOf = (page: Page): string => (/(^|\/)zh\/|\.zh\.md$/.test(page.file) ? 'Asia/Shanghai' : 'Europe/Berlin')

const orderOf = (block: Block, kind: string): string | undefined => block.orders.find(order => order.kind === kind)?.value

const shorten = (text: string): string => text.trimEnd().split('\n').slice(-40).join('\n')

const isTalk = (block: Block): boolean => block.lang === 'chat' && orderOf(block, 'skip') === undefined

/** @returns whether a page asks for anything to be done */
export const isWalked = ({ blocks }: Page): boolean => blocks.some(block => block.lang === 'sh' || block.lang === 'chat' || orderOf(block, 'file') !== undefined)

/** Walks pages one after the other in one folder, as one person would. */
export class Walk {
  readonly #options: WalkOptions
  /** Started for pages that only talk; it runs on for the next one. */
  #shared: Server | undefined
  /** Started by the page that is walked. */
  #own: Server | undefined
  #chat: Chat | undefined

  constructor(options: WalkOptions) {
    this.#options = options
  }

  /** Walks one page up to the first thing that does not do what the page says. */
  async page(page: Page): Promise<boolean> {
    this.#chat = undefined
    try {
      for (const block of page.blocks) if (!(await this.#block(page, block))) return false
      return true
    } finally {
      await this.#end(this.#own, page)
      this.#own = undefined
    }
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    await this.#end(this.#shared, undefined)
    this.#shared = undefined
  }

  async #block(page: Page, block: Block): Promise<boolean> {
    const skip = orderOf(block, 'skip')
    if (skip !== undefined) return this.#step(page, block, 'skip', skip, async () => undefined)
    const file = orderOf(block, 'file')
    if (file !== undefined && !(await this.#step(page, block, 'file', file, async () => this.#write(file, block.text)))) return false
    if (block.lang === 'sh') return this.#commands(page, block)
    return isTalk(block) ? this.#talk(page, block) : true
  }

  async #commands(page: Page, block: Block): Promise<boolean> {
    const shell = openShell(this.#options.folder, this.#options.env, this.#options.scratch())
    const until = orderOf(block, 'until')
    const lines = commandsIn(block.text)
    const plain = until === undefined ? lines : lines.slice(0, -1)
    let output = ''
    for (const line of plain) {
      const isDone = await this.#step(page, block, 'sh', line, async () => {
        const result = await shell.run(line)
        output += result.output
        return result.code === 0 ? undefined : `it ended with ${result.code}\n${shorten(result.output)}`
      })
      if (!isDone) return false
    }
    const last = lines.at(-1)
    if (until !== undefined && last !== undefined && !(await this.#serve(page, block, shell, last, until))) return false
    return block.output === undefined || this.#printed(page, block.output, () => output + (until === undefined ? '' : (this.#own?.output() ?? '')), until !== undefined)
  }

  async #serve(page: Page, block: Block, shell: Shell, line: string, until: string): Promise<boolean> {
    await this.close()
    await this.#end(this.#own, page)
    this.#own = undefined
    // Its sessions are those of its own home.
    this.#chat = undefined
    return this.#step(page, block, 'serve', line, async () => {
      this.#own = await shell.serve(line, until)
      return undefined
    })
  }

  #printed(page: Page, block: Block, output: () => string, mayCome: boolean): Promise<boolean> {
    return this.#step(page, block, 'output', `${block.text.split('\n').length} lines`, async () => {
      const limit = performance.now() + (mayCome ? OUTPUT_LIMIT_MS : 0)
      for (;;) {
        const { missing } = matchInOrder(block.text.split('\n'), output().split('\n'))
        if (missing === undefined) return undefined
        if (performance.now() >= limit) return `this line did not come: ${missing}\nWhat came:\n${shorten(output())}`
        await new Promise(resolve => setTimeout(resolve, 100))
      }
    })
  }

  async #talk(page: Page, block: Block): Promise<boolean> {
    if (this.#own === undefined && this.#shared === undefined) {
      const shell = openShell(this.#options.folder, this.#options.env, this.#options.scratch())
      const isUp = await this.#step(page, block, 'serve', START.line, async () => {
        this.#shared = await shell.serve(START.line, START.until)
        return undefined
      })
      if (!isUp) return false
    }
    const url = (this.#own ?? this.#shared)?.url
    for (const exchange of exchangesIn(block.text)) {
      const isDone = await this.#step(page, block, 'chat', exchange.typed, async () => {
        if (url === undefined) return 'the command before it printed no address to talk to'
        this.#chat ??= await openChat(url, this.#options.work, zoneOf(page), this.#options.delivered)
        return this.#chat.exchange(exchange)
      })
      if (!isDone) return false
    }
    return true
  }

  #write(name: string, text: string): undefined {
    const path = name.startsWith('~/') ? join(this.#options.env['HOME'] ?? '', name.slice(2)) : join(this.#options.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${text}\n`)
  }

  async #end(server: Server | undefined, page: Page | undefined): Promise<void> {
    if (server === undefined || (await server.stop())) return
    this.#options.report({ page: page?.file ?? 'all pages', line: 0, kind: 'serve', text: 'Ctrl-C', ms: 0, problem: 'it did not end and was killed' })
  }

  async #step(page: Page, { line }: Block, kind: Step['kind'], text: string, act: () => Promise<string | undefined>): Promise<boolean> {
    const begin = performance.now()
    let problem: string | undefined
    try {
      problem = await act()
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
    this.#options.report({ page: page.file, line, kind, text, ms: Math.round(performance.now() - begin), problem })
    return problem === undefined
  }
}
