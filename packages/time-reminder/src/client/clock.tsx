import { useCallback, useEffect, useId, useRef, useState, useSyncExternalStore, type FocusEvent, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react'
import { NO_ANNEX, type Annex } from './annex.ts'
import { Card } from './card.tsx'
import type { ClockFeed } from './clock-feed.ts'
import { soonest, UNKNOWN, type Mode } from './clock-state.ts'
import type { WordingKey } from './locales.ts'
import type { PageSession, Translate } from './page.ts'
import { Ticking } from './ticking.tsx'
import { longTime, shortTime } from './time-text.ts'

/** What the page gives the clock, and what it is mounted with. */
export interface ClockProps {
  readonly sessionId: string
  readonly t: Translate<WordingKey>
  readonly useSession: <T>(select: (session: PageSession) => T) => T
  readonly feed: ClockFeed
  readonly annex: Annex
}

/** Time that a pointer may be on its way over the gap to the card (milliseconds). */
const LEAVE_MS = 300

/** closed · peek: there because it is pointed at or focused · pinned: stays until it is closed. */
type Openness = 'closed' | 'peek' | 'pinned'

/** The clock in the header of a session, with its card (requirement R21). */
export function Clock({ sessionId, t, useSession, feed, annex }: ClockProps): ReactElement {
  const clocks = useSyncExternalStore(feed.subscribe, feed.getSnapshot)
  const due = useSyncExternalStore(annex.subscribe, () => annex.nextDue(sessionId))
  const state = clocks.get(sessionId) ?? UNKNOWN
  const isRunning = useSession((session) => Boolean(session.running))
  const trigger = useRef<HTMLButtonElement>(null)
  const { openness, setOpenness, isReturning, handlers } = useOpenness(trigger)
  const cardId = useId()
  useEffect(() => annex.watch(sessionId), [annex, sessionId])
  // A step that begins takes a switch over, and a turn that ends may have set a countdown.
  useEffect(() => feed.refresh(sessionId), [feed, sessionId, isRunning, due])
  const refresh = useCallback(() => feed.refresh(sessionId), [feed, sessionId])
  const language = t('locale') === 'zh-CN' ? 'zh' : 'en'
  const choose = useCallback((mode: Mode, cron?: string) => feed.choose(sessionId, { mode, ...(cron !== undefined && { cron }), language }), [feed, sessionId, language])
  const openReminders = useCallback(() => {
    setOpenness('closed')
    isReturning.current = true
    annex.open(sessionId, trigger.current)
  }, [annex, sessionId, setOpenness, isReturning])
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const isOpen = openness !== 'closed'
  const countdowns = state.host?.countdowns ?? []
  return (
    <div className="dsh-clock" {...handlers}>
      <Ticking period={isOpen ? 1000 : 10_000}>
        {(now) => {
          const next = soonest(now, [due, ...countdowns])
          const toggle = (): void => setOpenness(openness === 'pinned' ? 'closed' : 'pinned')
          return (
            <>
              <button ref={trigger} type="button" className="dsh-clock-button" data-clock="" aria-haspopup="dialog" aria-expanded={isOpen} aria-controls={isOpen ? cardId : undefined} aria-label={labelOf(now, next, t, zone)} onClick={toggle}>
                {next === undefined ? <ClockIcon /> : <BellIcon />}
                <span className="dsh-clock-short" aria-hidden="true">
                  {shortTime(next ?? now, now, t('locale'), zone)}
                </span>
              </button>
              {isOpen && <Card id={cardId} state={state} zone={zone} next={next} t={t} choose={choose} refresh={refresh} openReminders={annex === NO_ANNEX ? undefined : openReminders} />}
            </>
          )
        }}
      </Ticking>
    </div>
  )
}

function labelOf(now: number, next: number | undefined, t: ClockProps['t'], zone: string): string {
  return next === undefined ? t('button.now', { time: shortTime(now, now, t('locale'), zone) }) : t('button.next', { time: longTime(next, t('locale'), zone) })
}

interface OpennessHandlers {
  readonly onPointerEnter: (event: PointerEvent) => void
  readonly onPointerLeave: (event: PointerEvent) => void
  readonly onPointerDown: () => void
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: (event: FocusEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

interface ClockOpenness {
  readonly openness: Openness
  readonly setOpenness: (next: Openness) => void
  /** The focus is given back to the button, which is no wish to see the card again. */
  readonly isReturning: { current: boolean }
  readonly handlers: OpennessHandlers
}

/** Opens on hover, keyboard focus, tap and key; a card that is used stays until Escape, a click outside or the focus leaves. */
function useOpenness(trigger: { readonly current: HTMLElement | null }): ClockOpenness {
  const [openness, setOpenness] = useState<Openness>('closed')
  const root = useRef<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const isReturning = useRef(false)
  const stay = (): void => clearTimeout(timer.current)
  useEffect(() => stay, [])
  useEffect(() => {
    if (openness === 'closed') return undefined
    const outside = (event: Event): void => {
      if (root.current?.contains(event.target as Node) === false) setOpenness('closed')
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [openness])
  const peek = (event: { readonly currentTarget: Element }): void => {
    root.current = event.currentTarget
    stay()
    if (openness === 'closed') setOpenness('peek')
  }
  return {
    openness,
    setOpenness,
    isReturning,
    handlers: {
      onPointerEnter: (event) => (event.pointerType === 'mouse' ? peek(event) : undefined),
      onPointerLeave: (event) => {
        if (event.pointerType !== 'mouse' || openness !== 'peek' || event.currentTarget.contains(document.activeElement)) return
        stay()
        timer.current = setTimeout(() => setOpenness((now) => (now === 'peek' ? 'closed' : now)), LEAVE_MS)
      },
      onPointerDown: () => {
        root.current = trigger.current?.parentElement ?? null
      },
      onFocus: (event) => {
        root.current = event.currentTarget
        if (event.target !== trigger.current) setOpenness('pinned')
        else if (isReturning.current) isReturning.current = false
        else if (event.target.matches(':focus-visible')) peek(event)
      },
      onBlur: (event) => {
        // Focus that goes nowhere is a click into the card, or a window that is left.
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) setOpenness('closed')
      },
      onKeyDown: (event) => {
        if (event.key !== 'Escape' || openness === 'closed') return
        // The page would stop the model.
        event.stopPropagation()
        isReturning.current = document.activeElement !== trigger.current
        trigger.current?.focus()
        setOpenness('closed')
      },
    },
  }
}

function ClockIcon(): ReactElement {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.3" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.6V8l2.3 1.6" />
    </svg>
  )
}

function BellIcon(): ReactElement {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.3" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <path d="M8 2a4 4 0 0 0-4 4v2.6L2.8 11h10.4L12 8.6V6a4 4 0 0 0-4-4ZM6.6 13.4a1.6 1.6 0 0 0 2.8 0" />
    </svg>
  )
}
