import { useMemo, useState, type ReactElement } from 'react'
import type { ReminderState } from '../../../../tool-schedule/src/people/wire.ts'
import { dateText } from '../date-text.ts'
import { useNow } from './now.tsx'
import { stripOf, type Mark, type Span } from './strip.ts'
import { timeWords } from './time-words.ts'
import type { Say } from './words.ts'

const SPANS: readonly Span[] = ['day', 'week']

/** The picture moves in these steps (milliseconds). */
const STEP_MS = 60_000

const share = (at: number): string => `${(at * 100).toFixed(2)}%`

/** A line of time with past deliveries and coming occurrences (requirement T11). */
export function StripPicture({ state, t }: { readonly state: ReminderState; readonly t: Say }): ReactElement {
  const [span, setSpan] = useState<Span>('day')
  const now = useNow((ms) => Math.floor(ms / STEP_MS) * STEP_MS)
  const strip = useMemo(() => stripOf(now, span, state.pending, state.past), [now, span, state])
  const { from, to, marks, ticks, counts } = strip
  const tickText = (ms: number): string => dateText(ms, t('locale'), span === 'day' ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { weekday: 'short' })
  return (
    <figure className="dsh-rem-strip">
      <div className="dsh-rem-strip-head">
        <Legend t={t} />
        <span className="dsh-rem-spans" role="group" aria-label={t('picture')}>
          {SPANS.map((name) => (
            <button key={name} type="button" aria-pressed={name === span} onClick={() => setSpan(name)}>
              {t(name)}
            </button>
          ))}
        </span>
      </div>
      <svg width="100%" height="58" role="img" aria-label={t('picture.text', { from: timeWords(from, t), to: timeWords(to, t), ...counts })}>
        <rect x="0" y="0" width={share(strip.now)} height="40" className="dsh-rem-past" />
        <line x1="0" x2="100%" y1="40" y2="40" className="dsh-rem-axis" />
        {ticks.map(({ at, ms }) => (
          <g key={ms}>
            <line x1={share(at)} x2={share(at)} y1="36" y2="44" className="dsh-rem-axis" />
            <text x={share(at)} y="56" textAnchor={at < 0.06 ? 'start' : at > 0.94 ? 'end' : 'middle'}>
              {tickText(ms)}
            </text>
          </g>
        ))}
        <line x1={share(strip.now)} x2={share(strip.now)} y1="2" y2="44" className="dsh-rem-now" />
        {marks.map((mark) => (
          <MarkShape key={`${mark.kind} ${mark.at}`} mark={mark} t={t} />
        ))}
      </svg>
    </figure>
  )
}

function MarkShape({ mark, t }: { readonly mark: Mark; readonly t: Say }): ReactElement {
  const { kind, at, count, ms } = mark
  const y = kind === 'missed' ? 12 : 26
  return (
    <svg x={share(at)} y={y} overflow="visible" className={`dsh-rem-mark dsh-rem-${kind}`} data-mark={kind}>
      <title>{`${timeWords(ms, t)} · ${t(`mark.${kind}`)}${count > 1 ? ` × ${count}` : ''}`}</title>
      <Shape kind={kind} radius={3.5 + Math.min(count - 1, 3)} />
    </svg>
  )
}

/** Kinds differ in shape, not only in colour. */
function Shape({ kind, radius }: { readonly kind: Mark['kind']; readonly radius: number }): ReactElement {
  if (kind === 'missed') return <path d={`M${-radius} ${-radius}L${radius} ${radius}M${-radius} ${radius}L${radius} ${-radius}`} />
  return <circle r={radius} />
}

function Legend({ t }: { readonly t: Say }): ReactElement {
  return (
    <figcaption className="dsh-rem-legend">
      {(['delivered', 'missed', 'coming'] as const).map((kind) => (
        <span key={kind}>
          <svg width="12" height="12" viewBox="-6 -6 12 12" className={`dsh-rem-mark dsh-rem-${kind}`} aria-hidden="true">
            <Shape kind={kind} radius={3.5} />
          </svg>
          {t(`mark.${kind}`)}
        </span>
      ))}
    </figcaption>
  )
}
