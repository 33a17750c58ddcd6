import { useId, useState, type KeyboardEvent, type ReactElement } from 'react'
import { MODES, type ClockState, type HostClock, type Mode } from './clock-state.ts'
import type { WordingKey } from './locales.ts'
import type { Translate } from './page.ts'

/** What the form shows and tells. */
export interface ModeFormProps {
  readonly host: HostClock
  readonly state: ClockState
  readonly t: Translate<WordingKey>
  readonly choose: (mode: Mode, cron?: string) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** The four modes, the effect of the present one, and its plan (requirement R21). */
export function ModeForm({ host, state, t, choose }: ModeFormProps): ReactElement {
  const isOff = !host.live || state.isSaving
  // Arrows only move: each switch is a message in the log, and a person may pass two modes on the way to the third.
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const at = buttons.findIndex((button) => button === document.activeElement)
    buttons[(at + step + buttons.length) % buttons.length]?.focus()
  }
  return (
    <>
      <div className="dsh-clock-label" id="dsh-clock-modes">
        {t('modes')}
      </div>
      <div role="radiogroup" aria-labelledby="dsh-clock-modes" className="dsh-clock-modes" onKeyDown={move}>
        {MODES.map((mode) => (
          <button key={mode} type="button" role="radio" aria-checked={mode === host.mode} aria-disabled={isOff} tabIndex={mode === host.mode ? 0 : -1} onClick={() => (isOff || mode === host.mode ? undefined : choose(mode))}>
            {t(`mode.${mode}`)}
          </button>
        ))}
      </div>
      <p className="dsh-clock-effect">{t('locale') === 'en-US' && host.effect !== '' ? host.effect : t(`effect.${host.mode}`)}</p>
      {host.mode === 'cron' && <PlanField key={host.cron} host={host} state={state} t={t} choose={choose} />}
      <StatusLine host={host} state={state} t={t} />
    </>
  )
}

/** What a person types stays until the host has taken it. */
function PlanField({ host, state, t, choose }: ModeFormProps): ReactElement {
  const [draft, setDraft] = useState(host.cron)
  const id = useId()
  const { refusal } = state
  return (
    <form
      className="dsh-clock-plan"
      onSubmit={(event) => {
        event.preventDefault()
        if (host.live && !state.isSaving) choose('cron', draft.trim())
      }}
    >
      <label htmlFor={id}>{t('plan')}</label>
      <span className="dsh-clock-plan-row">
        <input id={id} value={draft} spellCheck={false} autoComplete="off" readOnly={!host.live} aria-invalid={refusal !== undefined} aria-describedby={refusal === undefined ? undefined : `${id}-why`} onChange={(event) => setDraft(event.target.value)} />
        <button type="submit" aria-disabled={!host.live || state.isSaving}>
          {t('save')}
        </button>
      </span>
      {refusal !== undefined && (
        <span id={`${id}-why`} className="dsh-clock-error" role="alert">
          {refusal.message} {refusal.detail}
        </span>
      )}
    </form>
  )
}

function StatusLine({ host, state, t }: Omit<ModeFormProps, 'choose'>): ReactElement {
  const { refusal } = state
  return (
    <div className="dsh-clock-status" role="status">
      {state.isSaving ? t('saving') : state.isUnreachable ? t('unreachable') : !host.live ? t('notLive') : host.pending ? t('requested') : ''}
      {refusal !== undefined && host.mode !== 'cron' && `${refusal.message} ${refusal.detail ?? ''}`}
    </div>
  )
}
