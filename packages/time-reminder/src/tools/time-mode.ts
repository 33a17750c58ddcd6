import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { cronNotes, formatZoned, nextFires, plainLine, sayCronNote, type Instant, type ZoneName } from 'dsh-time-core'
import type { Rhythm } from '../decide.ts'
import { isRefusal, type Refusal } from '../errors.ts'
import { effectText } from '../frame.ts'
import { parseModeChange } from '../input.ts'
import { MODE_TOOL, modeMarks, modeMeta, MODES, type ModeChange } from '../protocol.ts'
import { defineTimeTool, type PortOf, type ToolPort } from './definition.ts'

/** What the tool of one session works with. */
export interface ModePort extends ToolPort {
  now(): Instant
  zone(): ZoneName
  /** What the session will run on once a change counts. */
  rhythmAfter(change: ModeChange): Rhythm
}

/** How much of an argument a title shows (code points). */
const TITLE_LENGTH = 80

const DESCRIPTION =
  'Set how often you are told the time in this session. off: never; cron: when a plan is due (default: daily 00:00) and after pauses; turn: once per turn; fine: at every step. The answer tells the time.'

/**
 * The tool that switches a session's time mode (requirement R2). It appends nothing of its own: its result is the record.
 *
 * @param portOf - the open sessions.
 */
export function modeTool(portOf: PortOf<ModePort>): ToolDefinition {
  const spec = {
    name: MODE_TOOL,
    description: DESCRIPTION,
    parameters: {
      properties: { mode: { type: 'string', enum: [...MODES] }, cron: { type: 'string', description: 'Plan of five fields, in the zone of the session' } },
      required: ['mode'],
    },
    run: (args: unknown, port: ModePort) => answer(port, args),
    meta: modeMeta,
    title,
  }
  return defineTimeTool(spec, portOf)
}

function answer(port: ModePort, args: unknown): Readonly<Record<string, unknown>> | Refusal {
  const change = parseModeChange(args)
  if (isRefusal(change)) return change
  const [now, zone, rhythm] = [port.now(), port.zone(), port.rhythmAfter(change)]
  return { set: true, ...modeMarks(change), effect: effectText(rhythm, zone), now: formatZoned(now, zone), ...planNotes(rhythm, now, zone) }
}

/** The next time shows a wrong plan at once (B24), and the notes say where cron differs from what people expect. */
function planNotes({ mode, cron }: Rhythm, now: Instant, zone: ZoneName): Readonly<Record<string, unknown>> {
  if (mode !== 'cron') return {}
  const next = nextFires(cron, zone, now, 1).map(({ instant }) => formatZoned(instant, zone))
  const notes = cronNotes(cron).map((note) => sayCronNote(note, 'en'))
  return { next, ...(notes.length > 0 && { notes }) }
}

function title(args: unknown): string {
  const change = parseModeChange(args)
  return isRefusal(change) ? 'Time mode' : plainLine(`Time mode: ${change.mode} ${change.cron?.text ?? ''}`, TITLE_LENGTH)
}
