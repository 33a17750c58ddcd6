/**
 * What goes over the wire between this plugin and whoever shows reminders to a person: the RPC channel
 * `/dsh-reminders`, its event stream and its calendar. Types only, without imports, for bundles of the browser too.
 * Members are only ever added. Every value is JSON; an absent member is left out, never null.
 *
 * RPC (`connection.rpc.call('/dsh-reminders', endpoint, body)`, answers in the `value` of the host's result):
 *
 * | endpoint | body | value |
 * |---|---|---|
 * | `state` | `StateRequest` | `Answer<ReminderState>` |
 * | `create` | `CreateRequest` | `Answer<Change>` |
 * | `preview` | `CreateRequest` | `Answer<Preview>` |
 * | `edit` | `EditRequest` | `Answer<Change>` |
 * | `snooze` | `SnoozeRequest` | `Answer<Change>` |
 * | `delete` | `TargetRequest` | `Answer<Change>` |
 * | `undo` | `SessionRequest` | `Answer<Change>` |
 *
 * `GET /dsh-reminders/events?sessionId=` is a stream of `RevisionLine`s, one per change (without `sessionId`: of every
 * session that is live), as a WebSocket or as server-sent events; `GET /dsh-reminders/calendar.ics?sessionId=` the pending reminders as a calendar.
 */

/** Language of what a person reads. */
export type Language = 'zh' | 'en'

/** One instant, for computing, for showing and, where a zone is known, as its wall clock shows it. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly ms: number
  /** Canonical UTC: `2026-10-09T01:00:00.000Z`. */
  readonly utc: string
  /** With the zone's offset, in whole seconds: `2026-10-09T09:00:00+08:00`. */
  readonly local?: string
}

/** Why a request was not carried out. Nothing has changed. */
export interface WireRefusal {
  /** A code of the tools (`errors.ts`) or of this channel (`people/refusals.ts`); a closed set. */
  readonly code: string
  /** One sentence in the language of the request. */
  readonly message: string
  /** The member of the body that is wrong. */
  readonly field?: string
  /** What exactly is wrong, or what would be right. */
  readonly detail?: string
  /** What may be written instead, in the language of the request. */
  readonly examples?: readonly string[]
}

/** Every value of the channel: what was asked for, or why not. */
export type Answer<T> = ({ readonly outcome: 'done' } & T) | { readonly outcome: 'refused'; readonly refusal: WireRefusal }

/** When a series comes. */
export type WireRule =
  | { readonly kind: 'every'; readonly everySeconds: number; readonly anchor: Moment }
  | { readonly kind: 'cron'; readonly cron: string; readonly zone: string }

/** scheduled: waits for its instant · overdue: due, not delivered yet · paused: waits for a person to write. */
export type WireReminderState = 'scheduled' | 'overdue' | 'paused'

/** A reminder that will still come. */
export interface PendingReminder {
  /** Of the reminder, or of the whole series: what `edit`, `snooze` and `delete` take. */
  readonly id: string
  /** Of the occurrence that comes next; the same as `id` for a reminder that comes once. */
  readonly occurrenceId: string
  readonly prompt: string
  readonly state: WireReminderState
  readonly due: Moment
  /** The zone it is thought of in. */
  readonly zone?: string
  /** Present for a series. */
  readonly rule?: WireRule
  /** The fires after `due`, soonest first, at most three; empty for a reminder that comes once. */
  readonly next: readonly Moment[]
  /** Last instant at which a series may be due. */
  readonly until?: Moment
  /** How often a series is delivered in all. */
  readonly count?: number
  /** How often a series was delivered. */
  readonly delivered?: number
  readonly created?: Moment
  readonly setBy: 'model' | 'person'
  /** Set in a turn that no person started. */
  readonly unattended: boolean
  /** Later than this many seconds: recorded as missed. */
  readonly lateLimitSeconds?: number
  /** Also brings its session back when that is closed. */
  readonly wake: boolean
  /** It is one extra delivery of that reminder. */
  readonly snoozeOf?: string
  /** It stands in for that reminder, which was edited or taken back. */
  readonly replaces?: string
}

/** What became of an occurrence. `delivered` means: put into the conversation; whether the model answered is another fact. */
export interface PastReminder {
  readonly outcome: 'delivered' | 'missed'
  /** Of the occurrence: `r-2`, or `r-3.4` for the fourth of a series. */
  readonly occurrenceId: string
  /** Of the reminder or its series. */
  readonly id: string
  readonly prompt: string
  /** When it was due. */
  readonly due: Moment
  /** When it was delivered, or recorded as missed. */
  readonly decided: Moment
  /** `decided` minus `due`, at least 0. */
  readonly lateMs: number
  /** Why it was late: `host-down`, `suspended`, `busy`, `not-open`, `persistence`, `paused`; empty when on time. */
  readonly reasons: readonly string[]
  /** Position of the event in the session's log. */
  readonly seq: number
}

/** All that the page shows of one session. */
export interface ReminderState {
  readonly sessionId: string
  /** Grows with every change of what this answer says, and is the same again after a restart. */
  readonly revision: number
  /** Whether the session is open, so that its reminders are delivered on time. */
  readonly live: boolean
  /** Whether all of this is known to be on disk. */
  readonly stored: boolean
  /** The clock of the host, for countdowns that do not depend on the browser's. */
  readonly now: Moment
  readonly zones: {
    /** Of the session's first message. */
    readonly session?: string
    /** Of the newest message of a person. */
    readonly request?: string
  }
  /** Soonest first, at most `limits.shown`. */
  readonly pending: readonly PendingReminder[]
  /** How many are pending, also those that are not shown. */
  readonly total: number
  /** Newest first, at most 100. */
  readonly past: readonly PastReminder[]
  /** What `undo` would bring back. */
  readonly undo?: { readonly id: string; readonly prompt: string }
  /** The log breaks its format at this event; nothing after it is concluded, and nothing can be changed. */
  readonly corruption?: { readonly seq: number; readonly rule: string }
  readonly limits: {
    /** A series pauses after this many deliveries without a message of a person. */
    readonly maxUnanswered: number
    readonly maxUnattendedChain: number
    readonly maxPromptLength: number
    readonly maxTextLength: number
    readonly minEverySeconds: number
    readonly shown: number
  }
}

/** What was changed. */
export interface Change {
  /** True: on disk. False: done, but not confirmed as stored; do not repeat it, ask for `state`. */
  readonly stored: boolean
  /** What there is now; absent after `delete`. */
  readonly reminder?: PendingReminder
  /** Id of what is gone: deleted, edited, or moved by a snooze. */
  readonly removed?: string
  /** What a person should know about a rule or a reading of the text before trusting it; in the language of the request. */
  readonly notes: readonly string[]
  /** Not below the revision that holds the change. */
  readonly revision: number
}

/** What `create` would make of the same body now. Its ids are placeholders. */
export interface Preview {
  readonly reminder: PendingReminder
  readonly notes: readonly string[]
}

/** Common to all bodies. */
export interface SessionRequest {
  readonly sessionId: string
  /** Language of the answer; English unless told. */
  readonly language?: Language
}

/** Body of `state`. */
export interface StateRequest extends SessionRequest {
  /** Zone of the browser: `local` of reminders that have no zone of their own. */
  readonly timeZone?: string
}

/** A new reminder: a text of the small grammar, or the arguments of `schedule_create`. Exactly one of the two. */
export type CreateRequest = StateRequest &
  ({ readonly text: string; readonly reminder?: never } | { readonly reminder: ReminderArguments; readonly text?: never })

/** The arguments of `schedule_create`: `prompt` and exactly one of `after_seconds`, `at`, `every_seconds`, `cron`. */
export interface ReminderArguments extends TimeArguments {
  readonly prompt: string
}

/** When a reminder comes, as arguments of `schedule_create`. */
export interface TimeArguments {
  readonly after_seconds?: number
  readonly at?: string | { readonly date: string; readonly time: string; readonly time_zone?: string }
  readonly every_seconds?: number
  readonly cron?: string
  /** IANA; with `cron` only. */
  readonly time_zone?: string
  readonly until?: string
  readonly count?: number
  readonly late_limit_seconds?: number
  readonly wake?: boolean
}

/** Body of `delete`. */
export interface TargetRequest extends SessionRequest {
  readonly id: string
}

/** Body of `edit`: a new prompt, a new time (as text of the grammar or as arguments), or both. */
export interface EditRequest extends TargetRequest {
  readonly timeZone?: string
  readonly prompt?: string
  /** A time of the grammar, without a prompt: `tomorrow 9:00`. Not together with `time`. */
  readonly text?: string
  readonly time?: TimeArguments
}

/** Body of `snooze`: exactly one of the three. */
export interface SnoozeRequest extends TargetRequest {
  readonly timeZone?: string
  readonly afterSeconds?: number
  /** Epoch milliseconds. */
  readonly untilMs?: number
  /** A delay or a time of the grammar: `10m`, `tonight 20:00`, `明天 9:00`. */
  readonly text?: string
}

/** One line of the event stream. */
export interface RevisionLine {
  readonly sessionId: string
  readonly revision: number
}
