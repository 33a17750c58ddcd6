import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportsIn, undocumented } from '../lib/docs/api-reference.ts'
import { blockFaults, yamlFaults } from '../lib/docs/blocks.ts'
import { configReference } from '../lib/docs/config-reference.ts'
import { CONFIG_ROWS } from '../lib/docs/config-rows.ts'
import { staleFiles, writeFiles } from '../lib/docs/generated.ts'
import { brokenLinks, unusedImages } from '../lib/docs/links.ts'
import { parsePage } from '../lib/docs/page.ts'
import { unequalPairs } from '../lib/docs/pairs.ts'

const FENCE = '```'
const block = (lang: string, text: string): string => `${FENCE}${lang}\n${text}\n${FENCE}\n`

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'timekeeper-docs-'))
  mkdirSync(join(root, 'docs'))
  for (const file of ['README.md', 'docs/b.md', 'docs/c.png']) writeFileSync(join(root, file), '')
})
afterAll(() => rmSync(root, { recursive: true }))

describe('links', () => {
  const pages = (readme: string) => [parsePage('README.md', `# Top\n\n${readme}`), parsePage('docs/b.md', '# 规则 one\n\n[up](../README.md#top)\n')]

  it('that lead somewhere pass: files, folders, own and other headings, the web', () => {
    expect(brokenLinks(pages('[a](docs/b.md) [b](docs) [c](#top) [d](docs/b.md#规则-one) [e](docs/b.md#%E8%A7%84%E5%88%99-one) [f](https://example.org/x) ![g](docs/c.png)'), root)).toEqual([])
  })

  it.each([
    ['docs/no.md', 'leads to no file'],
    ['docs/no.png', 'leads to no file'],
    ['/docs/b.md', 'leads to no file'],
    ['../outside.md', 'leads to no file'],
    ['#bottom', 'leads to no heading of README.md'],
    ['docs/b.md#two', 'leads to no heading of docs/b.md'],
  ])('%s: %s', (url, fault) => {
    expect(brokenLinks(pages(`[a](${url})`), root)).toEqual([`README.md:3: ${url} ${fault}`])
  })

  it('an image that no page shows is told, wherever it is shown from', () => {
    const files = ['docs/c.png', 'docs/d.svg', 'packages/x.png']
    expect(unusedImages(pages('![g](docs/c.png)'), files)).toEqual(['docs/d.svg is shown by no page'])
    expect(unusedImages([parsePage('docs/b.md', '![g](c.png) <img src="./d.svg">')], files)).toEqual([])
  })
})

describe('pages in two languages', () => {
  const pair = (english: string, chinese: string): readonly string[] => unequalPairs([parsePage('docs/guide/en/a.md', english), parsePage('docs/guide/zh/a.md', chinese)])

  it('are alike when headings and blocks are, whatever they say', () => {
    expect(pair(`# A\n\n## B\n\n<!-- walk: skip why -->\n${block('sh', 'ls')}`, `# 甲\n\n## 乙\n\n<!-- walk: skip 为什么 -->\n${block('sh', 'ls -l')}`)).toEqual([])
  })

  it.each([
    ['a heading', '# A\n\n## B\n', '# 甲\n', 'has the headings [1], docs/guide/en/a.md [1 2]'],
    ['a depth', '# A\n\n## B\n', '# 甲\n\n### 乙\n', 'has the headings [1 3], docs/guide/en/a.md [1 2]'],
    ['a block', `# A\n\n${block('sh', 'ls')}`, '# 甲\n', 'has as block 1 "nothing", docs/guide/en/a.md "sh"'],
    ['a language', `# A\n\n${block('yml', 'a: 1')}`, `# 甲\n\n${block('json', '1')}`, 'has as block 1 "json", docs/guide/en/a.md "yml"'],
    ['a comment', `# A\n\n<!-- walk: file a.yml -->\n${block('yml', 'a: 1')}`, `# 甲\n\n${block('yml', 'a: 1')}`, 'has as block 1 "yml", docs/guide/en/a.md "yml file a.yml"'],
  ])('%s that only one has is told', (_, english, chinese, fault) => {
    expect(pair(english, chinese)).toEqual([`docs/guide/zh/a.md ${fault}`])
  })

  it('a page in one language only is told, both ways', () => {
    expect(unequalPairs([parsePage('README.md', '# A'), parsePage('docs/guide/zh/b.md', '# 乙'), parsePage('docs/other.md', '# C')])).toEqual(['README.md has no Chinese page', 'docs/guide/zh/b.md has no English page'])
  })
})

describe('blocks', () => {
  const faults = (text: string, file = 'a.md'): readonly string[] => blockFaults([parsePage(file, text)])

  it.each([
    ['', 'x', 'the block has no language'],
    ['brainfuck', '+', 'nothing checks a block of the language brainfuck'],
    ['sh', '# only a comment', 'it has no command'],
    ['json', '{', /SyntaxError/],
    ['yml', 'a: [1', /Flow sequence/],
    ['js', 'const = 1', /declaration expected/],
    ['chat', 'nobody typed this', 'a chat block begins with a line "> …" that is typed'],
  ])('of %s are checked: %s', (lang, text, fault) => {
    const [found, ...more] = faults(block(lang, text))
    expect(found).toMatch(/^a\.md:1: /)
    expect(found?.slice('a.md:1: '.length)).toMatch(fault)
    expect(more).toEqual([])
  })

  it('that are right, or left out for a reason, pass', () => {
    expect(faults([block('sh', 'ls'), block('json', '{}'), block('js', 'let a = 1'), block('yaml', 'a: 1'), block('text', '{'), block('chat', '> hello\nhi'), `<!-- walk: skip a fragment -->\n${block('json', '{')}`].join('\n'))).toEqual([])
  })

  it('of TypeScript compile against the workspace, each alone', { timeout: 120_000 }, () => {
    const right = block('ts', "import { parseZone } from 'dsh-time-core'\nconst zone = parseZone('UTC')")
    expect(faults(right + block('ts', "import { nobody } from 'dsh-time-core'") + block('ts', 'zone.length'))).toEqual([
      `a.md:5: in its line 1 Module '"dsh-time-core"' has no exported member 'nobody'.`,
      "a.md:8: in its line 1 Cannot find name 'zone'.",
    ])
    const signature = block('ts declaration', 'function f(a: Unknown): void;')
    expect(faults(signature, 'docs/api/x.md')).toEqual([])
    expect(faults(signature)).toHaveLength(2)
  })

  it.each([
    ['- id: a\n- id: a', 'two rows have the id a'],
    ['- insert:\n    - name: dsh-timekeeper', 'a row has no id'],
    ['- insert:\n    - { id: a, name: dsh-timekeeper/nobody }', 'no package of this workspace is dsh-timekeeper/nobody'],
    ['- id: timekeeper-clock\n  config: { mode: turn }', 'timekeeper-clock has no option mode'],
    ['- id: mine\n  name: dsh-timekeeper/tool-schedule\n  config: { maxUnanswered: 0 }', /maxUnanswered expected number >= 1/],
    ['- id: timekeeper-clock\n  config: { timeZone: CST }', /timeZone is not valid/],
  ])('an overlay that could not be mounted is told: %j', (text, fault) => {
    const found = yamlFaults(text)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(fault)
  })

  it('an overlay that can be mounted passes, and a list that is none', () => {
    expect(yamlFaults("- insert:\n    - { id: a, name: dsh-timekeeper }\n- id: timekeeper-schedule\n  config: { maxUnanswered: 3 }\n- id: other\n  config: { root: !!js dshHomePath('sessions') }")).toEqual([])
    expect(yamlFaults('- 1\n- a: 2')).toEqual([])
  })
})

describe('generated pages', () => {
  it('R27 say of every option what it means in both languages, its default, and what a bad value says', () => {
    const pages = configReference()
    expect(pages.map(({ file }) => file)).toEqual(['docs/guide/en/configuration.md', 'docs/guide/zh/configuration.md'])
    for (const { text } of pages) {
      for (const key of CONFIG_ROWS.flatMap(({ options }) => Object.keys(options))) expect(text).toContain(`| \`${key}\` |`)
      expect(text).toContain('| `30` | `0`: $.gapMinutes expected number >= 1 but got 0 |')
    }
    expect(pages[0]?.text).toContain('in milliseconds')
    expect(pages[1]?.text).toContain('毫秒')
  })

  it('are not written when an option is not explained, or its bad value is none', () => {
    const [row] = CONFIG_ROWS
    expect(() => configReference([{ ...row!, options: { added: { type: 'boolean', meta: {} } } }])).toThrow('the schema of timekeeper-schedule.added has no description in en')
    expect(() => configReference([{ ...row!, bad: {} }])).toThrow('no bad value is known for timekeeper-schedule.toolNames')
    expect(() => configReference([{ ...row!, bad: { ...row!.bad, wakeIndex: false } }])).toThrow('takes wakeIndex: false')
  })

  it('list the exports of compiled declarations under their outer names, with what their docstrings say', () => {
    const found = exportsIn('/**\n * Adds {@link One}\n * to it.\n * @param a - the first.\n * @returns the sum.\n * @throws RangeError when not.\n */\nexport declare function add(a: One): number;\n/** One. */\ntype One = 1;\ndeclare const hidden = 2;\ntype Bare = 3;\nexport type { One as Uno, Bare };\n')
    expect(found.map(({ name, kind }) => [name, kind])).toEqual([['add', 'function'], ['Uno', 'type'], ['Bare', 'type']])
    expect(found[0]).toMatchObject({ declaration: 'function add(a: One): number;', params: [{ name: 'a', text: 'the first.' }], returns: 'the sum.', throws: ['RangeError when not.'] })
    expect(found[0]?.meaning).toBe('Adds `One` to it.')
    expect(undocumented(new Map([['x', 'export declare const a = 1;\n/** Said. */\nexport declare const b = 2;']]))).toEqual(['x: a has no docstring'])
  })

  it('are stale when they are missing or differ by a byte', () => {
    const files = [{ file: 'docs/new/page.md', text: 'a\n' }]
    expect(staleFiles(files, root)).toEqual(['docs/new/page.md'])
    writeFiles(files, root)
    expect(staleFiles(files, root)).toEqual([])
    expect(staleFiles([{ file: 'docs/new/page.md', text: 'b\n' }], root)).toEqual(['docs/new/page.md'])
  })
})
