import { describe, expect, it } from 'vitest'
import type { ReceiptData } from '../../src/client/evidence.ts'
import { en, zh, type WordingKey } from '../../src/client/locales.ts'
import type { Receipt } from '../../src/client/store.ts'
import { receiptView } from '../../src/client/view-model.ts'
import { create, dispatch, event, iso, T0 } from '../events.ts'

/** The page's own way of looking up words: a key that is missing comes back as it is. */
const speak =
  (words: Readonly<Record<string, string>>) =>
  (key: WordingKey, values: Readonly<Record<string, string | number>> = {}): string =>
    (words[key] ?? key).replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name]))

const EVENT = dispatch(4, 'r-1')
const RECEIPT: Receipt = { event: EVENT, presentation: { scheduleId: 'r-1', prompt: 'stretch', occurrenceAt: iso(T0 + 60_000) }, create: create(1, 'r-1'), lacksCreate: false }
const data = (lateMs: number, reasons: readonly string[] = [], setBy?: 'model' | 'person'): ReceiptData => ({
  event: EVENT,
  creates: [],
  delivery: { id: 'r-1', messageId: 'm', occurrenceAt: iso(T0 + 60_000), deliveredAt: iso(T0 + 60_000 + lateMs), reasons },
  setBy,
})
const BARE: ReceiptData = { event: EVENT, creates: [], delivery: undefined, setBy: undefined }
const drift = (words: Readonly<Record<string, string>>, facts: ReceiptData, receipt = RECEIPT): readonly string[] => {
  const view = receiptView(receipt, facts, speak(words), 'Asia/Shanghai')
  return view?.kind === 'reminder' ? view.drift.map(({ label, text }) => `${label}: ${text}`) : []
}

describe('what a receipt says', () => {
  it('S35 T6 in English: due, delivered, how late and why, and who set it', () => {
    expect(drift(en, data(125_000, ['host-down', 'busy'], 'person'))).toEqual([
      'Due: Oct 9, 2026, 09:01:00',
      'Delivered: Oct 9, 2026, 09:03:05',
      'Late by: 2 min 5 s',
      'Why: the host was not running, the session was in the middle of a turn',
      'Set: Oct 9, 2026, 09:00:01, by you',
      'Reminder: r-1',
    ])
  })

  it('S35 T6 in Chinese', () => {
    expect(drift(zh, data(125_000, ['host-down', 'busy'], 'model'))).toEqual([
      '应到时间: 2026年10月9日 09:01:00',
      '送达时间: 2026年10月9日 09:03:05',
      '迟到: 2 分钟 5 秒',
      '原因: 主机当时没有运行，会话当时正在进行一轮对话',
      '设定: 2026年10月9日 09:00:01，由模型设定',
      '提醒编号: r-1',
    ])
  })

  it.each([
    [0, 'on time'],
    [1999, 'on time'],
    [2000, '2 s'],
    [60_000, '1 min'],
    [3_600_000 + 5000, '1 h'],
    [3_660_000, '1 h 1 min'],
    [90_000_000, '1 d 1 h'],
  ])('R16 %i ms after the instant is "%s"', (lateMs, text) => {
    expect(drift(en, data(lateMs))).toContain(`Late by: ${text}`)
  })

  it('S35 without the message it says what the log alone says', () => {
    expect(drift(en, BARE)).toEqual(['Due: Oct 9, 2026, 09:01:00', 'Set: Oct 9, 2026, 09:00:01', 'Reminder: r-1'])
    expect(drift(en, BARE, { ...RECEIPT, create: undefined })).toEqual(['Due: Oct 9, 2026, 09:01:00', 'Reminder: r-1'])
    expect(receiptView(RECEIPT, BARE, speak(en), 'Asia/Shanghai')).toMatchObject({ kind: 'reminder', prompt: 'stretch', late: undefined, due: { iso: iso(T0 + 60_000), text: 'Oct 9, 09:01' } })
    expect(receiptView(RECEIPT, BARE, speak(en))).toMatchObject({ kind: 'reminder', due: { iso: iso(T0 + 60_000) } })
  })

  it('S35 a reason that a later version writes is shown in its own word', () => {
    expect(drift(en, data(5000, ['eclipse']))).toContain('Why: eclipse')
  })

  it('S35 an unknown record is shown as it is stored, and bounded', () => {
    const unknown = (value: unknown): Receipt => ({ event: event(4, 'schedule/change', value), presentation: undefined, create: undefined, lacksCreate: false })
    const view = receiptView(unknown({ version: 9 }), BARE, speak(en))
    expect(view?.kind === 'unknown' && JSON.parse(view.json)).toEqual({ type: 'schedule/change', data: { version: 9 } })
    const long = receiptView(unknown({ version: 9, text: 'x'.repeat(9000) }), BARE, speak(en))
    expect(long?.kind === 'unknown' && long.json.length).toBe(4001)
  })

  it('S34 nothing is said while the create is being asked for', () => {
    expect(receiptView({ ...RECEIPT, presentation: undefined, lacksCreate: true }, BARE, speak(en))).toBeUndefined()
  })
})

describe('wording', () => {
  it('S35 has the same keys and the same places in both languages', () => {
    const places = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted()
    expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted())
    for (const [key, text] of Object.entries(en)) expect(places(zh[key as WordingKey])).toEqual(places(text))
  })

  it('S3 S35 claims that a reminder was delivered to the conversation, and not that it was answered', () => {
    expect([en.delivered, zh.delivered]).toEqual(['Delivered to the conversation', '已送达会话'])
    expect([en.boundary, zh.boundary]).toEqual(['this session only', '仅限本会话'])
  })
})
