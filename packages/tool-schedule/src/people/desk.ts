import type { Instant, ZoneName } from 'dsh-time-core'
import type { Config } from '../config.ts'
import { refuse, type Refusal } from '../errors.ts'
import type { CreateInput } from '../input.ts'
import type { Ledger, Reminder } from '../ledger.ts'
import type { ReminderId } from '../protocol.ts'
import { ruleNotes, type RuleNote } from '../rule-notes.ts'
import { only, settle, type ToolPort } from '../tools/definition.ts'
import type { Shown } from '../view.ts'
import { changeNotice } from './change-notice.ts'
import type { Reader } from './local-times.ts'
import type { PersonFold } from './person-fold.ts'
import type { PeopleRefusal } from './refusals.ts'
import { pendingReminder, reminderState, type Viewer } from './state.ts'
import type { Change, Language, PendingReminder, Preview, ReminderState } from './wire.ts'
import { dueOf, wishBack, wishEdit, wishGone, wishNew, wishSnooze, type Asker, type OnceSelector, type Wish } from './works.ts'

/** One live session as people change its reminders. */
export interface DeskPort extends ToolPort {
  readonly sessionId: string
  readonly config: Config
  readonly person: PersonFold
}

/** What was asked for, or why not; not in words of a language yet. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: PeopleRefusal | Refusal }

/** A value of the wire whose notes are not in the words of a language yet. */
type Untold<T> = Omit<T, 'notes'> & { readonly notes: readonly RuleNote[] }

/** What was changed. */
export type DeskChange = Untold<Change>

/** What would be made. */
export type DeskPreview = Untold<Preview>

/** What an edit changes. */
export interface Edit {
  readonly prompt: string | undefined
  readonly time: CreateInput | undefined
}

/**
 * Everything that a person can do with the reminders of one live session, for commands and the page alike. Each change
 * goes through the same queue and the same barriers as the tools (requirements S11 to S14), and the model is told of it
 * in one line. `asked` is the zone of the browser; without it the newest message's counts, then the session's.
 */
export interface ReminderDesk {
  /** Clock and zone to read a text against. */
  reader(asked: ZoneName | undefined): Reader
  /** Of the newest message of a person. */
  readonly language: Language
  state(asked: ZoneName | undefined): Promise<ReminderState>
  create(input: CreateInput, asked: ZoneName | undefined): Promise<Outcome<DeskChange>>
  preview(input: CreateInput, asked: ZoneName | undefined): Outcome<DeskPreview>
  edit(id: ReminderId, edit: Edit, asked: ZoneName | undefined): Promise<Outcome<DeskChange>>
  snooze(id: ReminderId, until: OnceSelector, asked: ZoneName | undefined): Promise<Outcome<DeskChange>>
  remove(id: ReminderId): Promise<Outcome<DeskChange>>
  /** Bring back what a person deleted last since the session was opened. */
  undo(asked: ZoneName | undefined): Promise<Outcome<DeskChange>>
}

/**
 * The desk of one live session.
 *
 * @param port - the session.
 */
export function makeDesk(port: DeskPort): ReminderDesk {
  return new Desk(port)
}

/** A change before it is known whether it is stored. */
type Done = Omit<DeskChange, 'stored' | 'revision'>

class Desk implements ReminderDesk {
  readonly #port: DeskPort
  /** Kept in this process only: after a restart nobody expects an undo. */
  #deleted: Reminder | undefined

  constructor(port: DeskPort) {
    this.#port = port
  }

  get language(): Language {
    return this.#port.person.language
  }

  reader(asked: ZoneName | undefined): Reader {
    return { now: this.#port.now(), zone: this.#zone(asked) }
  }

  async state(asked: ZoneName | undefined): Promise<ReminderState> {
    const { ledger, person, zones, sessionId, config } = this.#port
    const { answer } = await settle(this.#port, () => only('confirmed'))
    return reminderState(ledger, this.#viewer(this.#port.now(), asked), {
      sessionId,
      revision: person.revision,
      live: true,
      // A broken log is stored all the same: the barrier before it was passed.
      stored: answer === 'confirmed' || (answer as Refusal).code === 'corrupt_schedule_log',
      zones: { session: zones.session, request: person.zone },
      config,
      undo: this.#deleted,
    })
  }

  create(input: CreateInput, asked: ZoneName | undefined): Promise<Outcome<DeskChange>> {
    return this.#change(asked, (asker) => wishNew(this.#port.ledger, input, asker))
  }

  preview(input: CreateInput, asked: ZoneName | undefined): Outcome<DeskPreview> {
    return previewOf(this.#port.ledger, input, this.#viewer(this.#port.now(), asked))
  }

  edit(id: ReminderId, edit: Edit, asked: ZoneName | undefined): Promise<Outcome<DeskChange>> {
    return this.#change(asked, (asker) => wishEdit(this.#port.ledger, id, edit, asker))
  }

  snooze(id: ReminderId, until: OnceSelector, asked: ZoneName | undefined): Promise<Outcome<DeskChange>> {
    return this.#change(asked, (asker) => wishSnooze(this.#port.ledger, id, until, asker))
  }

  remove(id: ReminderId): Promise<Outcome<DeskChange>> {
    return this.#change(undefined, () => wishGone(this.#port.ledger, id))
  }

  undo(asked: ZoneName | undefined): Promise<Outcome<DeskChange>> {
    return this.#change(asked, (asker) => wishBack(this.#port.ledger, this.#deleted, asker))
  }

  #zone(asked: ZoneName | undefined): ZoneName | undefined {
    return asked ?? this.#port.person.zone ?? this.#port.zones.session
  }

  #viewer(now: Instant, asked: ZoneName | undefined): Viewer {
    return { now, policy: this.#port.config, zone: this.#zone(asked) }
  }

  async #change(asked: ZoneName | undefined, decide: (asker: Asker) => Wish | Refusal | PeopleRefusal): Promise<Outcome<DeskChange>> {
    const port = this.#port
    try {
      const { answer, isUnconfirmed } = await settle<Done | Refusal | PeopleRefusal>(port, (now) => {
        const wish = decide({ now, zone: this.#zone(asked) })
        if ('code' in wish) return only(wish)
        const done = this.#done(wish, now, asked)
        return { answer: done, changes: wish.changes, notice: noticeOf(wish, done.reminder) }
      })
      if ('code' in answer) return { ok: false, refusal: answer }
      return { ok: true, value: { stored: !isUnconfirmed, ...answer, revision: port.person.revision } }
    } catch (error) {
      port.warn('a change by a person failed', error)
      return { ok: false, refusal: refuse('internal_error') }
    }
  }

  #done({ act, planned, removed, deleted }: Wish, now: Instant, asked: ZoneName | undefined): Done {
    if (act === 'restored' || deleted !== undefined) this.#deleted = deleted
    const isGone = removed !== undefined && act !== 'restored'
    return {
      ...(planned !== undefined && { reminder: pendingReminder({ ...shown(planned), createdAt: now }, this.#viewer(now, asked)) }),
      ...(isGone && { removed }),
      notes: planned === undefined ? [] : ruleNotes(planned.plan, dueOf(planned)),
    }
  }
}

function noticeOf({ act, prompt, planned, removed }: Wish, reminder: PendingReminder | undefined): ReturnType<typeof changeNotice> {
  return changeNotice({ act, prompt, ...(removed !== undefined && { removed }), ...(reminder !== undefined && { reminder }), ...(planned !== undefined && { plan: planned.plan }) })
}

function shown(planned: NonNullable<Wish['planned']>): Shown {
  return { ...planned, dueAt: dueOf(planned), series: undefined }
}

/**
 * What `create` would make of an input, without doing it.
 *
 * @param ledger - of the session, or an empty one.
 * @param input - checked arguments, or what a text was read as.
 * @param viewer - clock, limits and zone.
 */
export function previewOf(ledger: Ledger, input: CreateInput, viewer: Viewer): Outcome<DeskPreview> {
  const wish = wishNew(ledger, input, viewer)
  if ('code' in wish) return { ok: false, refusal: wish }
  const { planned } = wish
  return { ok: true, value: { reminder: pendingReminder(shown(planned), viewer), notes: ruleNotes(planned.plan, dueOf(planned)) } }
}
