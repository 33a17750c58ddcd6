import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { wakeSession, type WakeRefusal } from 'dsh-session-host'
import { languageIn } from 'dsh-time-core'
import type { Config } from '../config.ts'
import type { Refusal } from '../errors.ts'
import { LedgerFold } from '../fold.ts'
import type { Ledger } from '../ledger.ts'
import { sayRuleNotes } from '../rule-notes.ts'
import { delayOf, editOf, idOf, inputOf, parseBody, type Body, type Endpoint } from './bodies.ts'
import type { ColdSession, ColdSessions } from './cold-sessions.ts'
import { previewOf, type DeskChange, type DeskPreview, type Outcome, type ReminderDesk } from './desk.ts'
import type { PersonFold } from './person-fold.ts'
import { deny, sayRefusal, type PeopleRefusal } from './refusals.ts'
import { reminderState } from './state.ts'
import type { Answer, Change, Preview, ReminderState } from './wire.ts'

/** A session that is open on this host and has reminders. */
export interface LiveSession {
  readonly ledger: Ledger
  readonly person: PersonFold
  readonly desk: ReminderDesk
}

/** Where requests about any session of the host arrive. */
export interface ReceptionPort {
  readonly ctx: Context
  readonly config: Config
  /** By session id. */
  readonly live: ReadonlyMap<string, LiveSession>
  readonly cold: ColdSessions
  now(): number
}

/** A value of the channel. */
export type Value = Answer<ReminderState> | Answer<Change> | Answer<Preview>

type Refused = PeopleRefusal | Refusal

/**
 * Answer one request of a person's page (requirement T11). What changes something opens a closed session first, because
 * a person asked for it; what only looks never does.
 *
 * @param port - the host.
 * @param endpoint - of the channel.
 * @param payload - as it came, of whatever shape.
 */
export async function receive(port: ReceptionPort, endpoint: Endpoint, payload: unknown): Promise<Value> {
  const body = parseBody(payload, endpoint)
  const outcome = 'code' in body ? no(body) : await HANDLERS[endpoint](port, body)
  const language = languageIn(payload)
  if (!outcome.ok) return { outcome: 'refused', refusal: sayRefusal(outcome.refusal, language) }
  const { value } = outcome
  return 'notes' in value ? { outcome: 'done', ...value, notes: sayRuleNotes(value.notes, language) } : { outcome: 'done', ...value }
}

type Handler = (port: ReceptionPort, body: Body) => Promise<Outcome<ReminderState | DeskChange | DeskPreview>>

const HANDLERS: Readonly<Record<Endpoint, Handler>> = {
  async state(port, { sessionId, zone }) {
    const desk = port.live.get(sessionId)?.desk
    if (desk !== undefined) return { ok: true, value: await desk.state(zone) }
    const cold = await port.cold.read(sessionId)
    return cold === undefined ? no(deny('session_not_found', { field: 'sessionId' })) : { ok: true, value: coldState(port, sessionId, cold, zone) }
  },
  async preview(port, body) {
    const desk = port.live.get(body.sessionId)?.desk
    const zone = body.zone ?? (desk === undefined ? await coldZone(port, body.sessionId) : undefined)
    const reader = desk?.reader(zone) ?? { now: port.now(), zone }
    const input = inputOf(body, reader)
    if ('code' in input) return no(input)
    return desk?.preview(input, zone) ?? previewOf(new LedgerFold(), input, { ...reader, policy: port.config })
  },
  create: (port, body) => atDesk(port, body, (desk) => given(inputOf(body, desk.reader(body.zone)), (input) => desk.create(input, body.zone))),
  edit: (port, body) => onReminder(port, body, (desk, id) => given(editOf(body, desk.reader(body.zone)), (edit) => desk.edit(id, edit, body.zone))),
  snooze: (port, body) => onReminder(port, body, (desk, id) => given(delayOf(body, desk.reader(body.zone)), (until) => desk.snooze(id, until, body.zone))),
  delete: (port, body) => onReminder(port, body, (desk, id) => desk.remove(id)),
  undo: (port, body) => atDesk(port, body, (desk) => desk.undo(body.zone)),
}

function no(refusal: Refused): { readonly ok: false; readonly refusal: Refused } {
  return { ok: false, refusal }
}

function given<T extends object>(value: T | Refused, then: (value: T) => Promise<Outcome<DeskChange>>): Promise<Outcome<DeskChange>> {
  return 'code' in value ? Promise.resolve(no(value)) : then(value)
}

async function onReminder(port: ReceptionPort, body: Body, act: (desk: ReminderDesk, id: Exclude<ReturnType<typeof idOf>, Refused>) => Promise<Outcome<DeskChange>>): Promise<Outcome<DeskChange>> {
  const id = idOf(body)
  return typeof id === 'string' ? atDesk(port, body, (desk) => act(desk, id)) : no(id)
}

const WAKE_CODES: Readonly<Record<WakeRefusal, PeopleRefusal['code']>> = {
  'not-found': 'session_not_found',
  busy: 'reminders_unavailable',
  'writer-held': 'session_unavailable',
  'no-resolver': 'session_unavailable',
  failed: 'session_unavailable',
}

async function atDesk({ ctx, live }: ReceptionPort, { sessionId }: Body, act: (desk: ReminderDesk) => Promise<Outcome<DeskChange>>): Promise<Outcome<DeskChange>> {
  if (!live.has(sessionId)) {
    const woken = await wakeSession(ctx, sessionId as Agent['id'])
    if (woken.kind === 'refused') {
      // Anybody may ask for anything: what is nobody's id stays out of the host's log, line breaks and all.
      if (woken.cause !== undefined && woken.reason !== 'not-found') ctx.logger('tool-schedule').error(`session ${sessionId} cannot be opened`, woken.cause)
      return no(deny(WAKE_CODES[woken.reason], { field: 'sessionId' }))
    }
  }
  const desk = live.get(sessionId)?.desk
  return desk === undefined ? no(deny('reminders_unavailable', { field: 'sessionId' })) : act(desk)
}

async function coldZone({ cold }: ReceptionPort, sessionId: string): Promise<ReturnType<typeof zoneOf>> {
  const session = await cold.read(sessionId)
  return session === undefined ? undefined : zoneOf(session)
}

function zoneOf({ person, zones }: ColdSession): Body['zone'] {
  return person.zone ?? zones.session
}

/**
 * The state of a session that nobody has open. Its log is what is stored, so all of it is.
 *
 * @param port - the host.
 * @param sessionId - of the session.
 * @param cold - its folds.
 * @param asked - zone of the browser.
 */
function coldState(port: ReceptionPort, sessionId: string, cold: ColdSession, asked: Body['zone']): ReminderState {
  const { ledger, zones, person } = cold
  const { config } = port
  const viewer = { now: port.now(), policy: config, zone: asked ?? zoneOf(cold) }
  return reminderState(ledger, viewer, { sessionId, revision: person.revision, live: false, stored: true, zones: { session: zones.session, request: person.zone }, config, undo: undefined })
}
