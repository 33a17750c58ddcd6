import { useEffect, useRef, useSyncExternalStore, type KeyboardEvent, type ReactElement } from 'react'
import type { ReminderState } from '../../../../tool-schedule/src/people/wire.ts'
import { CreateForm } from './create-form.tsx'
import type { PanelFeed } from './feed.ts'
import { saveStatus, type Known } from './known.ts'
import { NoticeSwitch } from './notice-switch.tsx'
import { NowProvider } from './now.tsx'
import type { Opening } from './opening.ts'
import { PastList } from './past-list.tsx'
import { PendingList } from './pending-list.tsx'
import { StripPicture } from './strip-picture.tsx'
import type { Say } from './words.ts'

/** What the page gives the panel, and what it is mounted with. */
export interface PanelHostProps {
  readonly t: Say
  readonly feed: PanelFeed
  readonly opening: Opening
}

/** The panel of reminders over the page, when it is open (requirement T11). */
export function PanelHost({ t, feed, opening }: PanelHostProps): ReactElement | null {
  const shown = useSyncExternalStore(opening.subscribe, opening.getSnapshot)
  return shown === undefined ? null : <Panel key={shown.sessionId} sessionId={shown.sessionId} t={t} feed={feed} close={opening.close} />
}

interface PanelProps {
  readonly sessionId: string
  readonly t: Say
  readonly feed: PanelFeed
  readonly close: () => void
}

const FOCUSABLE = 'a[href],button:not([tabindex="-1"]),input'

function Panel({ sessionId, t, feed, close }: PanelProps): ReactElement {
  const known = useSyncExternalStore(feed.subscribe, () => feed.knownOf(sessionId))
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => feed.watch(sessionId), [feed, sessionId])
  const wasUsed = useRef(false)
  useEffect(() => {
    const panel = root.current
    const { activeElement } = document
    if (panel === null || (activeElement !== panel && panel.contains(activeElement))) return
    // What had the focus is gone, or nothing has it yet: the undo of what went, or the place to write.
    const undo = wasUsed.current ? panel.querySelector<HTMLElement>('[data-undo]') : null
    const target = undo ?? panel.querySelector<HTMLElement>('[data-autofocus]')
    wasUsed.current ||= target !== null
    ;(target ?? panel).focus()
  })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // The page has keys of its own: Escape would stop the model.
    event.stopPropagation()
    if (event.key === 'Escape') close()
    if (event.key !== 'Tab') return
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(FOCUSABLE)]
    const edge = event.shiftKey ? all[0] : all.at(-1)
    if (document.activeElement !== edge) return
    event.preventDefault()
    ;(event.shiftKey ? all.at(-1) : all[0])?.focus()
  }
  return (
    <div className="dsh-rem-layer" onPointerDown={(event) => (event.target === event.currentTarget ? close() : undefined)}>
      <div ref={root} className="dsh-rem-panel" role="dialog" aria-modal="true" tabIndex={-1} aria-labelledby="dsh-rem-title" data-reminders="" onKeyDown={onKeyDown}>
        <NowProvider skew={known.skew}>
          <div className="dsh-rem-head">
            <h2 id="dsh-rem-title">{t('title')}</h2>
            <Status known={known} t={t} />
            <button type="button" className="dsh-rem-close" aria-label={t('close')} onClick={close}>
              <CloseIcon />
            </button>
          </div>
          <div className="dsh-rem-body">
            <Trouble known={known} t={t} retry={() => feed.refresh(sessionId)} />
            {known.state === undefined ? null : <Content state={known.state} sessionId={sessionId} feed={feed} t={t} />}
          </div>
          <Foot sessionId={sessionId} t={t} />
        </NowProvider>
      </div>
    </div>
  )
}

function Status({ known, t }: { readonly known: Known; readonly t: Say }): ReactElement {
  const status = saveStatus(known)
  return (
    <span className="dsh-rem-status" role="status" data-status={status}>
      {status === undefined ? '' : t(status)}
    </span>
  )
}

function Trouble({ known, t, retry }: { readonly known: Known; readonly t: Say; readonly retry: () => void }): ReactElement {
  const { trouble, state } = known
  const text = trouble === 'unreachable' ? t('unreachable') : trouble === undefined ? undefined : `${trouble.message} ${trouble.detail ?? ''}`
  return (
    <>
      {state === undefined && trouble === undefined && <p role="status">{t('loading')}</p>}
      {text !== undefined && (
        <p className="dsh-rem-note" role="alert">
          {text}{' '}
          <button type="button" data-autofocus="" onClick={retry}>
            {t('retry')}
          </button>
        </p>
      )}
      {saveStatus(known) === 'unconfirmed' && <p className="dsh-rem-note">{t('unconfirmed.hint')}</p>}
    </>
  )
}

function Content({ state, sessionId, feed, t }: { readonly state: ReminderState; readonly sessionId: string; readonly feed: PanelFeed; readonly t: Say }): ReactElement {
  const { corruption, pending, past, undo, total, live } = state
  if (corruption !== undefined) {
    return (
      <p className="dsh-rem-note" role="alert" data-corrupt="" tabIndex={-1} data-autofocus="">
        {t('corrupt', { seq: corruption.seq, rule: corruption.rule })}
      </p>
    )
  }
  return (
    <>
      {!live && <p className="dsh-rem-note">{t('notLive')}</p>}
      <CreateForm sessionId={sessionId} feed={feed} t={t} isEmpty={total === 0} />
      {undo !== undefined && (
        <p className="dsh-rem-undo">
          <span>{t('undone', { prompt: undo.prompt })}</span>
          <button type="button" data-undo="" onClick={() => void feed.change('undo', sessionId)}>
            {t('undo')}
          </button>
        </p>
      )}
      <StripPicture state={state} t={t} />
      {total > 0 && <PendingList sessionId={sessionId} pending={pending} total={total} feed={feed} t={t} />}
      <PastList title={t('deliveredList')} kind="delivered" past={past} t={t} />
      <PastList title={t('missedList')} kind="missed" past={past} t={t} />
    </>
  )
}

function Foot({ sessionId, t }: { readonly sessionId: string; readonly t: Say }): ReactElement {
  return (
    <div className="dsh-rem-foot">
      <NoticeSwitch t={t} />
      <a href={`/dsh-reminders/calendar.ics?sessionId=${encodeURIComponent(sessionId)}`} download="reminders.ics">
        {t('calendar')}
      </a>
    </div>
  )
}

function CloseIcon(): ReactElement {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" aria-hidden="true">
      <path d="m4 4 8 8M12 4l-8 8" />
    </svg>
  )
}
