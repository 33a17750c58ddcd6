import { useEffect, type ReactElement } from 'react'
import type { ClockState, Mode } from './clock-state.ts'
import type { WordingKey } from './locales.ts'
import { ModeForm } from './mode-form.tsx'
import type { Translate } from './page.ts'
import { Ticking } from './ticking.tsx'
import { longTime, nowText } from './time-text.ts'

/** What the card shows and tells. */
export interface CardProps {
  readonly id: string
  readonly state: ClockState
  readonly zone: string
  readonly next: number | undefined
  readonly t: Translate<WordingKey>
  readonly choose: (mode: Mode, cron?: string) => void
  readonly refresh: () => void
  /** Absent where nothing shows reminders. */
  readonly openReminders: (() => void) | undefined
}

/** A step takes a request over in the middle of a turn, and nothing in the page tells of that (milliseconds). */
const LOOK_MS = 3000

/** The card of the clock (requirement R21). */
export function Card({ id, state, zone, next, t, choose, refresh, openReminders }: CardProps): ReactElement {
  const { host } = state
  const isWaiting = host?.pending === true
  useEffect(() => refresh(), [refresh])
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setInterval(refresh, LOOK_MS)
    return () => clearInterval(timer)
  }, [refresh, isWaiting])
  const locale = t('locale')
  return (
    <div id={id} className="dsh-clock-card" role="dialog" aria-label={t('title')} data-clock-card="">
      <Ticking period={1000}>{(now) => <Now now={now} locale={locale} zone={zone} />}</Ticking>
      <div className="dsh-clock-zone">{t('zone', { zone })}</div>
      {host !== undefined && host.timeZone !== '' && host.timeZone !== zone && <div className="dsh-clock-zone">{t('zoneOther', { zone: host.timeZone })}</div>}
      {next !== undefined && (
        <div className="dsh-clock-next">
          <time dateTime={new Date(next).toISOString()}>{t('next', { time: longTime(next, locale, zone) })}</time>
        </div>
      )}
      {host === undefined ? <Waiting state={state} t={t} refresh={refresh} /> : <ModeForm host={host} state={state} t={t} choose={choose} />}
      {openReminders !== undefined && (
        <button type="button" className="dsh-clock-reminders" onClick={openReminders}>
          {t('reminders')}
          <span aria-hidden="true">›</span>
        </button>
      )}
    </div>
  )
}

/** Not a live region: a screen reader would speak without end. */
function Now({ now, locale, zone }: { readonly now: number; readonly locale: string; readonly zone: string }): ReactElement {
  const { time, date, iso } = nowText(now, locale, zone)
  return (
    <time className="dsh-clock-now" dateTime={iso}>
      <span className="dsh-clock-time">{time}</span>
      <span className="dsh-clock-date">{date}</span>
    </time>
  )
}

function Waiting({ state, t, refresh }: Pick<CardProps, 'state' | 't' | 'refresh'>): ReactElement {
  const why = state.isUnreachable ? t('unreachable') : state.refusal?.message
  return (
    <div className="dsh-clock-status" role="status">
      {why ?? t('loading')}
      {why !== undefined && (
        <button type="button" className="dsh-clock-retry" onClick={refresh}>
          {t('retry')}
        </button>
      )}
    </div>
  )
}
