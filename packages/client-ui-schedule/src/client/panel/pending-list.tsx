import { memo, useState, type ReactElement } from 'react'
import type { PendingReminder, WireRefusal } from '../../../../tool-schedule/src/people/wire.ts'
import { EditForm } from './edit-form.tsx'
import type { ChangeEndpoint, PanelFeed } from './feed.ts'
import { useNow } from './now.tsx'
import { RefusalText } from './refusal-text.tsx'
import { leftWords, nextWords, ruleWords, timeWords } from './time-words.ts'
import type { Say } from './words.ts'

/** What the list shows. */
export interface PendingListProps {
  readonly sessionId: string
  readonly pending: readonly PendingReminder[]
  /** Also those that the host does not list. */
  readonly total: number
  readonly feed: PanelFeed
  readonly t: Say
}

/** Rows that are drawn at first, and with each click: hundreds would make each second slow. */
const PAGE = 20

/** What will come, soonest first (requirement T11). */
export function PendingList({ sessionId, pending, total, feed, t }: PendingListProps): ReactElement {
  const [shown, setShown] = useState(PAGE)
  return (
    <section aria-labelledby="dsh-rem-pending">
      <h3 id="dsh-rem-pending">
        {t('pending')} <span className="dsh-rem-count">{total}</span>
      </h3>
      <ul className="dsh-rem-list" data-pending="">
        {pending.slice(0, shown).map((reminder) => (
          <PendingRow key={reminder.id} sessionId={sessionId} reminder={reminder} feed={feed} t={t} />
        ))}
      </ul>
      {pending.length > shown && (
        <button type="button" className="dsh-rem-more" onClick={() => setShown(shown + PAGE)}>
          {t('more', { n: Math.min(PAGE, pending.length - shown) })}
        </button>
      )}
      {pending.length <= shown && total > pending.length && <p className="dsh-rem-dim">{t('hidden', { n: total - pending.length, shown: pending.length })}</p>}
    </section>
  )
}

type RowProps = Pick<PendingListProps, 'sessionId' | 'feed' | 't'> & { readonly reminder: PendingReminder }

const PendingRow = memo(function PendingRow({ sessionId, reminder, feed, t }: RowProps): ReactElement {
  const [mode, setMode] = useState<'plain' | 'snooze' | 'edit'>('plain')
  const [refusal, setRefusal] = useState<WireRefusal | 'unreachable'>()
  const act = async (endpoint: ChangeEndpoint, body: Readonly<Record<string, unknown>>): Promise<boolean> => {
    setRefusal(undefined)
    const answer = await feed.change(endpoint, sessionId, { id: reminder.id, ...body })
    const isDone = answer?.outcome === 'done'
    if (isDone) setMode('plain')
    else setRefusal(answer?.refusal ?? 'unreachable')
    return isDone
  }
  const named = (action: string): string => t('of', { action, prompt: reminder.prompt })
  const toggle = (next: 'snooze' | 'edit'): void => setMode(mode === next ? 'plain' : next)
  return (
    <li className="dsh-rem-item" data-reminder={reminder.id}>
      <Summary reminder={reminder} t={t} />
      <div className="dsh-rem-actions">
        <button type="button" aria-label={named(t('snooze'))} aria-expanded={mode === 'snooze'} onClick={() => toggle('snooze')}>
          {t('snooze')}
        </button>
        <button type="button" aria-label={named(t('edit'))} aria-expanded={mode === 'edit'} onClick={() => toggle('edit')}>
          {t('edit')}
        </button>
        <button type="button" aria-label={named(t('cancel'))} onClick={() => void act('delete', {})}>
          {t('cancel')}
        </button>
      </div>
      {mode === 'snooze' && <SnoozeChoices t={t} label={named(t('snooze'))} choose={(body) => void act('snooze', body)} />}
      {mode === 'edit' && <EditForm reminder={reminder} t={t} save={(body) => act('edit', body)} close={() => setMode('plain')} />}
      {refusal !== undefined && (
        <div role="alert">
          <RefusalText refusal={refusal} t={t} />
        </div>
      )}
    </li>
  )
})

function Summary({ reminder, t }: Pick<RowProps, 'reminder' | 't'>): ReactElement {
  const { prompt, due, setBy, unattended, wake, snoozeOf, state } = reminder
  const facts = [ruleWords(reminder, t), nextWords(reminder, t), t(unattended ? 'unattended' : setBy === 'person' ? 'byPerson' : 'byModel'), wake ? t('wake') : undefined, snoozeOf === undefined ? undefined : t('snoozed')]
  return (
    <>
      <div className="dsh-rem-prompt">{prompt}</div>
      <div className="dsh-rem-when" data-state={state}>
        <time dateTime={due.utc}>{timeWords(due.ms, t)}</time>
        <Left reminder={reminder} t={t} />
      </div>
      <div className="dsh-rem-dim">{facts.filter((fact) => fact !== undefined).join(' · ')}</div>
    </>
  )
}

function Left({ reminder, t }: Pick<RowProps, 'reminder' | 't'>): ReactElement {
  return <span className="dsh-rem-left">{useNow((now) => leftWords(reminder, now, t))}</span>
}

const SNOOZES = [
  ['snooze.10m', { afterSeconds: 600 }],
  ['snooze.1h', { afterSeconds: 3600 }],
  ['snooze.tonight', { text: 'tonight 20:00' }],
  ['snooze.tomorrow', { text: 'tomorrow 9:00' }],
] as const

/** From this hour on, tonight is over. */
const TONIGHT = 20

function SnoozeChoices({ t, label, choose }: { readonly t: Say; readonly label: string; readonly choose: (body: Readonly<Record<string, unknown>>) => void }): ReactElement {
  const hour = useNow((now) => new Date(now).getHours())
  return (
    <div className="dsh-rem-chips" role="group" aria-label={label}>
      {SNOOZES.filter(([key]) => key !== 'snooze.tonight' || hour < TONIGHT).map(([key, body]) => (
        <button key={key} type="button" onClick={() => choose(body)}>
          {t(key)}
        </button>
      ))}
    </div>
  )
}
