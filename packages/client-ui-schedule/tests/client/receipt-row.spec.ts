import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { en, type WordingKey } from '../../src/client/locales.ts'
import type { PageNode } from '../../src/client/page.ts'
import { ReceiptBody, ReceiptRow, type ReceiptRowProps } from '../../src/client/receipt-row.tsx'
import { NOTHING, receiveCursor, see, type ReceiptState } from '../../src/client/store.ts'
import { create, dispatch, event, iso, T0 } from '../events.ts'

const EVENT = dispatch(2, 'r-1')
const SEEN = see(NOTHING, 's', [create(1, 'r-1', '<b>stretch</b>'), EVENT, event(3, 'schedule/change', { version: 9, note: '<i>' })])
const proven = (throughSeq: number): ReceiptState => receiveCursor(SEEN, 's', 1, { host: 'h', lifetime: 1, throughSeq, seedLength: 0 })

const t: ReceiptRowProps['t'] = (key: WordingKey, values = {}) => en[key].replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name]))

function markup(state: ReceiptState, shown = EVENT, more: { delivery?: undefined; answerKey?: ReceiptRowProps['answerKey'] } = {}): string {
  const delivery = 'delivery' in more ? undefined : { id: 'r-1', messageId: 'm', occurrenceAt: iso(T0 + 60_000), deliveredAt: iso(T0 + 65_000), reasons: [] }
  const node: ReceiptRowProps['node'] = { key: 'k', kind: 'receipt', id: '2', target: 'chat', anchorSeq: 2, location: { kind: 'session' }, visibility: 'visible', data: { event: shown, creates: [], delivery, setBy: undefined } }
  const answer = { ...node, data: { outcome: 'failed' } } as PageNode
  const props: ReceiptRowProps = {
    node,
    sessionId: 's',
    t,
    useReceipts: (select) => select(state),
    useSession: (select) => select({ chat: { nodes: { get: () => answer } } }),
    see: () => undefined,
    answerKey: more.answerKey ?? (() => 'a'),
  }
  return renderToStaticMarkup(createElement(ReceiptRow, props))
}

describe('receipt row', () => {
  it('S32 is nothing at all while its dispatch is not proven stored', () => {
    expect([markup(NOTHING), markup(SEEN), markup(proven(2))]).toEqual(['', '', ''])
  })

  it('S35 S3 says what is known, and keeps the delivery and the answer apart', () => {
    const html = markup(proven(3))
    for (const text of ['Delivered to the conversation', 'late', 'the model failed to answer', 'this session only']) expect(html).toContain(text)
    expect(html).toMatch(/<button type="button"[^>]* aria-expanded="false" aria-controls="/)
    expect(html).toContain(`<time dateTime="${iso(T0 + 60_000)}">`)
  })

  it('X4 shows a prompt as text, whatever it holds', () => {
    expect(markup(proven(3))).toContain('&lt;b&gt;stretch&lt;/b&gt;')
  })

  it('S35 has a name for a record that it cannot present', () => {
    expect(markup(proven(4), event(3, 'schedule/change', { version: 9, note: '<i>' }))).toContain('Reminder record')
  })

  it('S35 S3 unfolds into the drift block, with every instant for machines as well', () => {
    const due = { iso: iso(T0), text: 'Oct 9' }
    const html = renderToStaticMarkup(createElement(ReceiptBody, { t, view: { kind: 'reminder', prompt: 'stretch', due, late: undefined, drift: [{ label: 'Due', ...due }, { label: 'Reminder', text: 'r-1' }] } }))
    expect(html).toContain(`<dl><dt>Due</dt><dd><time dateTime="${iso(T0)}">Oct 9</time></dd><dt>Reminder</dt><dd>r-1</dd></dl>`)
    expect(html).toContain('Nothing is sent elsewhere.')
  })

  it('S35 X4 unfolds an unknown record as text', () => {
    expect(renderToStaticMarkup(createElement(ReceiptBody, { t, view: { kind: 'unknown', json: '{"note":"<i>"}' } }))).toContain('<pre>{&quot;note&quot;:&quot;&lt;i&gt;&quot;}</pre>')
  })

  it('S35 leaves out the model where the message is not known, and waits where the message is in no turn', () => {
    expect(markup(proven(3), EVENT, { delivery: undefined })).not.toContain('model')
    expect(markup(proven(3), EVENT, { answerKey: () => undefined })).toContain('the model has not read it')
  })
})
