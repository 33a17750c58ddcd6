import { parseArgs } from 'node:util'
import { parseOffsetInstant, type Instant } from 'dsh-time-core'
import { refuse, type Refusal } from './refusal.ts'
import { languageOf, type Language } from './texts/texts.ts'

/** The commands, in the order of the help. */
export const COMMANDS = ['next', 'inspect', 'doctor'] as const

/** Name of a command. */
export type CommandName = (typeof COMMANDS)[number]

/** What is to be done. */
export type Command =
  | { readonly kind: 'help'; readonly about: CommandName | undefined }
  | { readonly kind: 'next'; readonly cron: string; readonly zone: string; readonly after: Instant | undefined; readonly count: number }
  | { readonly kind: 'inspect'; readonly target: string | undefined; readonly home: string | undefined }
  | { readonly kind: 'doctor'; readonly home: string | undefined; readonly profile: string; readonly browser: boolean }

/** A command line that was read. Language and form hold for refusals too, so they are known whatever else is wrong. */
export interface Invocation {
  readonly language: Language
  readonly json: boolean
  readonly command: Command | Refusal
  /** The command that the words are about, as far as it could be told. */
  readonly about: CommandName | undefined
}

const DEFAULT_COUNT = 5
const MAX_COUNT = 100

const OPTIONS = {
  json: { type: 'boolean' },
  lang: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  zone: { type: 'string' },
  after: { type: 'string' },
  count: { type: 'string' },
  home: { type: 'string' },
  profile: { type: 'string' },
  browser: { type: 'boolean' },
} as const

type OptionName = keyof typeof OPTIONS

const COMMON: readonly OptionName[] = ['json', 'lang', 'help']
const OWN: Readonly<Record<CommandName, readonly OptionName[]>> = { next: ['zone', 'after', 'count'], inspect: ['home'], doctor: ['home', 'profile', 'browser'] }

interface Given {
  readonly words: readonly string[]
  readonly values: ReadonlyMap<string, string | undefined>
  /** The first word that cannot be meant as an option. */
  readonly wrong: Refusal | undefined
}

/**
 * Read a command line.
 *
 * @param argv - the words after the program's name.
 * @param env - for the language where none is asked for.
 */
export function parseCommandLine(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Invocation {
  const given = read(argv)
  const [word, ...rest] = given.words
  const about = COMMANDS.find((name) => name === word)
  const command = given.wrong ?? commandOf(given.values, word, about, rest)
  return { language: languageOf(given.values.get('lang'), env), json: given.values.has('json'), about, command }
}

/** Not strict: what is wrong is said in our words and in the language that was asked for. */
function read(argv: readonly string[]): Given {
  const { tokens } = parseArgs({ args: [...argv], options: OPTIONS, strict: false, allowPositionals: true, tokens: true })
  const words: string[] = []
  const values = new Map<string, string | undefined>()
  let wrong: Refusal | undefined
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    wrong ??= misread(token, values)
    if (!values.has(token.name)) values.set(token.name, token.value)
  }
  return { words, values, wrong }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function misread({ name, rawName, value, inlineValue }: OptionToken, before: ReadonlyMap<string, unknown>): Refusal | undefined {
  if (!isOption(name)) return refuse('usage', (texts) => texts.details.unknownOption(rawName))
  if (before.has(name)) return refuse('usage', (texts) => texts.details.twice(rawName))
  if (OPTIONS[name].type === 'boolean') return value === undefined ? undefined : refuse('usage', (texts) => texts.details.noValue(rawName))
  // `--zone --json` means a forgotten zone, not a zone of that name.
  const isMissing = value === undefined || value === '' || (value.startsWith('-') && inlineValue !== true)
  return isMissing ? refuse('usage', (texts) => texts.details.missingValue(rawName)) : undefined
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name)
}

function commandOf(values: Given['values'], word: string | undefined, about: CommandName | undefined, rest: readonly string[]): Command | Refusal {
  const language = values.get('lang')
  if (language !== undefined && language !== 'zh' && language !== 'en') return refuse('usage', (texts) => texts.details.language(language))
  if (about === undefined && word !== undefined) return refuse('usage', (texts) => texts.details.unknownCommand(word))
  if (values.has('help')) return { kind: 'help', about }
  if (about === undefined) return refuse('usage', (texts) => texts.details.noCommand)
  const foreign = [...values.keys()].find((name) => ![...COMMON, ...OWN[about]].some((own) => own === name))
  if (foreign !== undefined) return refuse('usage', (texts) => texts.details.foreignOption(`--${foreign}`, about))
  return COMMAND_OF[about](values, rest)
}

const COMMAND_OF: Readonly<Record<CommandName, (values: Given['values'], words: readonly string[]) => Command | Refusal>> = {
  next: nextCommand,
  inspect: inspectCommand,
  doctor: doctorCommand,
}

function nextCommand(values: Given['values'], words: readonly string[]): Command | Refusal {
  const [cron, ...extra] = words
  if (cron === undefined) return refuse('usage', (texts) => texts.details.noCron)
  if (extra.length > 0) return refuse('usage', (texts) => texts.details.manyCronWords(words.length))
  const zone = values.get('zone')
  if (zone === undefined) return refuse('usage', (texts) => texts.details.noZone)
  const after = instantOption(values.get('after'))
  if (typeof after === 'object') return after
  const count = countOption(values.get('count'))
  return typeof count === 'object' ? count : { kind: 'next', cron, zone, after, count }
}

function instantOption(text: string | undefined): Instant | undefined | Refusal {
  if (text === undefined) return undefined
  const parsed = parseOffsetInstant(text)
  return parsed.ok ? parsed.instant : refuse('usage', (texts) => texts.details.after(text))
}

function countOption(text: string | undefined): number | Refusal {
  if (text === undefined) return DEFAULT_COUNT
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= MAX_COUNT ? count : refuse('usage', (texts) => texts.details.count(text, MAX_COUNT))
}

function inspectCommand(values: Given['values'], words: readonly string[]): Command | Refusal {
  const [target, ...extra] = words
  if (extra.length > 0) return refuse('usage', (texts) => texts.details.manyTargets(words.length))
  return { kind: 'inspect', target, home: values.get('home') }
}

function doctorCommand(values: Given['values'], [word]: readonly string[]): Command | Refusal {
  if (word !== undefined) return refuse('usage', (texts) => texts.details.noWords('doctor', word))
  const profile = values.get('profile') ?? 'web'
  if (/[/\\\0]|^\.{1,2}$/.test(profile)) return refuse('usage', (texts) => texts.details.profile(profile))
  return { kind: 'doctor', home: values.get('home'), profile, browser: values.has('browser') }
}
