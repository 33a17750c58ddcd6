import type { SessionEvent } from '../../packages/session-host/tests/harness.ts'
import { MAX_SEGMENT_MS } from '../../packages/session-host/src/alarm.ts'
import type { Countdowns } from '../../packages/time-reminder/src/countdowns/fold.ts'

/** Late by less than this is on time (milliseconds; requirement R16). */
const NOTICEABLE_MS = 2000

/** Most countdowns that one message may hold (bug B42). */
const MOST_IN_A_MESSAGE = 20

type Json = Readonly<Record<string, unknown>>

interface Change {
  readonly fact?: string
  readonly action: 'start' | 'snooze' | 'cancel'
  readonly name: string
  readonly dueAt: string
  readonly onFire: 'wake' | 'inject'
}

interface Mark {
  readonly name: string
  readonly dueAt: string
  readonly firedAt: string
  readonly late: readonly string[]
}

interface Message {
  readonly id: string
  readonly source: { readonly kind: string; readonly form?: string; readonly countdown?: readonly Mark[]; readonly countdownSet?: Change }
}

/** One countdown that is set: running, or told by a message that nobody has read yet. */
interface Running {
  readonly dueAt: number
  readonly wakes: boolean
  /** When it was set (wall clock). */
  readonly setAt: number
  /** When the log said so: a call may take its time. */
  readonly loggedAt: number
  /** It was set in a process that is gone. */
  readonly isOld: boolean
}

interface Told extends Running {
  readonly name: string
  state: 'waiting' | 'taken' | 'read'
}

/** What really happened, as the simulation knows it; instants of the wall clock. */
export interface Truth {
  readonly now: number
  /** Where the last sleep, block or step forward of the clock ended; the latest of all. */
  readonly leaptTo: number
  /** Until when the agent was busy for the last time; the latest of all. */
  readonly busyUntil: number
  readonly isBusy: boolean
  /** Since when the plugin looks after the session. */
  readonly pluggedAt: number
  /** When a barrier last ended; while one is open its owner does not look. */
  readonly barrierEnd: number
}

/** What the auditor asks the simulation. */
export interface CountdownAuditPort {
  /** The events are read from the disk; they come from a process that is gone. */
  isReplay(): boolean
  truth(): Truth
  violation(rule: string): void
}

/**
 * Reads the countdowns of a session's log and knows nothing of how the plugin reads them: what the facts on the tool's
 * results and on the notices say, and what the requirements R12 to R18 demand of them, written down a second time.
 */
export class CountdownAudit {
  readonly #port: CountdownAuditPort
  readonly #running = new Map<string, Running>()
  /** Countdowns that a message has told, by the message. */
  readonly #told = new Map<string, readonly Told[]>()
  /** Of what is told and was not set anew since: the last one per name. */
  readonly #last = new Map<string, Told>()
  readonly #lists: Record<string, Message[]> = { 'next-turn': [], 'next-step': [] }
  readonly #calledAt = new Map<string, number>()
  /** Messages by which a person changed something, counted when they were queued. */
  readonly #counted = new Set<string>()
  readonly #heard = new Set<string>()

  constructor(port: CountdownAuditPort) {
    this.#port = port
  }

  apply({ type, time, data }: SessionEvent): void {
    const json = data as unknown as Json
    switch (type as string) {
      case 'tool/call':
        if (json['name'] === 'time_countdown') this.#calledAt.set(String(json['callId']), time)
        return
      case 'tool/result':
        return this.#result(json, time)
      case 'agent/inbox/spliced':
        return this.#splice(json, time)
      case 'user/message':
        return this.#read(json as unknown as Message, time)
      case 'turn/end':
        return this.#endTurn((json['reason'] as Json)['kind'] as string)
    }
  }

  /** Names of countdowns that are over and have not been told. @param wakes - only those that begin a turn, or only the others. */
  overdue(now: number, wakes?: boolean): string[] {
    return [...this.#running].flatMap(([name, one]) => (one.dueAt <= now && (wakes ?? one.wakes) === one.wakes ? [name] : []))
  }

  /** Notices that begin a turn and wait unread in the inbox, or were taken out of it and never shown. */
  unread(state: 'waiting' | 'taken'): string[] {
    return [...this.#told.values()].flat().flatMap((one) => (one.state === state && (one.wakes || state === 'taken') ? [one.name] : []))
  }

  /** The plugin's own fold has to read the same of what is pending. */
  compare({ pending }: Countdowns): void {
    const text = (rows: Iterable<readonly [string, { readonly dueAt: number }]>): string => [...rows].map(([name, { dueAt }]) => `${name}@${dueAt}`).toSorted().join(' ')
    const [theirs, ours] = [text(pending), text(this.#running)]
    if (theirs !== ours) this.#port.violation(`R25 the fold takes for pending: ${theirs || 'nothing'}; the log says: ${ours || 'nothing'}`)
  }

  #result(json: Json, time: number): void {
    const message = json['message'] as { readonly content: readonly Json[] }
    const callId = String(message.content[0]?.['toolCallId'])
    const calledAt = this.#calledAt.get(callId)
    if (calledAt === undefined) return
    this.#calledAt.delete(callId)
    const { timekeeper } = (json['meta'] ?? {}) as { readonly timekeeper?: { readonly facts: readonly Change[] } }
    for (const fact of timekeeper?.facts ?? []) if (fact.fact === 'countdown') this.#change(fact, calledAt, time)
  }

  #change({ action, name, dueAt, onFire }: Change, setAt: number, loggedAt: number): void {
    const wasRunning = this.#running.delete(name)
    // R12, R13: of a fired one, snoozing takes the mark away and cancelling the record; a new start leaves it.
    if (!wasRunning && action !== 'start') this.#forget(name)
    if (action !== 'cancel') this.#running.set(name, { dueAt: Date.parse(dueAt), wakes: onFire === 'wake', setAt, loggedAt, isOld: this.#port.isReplay() })
  }

  #forget(name: string): void {
    const last = this.#last.get(name)
    if (last === undefined) return
    this.#last.delete(name)
    for (const [id, told] of this.#told) this.#told.set(id, told.filter((one) => one !== last))
    const before = [...this.#told.values()].flat().findLast((one) => one.name === name)
    if (before !== undefined) this.#last.set(name, before)
  }

  #splice(splice: Json, time: number): void {
    const inserted = splice['inserted'] as readonly Message[]
    const removed = this.#lists[String(splice['target'])]?.splice(Number(splice['start']), Number(splice['removedCount'] ?? 0), ...inserted) ?? []
    for (const { id } of removed) {
      if (splice['outcome'] === 'canceled') this.#giveBack((of, one) => of === id && one.state !== 'read')
      else for (const one of this.#told.get(id) ?? []) if (one.state === 'waiting') one.state = 'taken'
    }
    for (const message of inserted) {
      this.#tell(message, time)
      if (this.#byPerson(message, time)) this.#counted.add(message.id)
    }
  }

  #byPerson({ source }: Message, time: number): boolean {
    const change = source.form === 'notice' ? source.countdownSet : undefined
    if (change !== undefined) this.#change(change, time, time)
    return change !== undefined
  }

  #tell({ id, source }: Message, time: number): void {
    const marks = source.form === 'notice' ? (source.countdown ?? []) : []
    if (marks.length > MOST_IN_A_MESSAGE) this.#port.violation(`B42 ${marks.length} countdowns in one message`)
    const known = this.#told.get(id)
    if (known !== undefined) for (const one of known) one.state = 'waiting'
    const told: Told[] = []
    for (const mark of marks) {
      const one = this.#running.get(mark.name)
      if (one?.dueAt === Date.parse(mark.dueAt)) {
        // Queued once more, a message is as it was.
        if (known === undefined) this.#check(mark, one, time)
        this.#running.delete(mark.name)
        const fired: Told = { ...one, name: mark.name, state: 'waiting' }
        told.push(fired)
        this.#last.set(mark.name, fired)
      } else if (known === undefined) this.#port.violation(`R15 ${mark.name} at ${mark.dueAt} is told, and is not running`)
    }
    if (told.length > 0) this.#told.set(id, [...(known ?? []), ...told])
  }

  #check({ name, firedAt, late }: Mark, { dueAt, loggedAt, isOld }: Running, time: number): void {
    const fired = Date.parse(firedAt)
    if (fired < dueAt || time < dueAt) this.#port.violation(`S25 ${name} is told early: due ${new Date(dueAt).toISOString()}, by the clock ${new Date(time).toISOString()}`)
    if (this.#port.isReplay()) return
    const { leaptTo, busyUntil, isBusy, pluggedAt, barrierEnd } = this.#port.truth()
    const [isLate, seenAt] = [fired - dueAt >= NOTICEABLE_MS, Math.max(pluggedAt, loggedAt)]
    const claims: Readonly<Record<string, boolean>> = {
      'armed-late': isLate && Math.max(seenAt, barrierEnd) >= dueAt,
      // A step forward before the instant is noticed with the end of the segment that runs.
      'rang-late': isLate && leaptTo + MAX_SEGMENT_MS >= dueAt,
      busy: isBusy || (isLate && busyUntil >= dueAt),
      'held-up': isLate,
    }
    for (const claim of late) if (claims[claim] !== true) this.#port.violation(`R16 ${name}, ${fired - dueAt} ms late, says ${claim}, which is not true`)
    if (isOld && pluggedAt - dueAt >= NOTICEABLE_MS && isLate && !late.includes('armed-late')) this.#port.violation(`R16 ${name}, ${fired - dueAt} ms late, does not say that it was over before it was looked after`)
  }

  #read({ id, source }: Message, time: number): void {
    for (const one of this.#told.get(id) ?? []) {
      one.state = 'read'
      const key = `${one.name} at ${one.dueAt}, set at ${one.setAt}`
      if (this.#heard.has(key)) this.#port.violation(`R15 ${key} is told twice in the conversation`)
      this.#heard.add(key)
    }
    if (!this.#counted.delete(id)) this.#byPerson({ id, source }, time)
  }

  #endTurn(reason: string): void {
    if (reason === 'aborted' || reason === 'interrupted') this.#giveBack((_, one) => one.state === 'taken')
  }

  /** What was dropped before it was read runs again, unless it was set anew in the meantime. */
  #giveBack(isMeant: (messageId: string, one: Told) => boolean): void {
    for (const [id, told] of this.#told) {
      for (const one of told.filter((each) => isMeant(id, each))) {
        if (!this.#running.has(one.name)) this.#running.set(one.name, { dueAt: one.dueAt, wakes: one.wakes, setAt: one.setAt, loggedAt: one.loggedAt, isOld: one.isOld })
        if (this.#last.get(one.name) === one) this.#last.delete(one.name)
      }
      this.#told.set(id, told.filter((each) => !isMeant(id, each)))
    }
  }
}
