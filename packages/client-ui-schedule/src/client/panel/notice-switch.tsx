import { useState, type ReactElement } from 'react'
import type { Say } from './words.ts'

const permission = (): NotificationPermission | 'missing' => (typeof Notification === 'undefined' || !isSecureContext ? 'missing' : Notification.permission)

/** Asks for permission, from a click and nowhere else (requirement T12). */
export function NoticeSwitch({ t }: { readonly t: Say }): ReactElement | null {
  const [state, setState] = useState(permission)
  if (state === 'missing') return null
  if (state !== 'default') return <span className="dsh-rem-dim">{t(state === 'granted' ? 'notice.on' : 'notice.denied')}</span>
  return (
    <button type="button" data-notify="" onClick={() => void Notification.requestPermission().then(setState)}>
      {t('notice.ask')}
    </button>
  )
}
