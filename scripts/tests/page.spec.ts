import { describe, expect, it } from 'vitest'
import { parsePage } from '../lib/docs/page.ts'

const FENCE = '```'

describe('a page', () => {
  it('knows its headings and the anchors that GitHub makes of them, in any script and twice', () => {
    const page = parsePage('a.md', '# Why `late`?\n\n## 常见问题\n\n## More\n\n## More\n')
    expect(page.headings.map(({ depth, text }) => [depth, text])).toEqual([[1, 'Why late?'], [2, '常见问题'], [2, 'More'], [2, 'More']])
    expect([...page.anchors]).toEqual(['why-late', '常见问题', 'more', 'more-1'])
  })

  it('finds links, images, definitions and those in HTML, and none in code', () => {
    const page = parsePage('a.md', 'a [b](c.md#d) ![e](f.png)\n`[no](g.md)` [h][i]\n\n<img src="j.png"> <a href="k.md">k</a>\n\n[i]: l.md\n')
    expect(page.links.map(({ url, isImage, line }) => [url, isImage, line])).toEqual([['c.md#d', false, 1], ['f.png', true, 1], ['j.png', true, 4], ['k.md', false, 4], ['l.md', false, 6]])
  })

  it('reads the comments before a block, in lists too, and the output after a sh block', () => {
    const page = parsePage('a.md', `1. first\n\n   <!-- walk: until "Stop it" -->\n   ${FENCE}sh\n   npm start\n   ${FENCE}\n\n   ${FENCE}text\n   ready\n   ${FENCE}\n\n<!-- walk: file a/b.yml -->\n<!-- walk: skip it takes an hour -->\n${FENCE}yml\na: 1\n${FENCE}\n`)
    const [server, output, file] = page.blocks
    expect(server).toMatchObject({ lang: 'sh', text: 'npm start', line: 4, orders: [{ kind: 'until', value: 'Stop it' }], isOutput: false })
    expect(server?.output).toMatchObject({ text: 'ready' })
    expect(output).toMatchObject({ lang: 'text', isOutput: true })
    expect(file).toMatchObject({ orders: [{ kind: 'file', value: 'a/b.yml' }, { kind: 'skip', value: 'it takes an hour' }] })
    expect(page.strayOrders).toEqual([])
  })

  it('a comment without a block, or that means nothing, is told', () => {
    const page = parsePage('a.md', `<!-- walk: skip why -->\n\ntext\n\n<!-- walk: skip -->\n${FENCE}sh\nls\n${FENCE}\n\n<!-- walk: until "x" -->\n`)
    expect(page.strayOrders).toEqual([{ text: 'skip why', line: 3 }, { text: 'skip', line: 5 }, { text: 'until x', line: 10 }])
    expect(page.blocks[0]?.orders).toEqual([])
  })
})
