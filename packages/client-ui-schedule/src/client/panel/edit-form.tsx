import { useEffect, useId, useRef, useState, type ReactElement } from 'react'
import type { PendingReminder } from '../../../../tool-schedule/src/people/wire.ts'
import type { Say } from './words.ts'

/** What the form shows and tells. */
export interface EditFormProps {
  readonly reminder: PendingReminder
  readonly t: Say
  /** @returns whether the host has taken it. */
  readonly save: (body: Readonly<Record<string, unknown>>) => Promise<boolean>
  readonly close: () => void
}

/** A new prompt, a new time, or both; what is typed stays until the host has taken it. */
export function EditForm({ reminder, t, save, close }: EditFormProps): ReactElement {
  const [prompt, setPrompt] = useState(reminder.prompt)
  const [text, setText] = useState('')
  const first = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => first.current?.focus(), [])
  const send = async (): Promise<void> => {
    const body = { ...(prompt !== reminder.prompt && { prompt }), ...(text.trim() !== '' && { text }) }
    if (Object.keys(body).length === 0) return close()
    await save(body)
  }
  return (
    <form
      className="dsh-rem-edit"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // Not the whole panel: what is typed elsewhere would be lost.
        event.stopPropagation()
        event.currentTarget.closest('li')?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus()
        close()
      }}
    >
      <label htmlFor={`${id}-what`}>{t('edit.prompt')}</label>
      <input ref={first} id={`${id}-what`} value={prompt} onChange={(event) => setPrompt(event.target.value)} />
      <label htmlFor={`${id}-when`}>{t('edit.time')}</label>
      <input id={`${id}-when`} value={text} placeholder={t('snooze.tomorrow')} autoComplete="off" onChange={(event) => setText(event.target.value)} />
      <span className="dsh-rem-line">
        <button type="submit" className="dsh-rem-main">
          {t('save')}
        </button>
        <button type="button" onClick={close}>
          {t('back')}
        </button>
      </span>
    </form>
  )
}
