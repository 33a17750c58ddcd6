import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parsePage } from '../lib/docs/page.ts'
import { exchangesIn } from '../lib/walk/chat.ts'
import { matchInOrder, matchesLine } from '../lib/walk/expect.ts'
import { commandsIn } from '../lib/walk/shell.ts'
import { Walk, isWalked, type Step } from '../lib/walk/walk.ts'

const FENCE = '```'
const block = (lang: string, text: string): string => `${FENCE}${lang}\n${text}\n${FENCE}\n`

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'timekeeper-walk-test-')))
  for (const name of ['clone', 'home']) mkdirSync(join(root, name))
})
afterEach(() => rmSync(root, { recursive: true }))

const walk = async (...texts: readonly string[]): Promise<readonly Step[]> => {
  const steps: Step[] = []
  const scratch = (): string => mkdtempSync(join(root, 'scratch-'))
  const walker = new Walk({ folder: join(root, 'clone'), work: root, env: { PATH: process.env['PATH'], HOME: join(root, 'home') }, scratch, report: step => steps.push(step), delivered: () => undefined })
  for (const [index, text] of texts.entries()) await walker.page(parsePage(`${index}.md`, text))
  await walker.close()
  return steps
}

describe('what a page expects', () => {
  it.each([
    ['Reminder: stretch', '  Reminder: stretch ', true],
    ['Set … for …', 'Set r-1 (a.b) for 09:00', true],
    ['a.b', 'axb', false],
    ['Reminder', 'Reminder: stretch', false],
    ['…(1)…', 'x (1) y', true],
  ])('%j and %j: %s', (expected, line, fits) => {
    expect(matchesLine(expected, line)).toBe(fits)
  })

  it('has to come in order, with anything between', () => {
    expect(matchInOrder(['a', '…', '', 'b'], ['x', 'a', 'y', 'b', 'z'])).toEqual({ missing: undefined, used: 4 })
    expect(matchInOrder(['b', 'a'], ['a', 'b'])).toEqual({ missing: 'a', used: 2 })
  })

  it('commands are lines, joined where a backslash ends them', () => {
    expect(commandsIn('# why\nls \\\n  -l\n\n  pwd # here\n')).toEqual(['ls -l', 'pwd # here'])
  })

  it('a conversation is what is typed and what comes after it', () => {
    expect(exchangesIn('> a\nb\nc\n\n> /d')).toEqual([{ typed: 'a', expected: ['b', 'c'] }, { typed: '/d', expected: [] }])
  })
})

describe('walking a page', () => {
  it('does what it says, in one terminal per block, and writes its files first', async () => {
    const page = [block('sh', 'mkdir sub && cd sub\nexport WORD="two words"\nprintf "%s\\n" "$WORD" "$PWD" >> ../out.txt'), `<!-- walk: file a/b.yml -->\n${block('yml', 'a: 1')}`, `<!-- walk: file ~/c.json -->\n${block('json', '{}')}`, block('sh', 'cat a/b.yml ~/c.json >> out.txt')].join('\n')
    const steps = await walk(page)
    expect(steps.map(({ kind, problem }) => [kind, problem])).toEqual([['sh', undefined], ['sh', undefined], ['sh', undefined], ['file', undefined], ['file', undefined], ['sh', undefined]])
    expect(readFileSync(join(root, 'clone/out.txt'), 'utf8')).toBe(`two words\n${join(root, 'clone/sub')}\na: 1\n{}\n`)
    expect(readFileSync(join(root, 'home/c.json'), 'utf8')).toBe('{}\n')
  })

  it('fails at the first command that fails, with what it printed, and goes on with the next page', async () => {
    const steps = await walk(`# A\n\n${block('sh', 'echo why >&2; exit 3\ntouch never')}${block('sh', 'touch never')}`, block('sh', 'touch next'))
    expect(steps).toMatchObject([{ page: '0.md', line: 3, text: 'echo why >&2; exit 3', problem: 'it ended with 3\nwhy' }, { page: '1.md', problem: undefined }])
    expect(existsSync(join(root, 'clone/never'))).toBe(false)
    expect(existsSync(join(root, 'clone/next'))).toBe(true)
  })

  it('fails when something else is printed than the page says', async () => {
    const page = (expected: string): string => block('sh', 'echo one\necho two') + block('text', expected)
    expect((await walk(page('one\n…\ntw…'))).at(-1)).toMatchObject({ kind: 'output', problem: undefined })
    expect((await walk(page('two\none'))).at(-1)).toMatchObject({ kind: 'output', problem: expect.stringContaining('this line did not come: one') as unknown })
  })

  it('leaves out what it is told to, and says why', async () => {
    expect(await walk(`<!-- walk: skip it takes an hour -->\n${block('sh', 'exit 1')}`)).toMatchObject([{ kind: 'skip', text: 'it takes an hour', problem: undefined }])
  })

  it('a server runs to the end of its page, is looked at, and is ended as by Ctrl-C', async () => {
    const server = "node -e \"console.log('port', process.pid); process.on('SIGINT', () => { console.log('bye'); process.exit() }); setTimeout(() => console.log('later'), 300); setInterval(() => {}, 1000)\""
    const steps = await walk(`<!-- walk: until "port" -->\n${block('sh', `touch before\n${server} | tee log.txt`)}${block('text', 'port …\nlater')}${block('sh', 'test -e before')}`)
    expect(steps.map(({ kind, problem }) => [kind, problem])).toEqual([['sh', undefined], ['serve', undefined], ['output', undefined], ['sh', undefined]])
    const pid = Number(/port (\d+)/.exec(readFileSync(join(root, 'clone/log.txt'), 'utf8'))?.[1])
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('a server that ends before it is ready is a failure with its last words', async () => {
    expect(await walk(`<!-- walk: until "ready" -->\n${block('sh', 'echo no port; exit 1')}`)).toMatchObject([{ kind: 'serve', problem: expect.stringContaining('it ended without "ready"\nno port') as unknown }])
  })

  it('a conversation needs a host that runs', async () => {
    const [step] = await walk(block('chat', '> hello'))
    expect(step).toMatchObject({ kind: 'serve', text: 'npm start' })
    expect(step?.problem).toContain('it ended without')
  })

  it('a page with nothing to do is not walked', () => {
    expect([block('text', 'a'), block('sh', 'ls'), block('chat', '> a'), `<!-- walk: file a -->\n${block('json', '1')}`].map(text => isWalked(parsePage('a.md', text)))).toEqual([false, true, true, true])
  })
})
