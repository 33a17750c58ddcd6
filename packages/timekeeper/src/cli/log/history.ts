import { ZoneFold } from 'dsh-session-host'
import { LedgerFold, type Outcome, type Reminder, type ReminderId, type ScheduleRecord } from 'dsh-tool-schedule/log'
import { readChange } from './change.ts'
import { unreadableFacts } from './facts-check.ts'
import type { Findings } from './problem.ts'
import type { StoredEvent } from './scan.ts'
import { obstacles } from './upgrade.ts'

/** Where something stands in a log, and when it was recorded. */
export interface Place {
  readonly seq: number
  readonly line: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** What became of one occurrence. */
export interface Ending extends Place {
  readonly outcome: Outcome
  /** Its series ended with it. */
  readonly last: boolean
}

/** One reminder, or one occurrence of a series, from its record on. */
export interface Life extends Place {
  readonly record: ScheduleRecord
  /** As the fold last knew it: with its plan and its series, which come later in the log than its record. */
  reminder: Reminder | undefined
  /** More than one only for an interval of the host's own plugin. */
  readonly endings: Ending[]
  /** Taken back before it came. */
  cancelled: Place | undefined
}

type Event = Parameters<LedgerFold['apply']>[0]

/**
 * Follows a stored log with the plugin's own fold, and keeps what a fold forgets: every reminder that ever was. What
 * anything means is decided by the fold alone.
 */
export class History {
  readonly ledger = new LedgerFold()
  readonly zones = new ZoneFold()
  /** In creation order. */
  readonly lives = new Map<ReminderId, Life>()
  readonly #ownFrom: number
  readonly #findings: Findings

  /**
   * @param ownFrom - first `seq` of the session's own work.
   * @param findings - told what is wrong with the events.
   */
  constructor(ownFrom: number, findings: Findings) {
    this.#ownFrom = ownFrom
    this.#findings = findings
  }

  /**
   * Take the next event of the log.
   *
   * @param event - as stored; its data may be of any shape.
   * @param line - where it stands.
   */
  apply(event: StoredEvent, line: number): void {
    const { seq, type } = event
    const isCorrupt = this.ledger.corruption !== undefined
    try {
      this.zones.apply(event as unknown as Event)
      if (seq >= this.#ownFrom) this.#follow(event, line)
    } catch {
      // The host checks these shapes before it writes them, so the folds do not.
      this.#findings.add({ code: 'unreadable_event', line, seq, detail: type })
    }
    const { corruption } = this.ledger
    if (corruption !== undefined && !isCorrupt) this.#findings.add({ code: 'corrupt_schedule_log', line, seq, detail: corruption.rule })
    if (corruption?.seq !== seq) for (const obstacle of obstacles(event)) this.#findings.add({ ...obstacle, line, seq })
    if (seq >= this.#ownFrom) for (const detail of unreadableFacts(event)) this.#findings.add({ code: 'unreadable_fact', line, seq, detail })
  }

  #follow(event: StoredEvent, line: number): void {
    const change = event.type === 'schedule/change' ? readChange(event.data) : ''
    const before = typeof change === 'string' || change.operation === 'create' ? undefined : this.ledger.active.get(change.id)
    this.ledger.apply(event as unknown as Event)
    if (typeof change === 'string' || this.ledger.corruption !== undefined) return
    const place: Place = { seq: event.seq, line, at: event.time }
    if (change.operation === 'create') {
      this.lives.set(change.schedule.id, { ...place, record: change.schedule, reminder: undefined, endings: [], cancelled: undefined })
    } else {
      // The fold has accepted the change, so the reminder was active and its record is known.
      this.#settle(this.lives.get(change.id) as Life, before as Reminder, place)
    }
  }

  #settle(life: Life, before: Reminder, place: Place): void {
    const { series } = before
    const outcome = this.ledger.outcomes.at(-1)
    life.reminder = before
    if (outcome?.seq === place.seq) life.endings.push({ ...place, outcome, last: series !== undefined && !this.ledger.series.has(series.id) })
    else life.cancelled = place
  }
}
