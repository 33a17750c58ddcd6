import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { CommandDefinition } from '@deepseek-ai/dsh-commands'
import { plainLine } from 'dsh-time-core'
import type { Refusal } from '../errors.ts'
import type { ReminderId } from '../protocol.ts'
import { sayChange, sayList, sayNo, type Done } from './answers.ts'
import { createInput } from './bodies.ts'
import type { DeskChange, Outcome, ReminderDesk } from './desk.ts'
import { readDelay, readReminder } from './grammar.ts'
import { languageOf } from './person-fold.ts'
import type { LiveSession } from './reception.ts'
import { deny, sayRefusal, type PeopleRefusal } from './refusals.ts'
import type { Language } from './wire.ts'

type Result = Awaited<ReturnType<CommandDefinition['handler']>>

/** A command as it was typed. */
interface Typed {
  readonly desk: ReminderDesk
  /** Trimmed. */
  readonly text: string
  readonly language: Language
}

interface Command {
  readonly name: string
  readonly description: string
  /** A command without a hint is not run at all when something follows its name (measured). */
  readonly hint: string
  readonly run: (typed: Typed) => Promise<Result>
}

const COMMANDS: readonly Command[] = [
  {
    name: 'remind',
    description: 'Set a reminder in this session · 设置提醒',
    hint: '10m stretch · tomorrow 9:00 call Ann · every 2h drink water · 10分钟后 伸展 · 明天 9:00 晨会',
    run: async ({ desk, text, language }) => {
      const reader = desk.reader(undefined)
      const reading = readReminder(text, reader)
      if (!reading.ok) return refused(reading.refusal, language, 'remind')
      return changed('set', await desk.create(createInput(reading.rest, reading.selector), undefined), { desk, language, command: 'remind' })
    },
  },
  {
    name: 'reminders',
    description: 'List the pending reminders of this session · 查看提醒',
    hint: 'no text needed · 无需参数',
    run: async ({ desk, language }) => ({ kind: 'success', text: sayList(await desk.state(undefined), language) }),
  },
  {
    name: 'snooze',
    description: 'Deliver a reminder again later · 稍后再提醒',
    hint: 'r-1 10m · r-1 tonight 20:00 · r-1 明天 9:00',
    run: async ({ desk, text, language }) => {
      const [id, rest] = splitId(text)
      if (id === undefined) return refused(deny('id_needed', { examples: ['r-1 10m', 'r-1 tonight 20:00', 'r-1 10分钟'] }), language, 'snooze')
      const reading = readDelay(rest, desk.reader(undefined))
      if (!reading.ok) return refused(reading.refusal, language, `snooze ${plainLine(id, 40)}`)
      return changed('snoozed', await desk.snooze(id, reading.selector, undefined), { desk, language, command: 'snooze' })
    },
  },
  {
    name: 'cancel-reminder',
    description: 'Cancel a reminder or a whole series · 取消提醒',
    hint: 'r-1',
    run: async ({ desk, text, language }) => {
      const [id, rest] = splitId(text)
      if (id === undefined || rest !== '') return refused(deny('id_needed', { examples: ['r-1'] }), language, 'cancel-reminder')
      return changed('deleted', await desk.remove(id), { desk, language, command: 'cancel-reminder' })
    },
  },
]

function splitId(text: string): readonly [ReminderId | undefined, string] {
  const [id = '', ...words] = text.split(/\s+/)
  return [id === '' ? undefined : (id as ReminderId), words.join(' ')]
}

function refused(refusal: PeopleRefusal | Refusal, language: Language, command: string): Result {
  return { kind: 'error', text: sayNo(sayRefusal(refusal, language), language, `/${command}`) }
}

function changed(done: Done, outcome: Outcome<DeskChange>, { desk, language, command }: { readonly desk: ReminderDesk; readonly language: Language; readonly command: string }): Result {
  if (!outcome.ok) return refused(outcome.refusal, language, command)
  return { kind: 'success', text: sayChange(done, outcome.value, desk.reader(undefined).now, language) }
}

/** An id and a time alone say nothing about the language of the person. */
function hasWords(text: string): boolean {
  return /\p{L}{2}|\p{Script=Han}/u.test(text.replace(/^\S*\d\S*/u, ''))
}

/**
 * The commands of people (requirement T10). They run without a token; the model is told of changes by the desk.
 *
 * @param ctx - the plugin's context.
 * @param live - the sessions that have reminders.
 */
export function registerCommands(ctx: Context, live: ReadonlyMap<string, LiveSession>): void {
  ctx.inject(['commands'], (host) => {
    for (const { name, description, hint, run } of COMMANDS) {
      const handler = ({ agent, rawInput }: { readonly agent: Agent; readonly rawInput: string }): Promise<Result> => {
        const text = rawInput.trim()
        const desk = live.get(agent.id)?.desk
        const language = hasWords(text) ? languageOf(text) : (desk?.language ?? 'en')
        return desk === undefined ? Promise.resolve(refused(deny('reminders_unavailable'), language, name)) : run({ desk, text, language })
      }
      try {
        host.commands.register({ name, description, input: { hint }, handler })
      } catch (error) {
        // Another plugin may own the name: its command stays, and the others of ours still work.
        ctx.logger('tool-schedule').error(`the command /${name} is not available`, error)
      }
    }
  })
}
