import { useEffect, useId, useRef, useState, type FormEvent, type ReactElement } from 'react'
import type { Answer, Preview, WireRefusal } from '../../../../tool-schedule/src/people/wire.ts'
import type { PanelFeed } from './feed.ts'
import { useNow } from './now.tsx'
import { RefusalText } from './refusal-text.tsx'
import { leftWords, ruleWords, timeWords } from './time-words.ts'
import type { Say } from './words.ts'

/** What the form shows and tells. */
export interface CreateFormProps {
  readonly sessionId: string
  readonly feed: PanelFeed
  readonly t: Say
  readonly isEmpty: boolean
}

/** A pause in typing (milliseconds). */
const PAUSE_MS = 250

const EXAMPLES = ['example.1', 'example.2', 'example.3'] as const

/** One field in the host's own grammar, with what it would become while it is typed (requirements T10, T11). */
export function CreateForm({ sessionId, feed, t, isEmpty }: CreateFormProps): ReactElement {
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<WireRefusal | 'unreachable'>()
  const [isSending, setSending] = useState(false)
  const preview = usePreview(sessionId, feed, text)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const write = (next: string): void => {
    setText(next)
    setRefusal(undefined)
    field.current?.focus()
  }
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '' || isSending) return
    setSending(true)
    const answer = await feed.change('create', sessionId, { text })
    setSending(false)
    if (answer?.outcome === 'done') return write('')
    setRefusal(answer?.refusal ?? 'unreachable')
  }
  return (
    <form className="dsh-rem-create" onSubmit={(event) => void send(event)}>
      <label htmlFor={id}>{t('new')}</label>
      <span className="dsh-rem-line">
        <input ref={field} id={id} value={text} placeholder={t('placeholder')} autoComplete="off" aria-invalid={refusal !== undefined} aria-describedby={`${id}-is`} data-autofocus="" onChange={(event) => write(event.target.value)} />
        <button type="submit" className="dsh-rem-main" aria-disabled={isSending || text.trim() === ''}>
          {isSending ? t('saving') : t('add')}
        </button>
      </span>
      <div id={`${id}-is`} className="dsh-rem-preview" role="status">
        {refusal === undefined && preview !== undefined && <PreviewText preview={preview} t={t} />}
        {refusal !== undefined && <RefusalText refusal={refusal} t={t} take={write} />}
      </div>
      {isEmpty && text === '' && (
        <div>
          <p className="dsh-rem-dim">{t('empty')}</p>
          <div className="dsh-rem-chips" role="group" aria-label={t('examples')}>
            {EXAMPLES.map((key) => (
              <button key={key} type="button" onClick={() => write(t(key))}>
                {t(key)}
              </button>
            ))}
          </div>
        </div>
      )}
    </form>
  )
}

/** What the text would become, asked for when a person pauses. */
function usePreview(sessionId: string, feed: PanelFeed, text: string): Answer<Preview> | undefined {
  const [shown, setShown] = useState<{ readonly text: string; readonly answer: Answer<Preview> | undefined }>()
  useEffect(() => {
    if (text.trim() === '') return undefined
    let isWanted = true
    const timer = setTimeout(() => {
      void feed.preview(sessionId, text).then((answer) => (isWanted ? setShown({ text, answer }) : undefined))
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [sessionId, feed, text])
  return shown?.text === text ? shown.answer : undefined
}

function PreviewText({ preview, t }: { readonly preview: Answer<Preview>; readonly t: Say }): ReactElement {
  const left = useNow((now) => (preview.outcome === 'refused' ? '' : leftWords(preview.reminder, now, t)))
  if (preview.outcome === 'refused') return <RefusalText refusal={preview.refusal} t={t} />
  const { due } = preview.reminder
  const rule = ruleWords(preview.reminder, t)
  return (
    <>
      <time dateTime={due.utc}>{t('preview.will', { time: timeWords(due.ms, t), left })}</time>
      {rule !== undefined && ` · ${rule}`}
      {preview.notes.map((note) => (
        <div key={note}>{note}</div>
      ))}
    </>
  )
}
