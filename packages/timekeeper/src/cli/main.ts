import { jsonLine, plainLine } from 'dsh-time-core'
import type { Answer } from './answer.ts'
import { parseCommandLine, type Command, type CommandName, type Invocation } from './arguments.ts'
import { doctor } from './doctor/command.ts'
import { inspect } from './inspect/command.ts'
import { fireLines, fireViews, preview } from './next.ts'
import { isRefusal, refuse, type Refusal } from './refusal.ts'
import type { Texts } from './texts/en.ts'
import { textsOf } from './texts/texts.ts'
import type { World } from './world.ts'

/** 0: done. 1: refused, or a problem was found. 2: the command line cannot be understood. */
export type ExitCode = 0 | 1 | 2

/** Longer lines than any of ours; a bound for words that come from outside. */
const MAX_LINE = 2000

/**
 * Run one command line. With `--json` the standard output holds exactly one JSON document on one line, for refusals too;
 * without it refusals go to the standard error.
 *
 * @param argv - the words after the program's name.
 * @param world - everything outside.
 */
export async function runCli(argv: readonly string[], world: World): Promise<ExitCode> {
  const invocation = parseCommandLine(argv, world.env)
  const texts = textsOf(invocation.language)
  const answer = await safely(invocation.command, texts, world)
  if (isRefusal(answer)) return tellRefusal(answer, invocation, texts, world)
  if (invocation.json) world.out(jsonLine(answer.json))
  else for (const line of answer.lines) world.out(line)
  return answer.hasProblem ? 1 : 0
}

/** A file or folder may vanish or be closed to us between two looks; everything else that is thrown is a fault of ours. */
async function safely(command: Command | Refusal, texts: Texts, world: World): Promise<Answer | Refusal> {
  if (isRefusal(command)) return command
  try {
    return await perform(command, texts, world)
  } catch (error) {
    const { code, path, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    return refuse('log_unreadable', () => texts.details.unreadable(String(path), String(code)))
  }
}

function perform(command: Command, texts: Texts, world: World): Answer | Refusal | Promise<Answer | Refusal> {
  switch (command.kind) {
    case 'help':
      return help(command.about, texts)
    case 'next': {
      const found = preview({ ...command, after: command.after ?? world.now() })
      return isRefusal(found) ? found : { json: { fires: fireViews(found, texts) }, lines: fireLines(found, texts), hasProblem: false }
    }
    case 'inspect':
      return inspect(command, texts, world)
    case 'doctor':
      return doctor(command, texts, world)
  }
}

function help(about: CommandName | undefined, texts: Texts): Answer {
  const text = texts.help[about ?? 'all']
  return { json: { help: text }, lines: [text], hasProblem: false }
}

function tellRefusal({ code, detail }: Refusal, { json, about }: Invocation, texts: Texts, world: World): ExitCode {
  const message = texts.refusals[code]
  const line = plainLine(detail(texts), MAX_LINE)
  if (json) world.out(jsonLine({ code, message, detail: line }))
  else {
    world.err(`timekeeper: ${message} (${code})`)
    world.err(`  ${line}`)
    if (code === 'usage') world.err(`  ${texts.words.seeHelp(about)}`)
  }
  return code === 'usage' ? 2 : 1
}
