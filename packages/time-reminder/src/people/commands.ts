import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { isRefusal, refuse } from '../errors.ts'
import type { LiveClock } from '../session.ts'
import { sayClock, sayNo, sayTimer, sayTimers, type Asked } from './answers.ts'
import { readSwitch, readTimer } from './grammar.ts'
import { languageFor } from './language.ts'

/** What a command answers in the conversation; the model does not read it. */
interface Result {
  readonly kind: 'success' | 'error'
  readonly text: string
}

/** What the host's registry of commands takes, as far as it is used here. */
interface CommandSeat {
  readonly commands: {
    register(command: {
      readonly name: string
      readonly description: string
      readonly input: { readonly hint: string }
      readonly handler: (invocation: { readonly agent: Agent; readonly rawInput: string }) => Result
    }): () => void
  }
}

interface Command {
  readonly name: string
  readonly description: string
  /** A command without a hint is not run at all when something follows its name (measured). */
  readonly hint: string
  /** @param text - what follows the name, trimmed. */
  readonly run: (text: string, session: LiveClock, asked: Asked) => Result
}

const CLOCK: Command = {
  name: 'clock',
  description: 'Show or set how often the model is told the time · 时钟模式',
  hint: 'off · turn · fine · cron 0 9 * * 1-5 · 关闭 · 每轮 · 每步 · 计划',
  run(text, session, asked) {
    const change = text === '' ? undefined : readSwitch(text)
    if (isRefusal(change)) return { kind: 'error', text: sayNo(change, 'clock', asked.language) }
    if (change !== undefined) session.switchTo(change, asked.now)
    return { kind: 'success', text: sayClock(session.shown(asked.now), change !== undefined, asked) }
  },
}

const TIMER: Command = {
  name: 'timer',
  description: 'Set, list, snooze or cancel countdowns of this session · 倒计时',
  hint: '10m tea · 15:30 call Ann · snooze tea 5m · cancel tea · 10分钟 泡茶 · 推迟 泡茶 5分钟 · 取消 泡茶',
  run(text, session, asked) {
    if (text === '') return { kind: 'success', text: sayTimers(session.countdowns, asked) }
    const wish = readTimer(text)
    const answer = wish === 'unclear' || isRefusal(wish) ? wish : session.change(wish)
    if (answer === 'unclear' || isRefusal(answer)) return { kind: 'error', text: sayNo(answer, 'timer', asked.language) }
    return { kind: 'success', text: sayTimer(answer, asked) }
  },
}

/**
 * The commands of people (requirement T10). They run without a token; the model is told of a change in one line, which
 * wakes nobody.
 *
 * @param ctx - the plugin's context.
 * @param open - the open sessions by their id.
 */
export function registerCommands(ctx: Context, open: ReadonlyMap<string, LiveClock>): void {
  ctx.inject(['commands'], (host) => {
    for (const { name, description, hint, run } of [CLOCK, TIMER]) {
      const handler = ({ agent, rawInput }: { readonly agent: Agent; readonly rawInput: string }): Result => {
        const [text, session] = [rawInput.trim(), open.get(agent.id)]
        const language = languageFor(text, agent.session.events)
        if (session === undefined) return { kind: 'error', text: sayNo(refuse('not-live'), name, language) }
        return run(text, session, { now: Date.now(), zone: session.zone(), language })
      }
      try {
        ;(host as unknown as CommandSeat).commands.register({ name, description, input: { hint }, handler })
      } catch (error) {
        // Another plugin may own the name: its command stays, and the other of ours still works.
        ctx.logger('time-reminder').error(`the command /${name} is not available`, error)
      }
    }
  })
}
