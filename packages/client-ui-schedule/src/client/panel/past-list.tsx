import { useState, type ReactElement } from 'react'
import type { PastReminder } from '../../../../tool-schedule/src/people/wire.ts'
import { timeWords, whyWords } from './time-words.ts'
import type { Say } from './words.ts'

/** What the list shows. */
export interface PastListProps {
  readonly title: string
  readonly kind: PastReminder['outcome']
  /** Newest first. */
  readonly past: readonly PastReminder[]
  readonly t: Say
}

/** Rows that are drawn at first, and with each click. */
const PAGE = 5

/** What became of earlier reminders, newest first, with why one was late (requirement T11). */
export function PastList({ title, kind, past, t }: PastListProps): ReactElement | null {
  const [shown, setShown] = useState(PAGE)
  const mine = past.filter(({ outcome }) => outcome === kind)
  if (mine.length === 0) return null
  return (
    <section aria-labelledby={`dsh-rem-${kind}`}>
      <h3 id={`dsh-rem-${kind}`}>
        {title} <span className="dsh-rem-count">{mine.length}</span>
      </h3>
      <ul className="dsh-rem-list" data-past={kind}>
        {mine.slice(0, shown).map((one) => (
          <PastRow key={`${one.seq} ${one.occurrenceId}`} past={one} t={t} />
        ))}
      </ul>
      {mine.length > shown && (
        <button type="button" className="dsh-rem-more" onClick={() => setShown(shown + PAGE)}>
          {t('more', { n: Math.min(PAGE, mine.length - shown) })}
        </button>
      )}
    </section>
  )
}

function PastRow({ past, t }: { readonly past: PastReminder; readonly t: Say }): ReactElement {
  const why = whyWords(past, t)
  return (
    <li className="dsh-rem-item">
      <div className="dsh-rem-prompt">{past.prompt}</div>
      <div className="dsh-rem-dim">
        <time dateTime={past.due.utc}>{t('due', { time: timeWords(past.due.ms, t) })}</time>
        {why !== undefined && <span className="dsh-rem-why"> · {why}</span>}
      </div>
    </li>
  )
}
