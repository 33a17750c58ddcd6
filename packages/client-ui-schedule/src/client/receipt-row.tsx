import { memo, useEffect, useId, useMemo, useState, type ReactElement } from 'react'
import { outcomeIn, type Outcome } from './definitions.ts'
import type { ReceiptData } from './evidence.ts'
import type { WordingKey } from './locales.ts'
import type { RowProps, Translate } from './page.ts'
import type { Feed } from './feed.ts'
import { generationOf, receiptOf, type ReceiptState } from './store.ts'
import { receiptView, type ReceiptView } from './view-model.ts'

/** What the row is given beside the page's own members. */
export interface ReceiptRowProps extends RowProps<ReceiptData, WordingKey> {
  readonly useReceipts: <T>(select: (state: ReceiptState) => T) => T
  readonly see: Feed['see']
  readonly answerKey: (messageId: string) => string | undefined
}

// The same elements in every row: React has nothing to compare.
const BELL = (
  <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.3" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
    <path d="M8 2a4 4 0 0 0-4 4v2.6L2.8 11h10.4L12 8.6V6a4 4 0 0 0-4-4ZM6.6 13.4a1.6 1.6 0 0 0 2.8 0" />
  </svg>
)

const CHEVRON = (
  <svg className="dsh-receipt-chevron" width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" strokeWidth="1.3" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
    <path d="m5.5 3.5 3.5 3.5-3.5 3.5" />
  </svg>
)

/**
 * The receipt of one dispatch. Shows nothing at all until the dispatch is proven stored (requirement S32), and keeps
 * apart what it knows: that the reminder reached the conversation, and what became of the model's turn.
 */
export function ReceiptRow({ node, sessionId, t, useReceipts, useSession, see, answerKey }: ReceiptRowProps): ReactElement | null {
  const { data } = node
  const receipt = useReceipts((state) => receiptOf(state.sessions.get(sessionId), data.event.seq))
  const generation = useReceipts((state) => generationOf(state, sessionId))
  const messageId = data.delivery?.messageId
  const outcome = useSession(({ chat }) => {
    const key = messageId === undefined ? undefined : answerKey(messageId)
    return messageId === undefined ? undefined : outcomeIn(key === undefined ? undefined : chat?.nodes?.get(key))
  })
  useEffect(() => see(sessionId, [data.event, ...data.creates]), [see, sessionId, data, generation])
  const view = useMemo(() => (receipt === undefined ? undefined : receiptView(receipt, data, t)), [receipt, data, t])
  return view === undefined ? null : <ReceiptCard view={view} outcome={outcome} t={t} />
}

/** The row as a person sees it. */
const ReceiptCard = memo(function ReceiptCard({ view, outcome, t }: { readonly view: ReceiptView; readonly outcome: Outcome | undefined; readonly t: Translate<WordingKey> }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const bodyId = useId()
  return (
    <div className="dsh-receipt" data-receipt={view.kind} data-open={isOpen ? '' : undefined}>
      <button type="button" className="dsh-receipt-head" aria-expanded={isOpen} aria-controls={bodyId} onClick={() => setOpen(!isOpen)}>
        {BELL}
        <span className="dsh-receipt-main">
          <span className="dsh-receipt-title">{t(view.kind === 'reminder' ? 'delivered' : 'unknown')}</span>
          {view.kind === 'reminder' && <span className="dsh-receipt-prompt">{view.prompt}</span>}
        </span>
        {CHEVRON}
        {view.kind === 'reminder' && <ReceiptMeta view={view} outcome={outcome} t={t} />}
      </button>
      <div id={bodyId} className="dsh-receipt-body" hidden={!isOpen}>
        {isOpen && <ReceiptBody view={view} t={t} />}
      </div>
    </div>
  )
})

type ReminderView = Extract<ReceiptView, { kind: 'reminder' }>

function ReceiptMeta({ view, outcome, t }: { readonly view: ReminderView; readonly outcome: Outcome | undefined; readonly t: Translate<WordingKey> }): ReactElement {
  return (
    <span className="dsh-receipt-meta">
      <span>
        <time dateTime={view.due.iso}>{t('due', { time: view.due.text })}</time>
      </span>
      {view.late !== undefined && <span>{t('late', { duration: view.late })}</span>}
      {outcome !== undefined && <span data-outcome={outcome}>{t(`outcome.${outcome}`)}</span>}
      <span>{t('boundary')}</span>
    </span>
  )
}

/** What unfolds: the drift block, or a record as it is stored. */
export function ReceiptBody({ view, t }: { readonly view: ReceiptView; readonly t: Translate<WordingKey> }): ReactElement {
  if (view.kind === 'unknown') {
    return (
      <>
        <p>{t('unknown.hint')}</p>
        <pre>{view.json}</pre>
      </>
    )
  }
  return (
    <>
      <dl>
        {view.drift.map(({ label, text, iso }) => [<dt key={`${label} term`}>{label}</dt>, <dd key={label}>{iso === undefined ? text : <time dateTime={iso}>{text}</time>}</dd>])}
      </dl>
      <p>{t('drift.boundary')}</p>
    </>
  )
}
