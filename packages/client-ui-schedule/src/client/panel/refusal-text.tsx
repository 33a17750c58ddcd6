import type { ReactElement } from 'react'
import type { WireRefusal } from '../../../../tool-schedule/src/people/wire.ts'
import type { Say } from './words.ts'

/** What is said about a change that was not made. */
export interface RefusalTextProps {
  readonly refusal: WireRefusal | 'unreachable'
  readonly t: Say
  /** Where examples can be taken over with a click. */
  readonly take?: (example: string) => void
}

/** Why the host refused, in its own words, with what could be written instead. */
export function RefusalText({ refusal, t, take }: RefusalTextProps): ReactElement {
  if (refusal === 'unreachable') return <span className="dsh-rem-error">{t('unreachable.change')}</span>
  const { message, detail, examples = [] } = refusal
  return (
    <span className="dsh-rem-error">
      {message}
      {detail !== undefined && ` ${detail}`}
      {examples.length > 0 && (
        <span className="dsh-rem-chips" role="group" aria-label={t('examples')}>
          {examples.map((example) =>
            take === undefined ? (
              <code key={example}>{example}</code>
            ) : (
              <button key={example} type="button" onClick={() => take(example.replace(/\s*…$/, ' '))}>
                {example}
              </button>
            ),
          )}
        </span>
      )}
    </span>
  )
}
