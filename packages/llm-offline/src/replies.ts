import type { GenerateOptions } from '@deepseek-ai/dsh-llm'
import { tell } from './answers.ts'
import { isHuman, readConversation, textOf, toolNames } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import { presentFired } from './notices.ts'
import { PHRASES } from './phrases/phrases.ts'
import { planFor } from './plans.ts'
import { understand } from './rules.ts'
import { parseScript } from './script.ts'
import type { Act, ScriptStep } from './script.ts'
import { languageOf, oneLine } from './text.ts'
import type { Language } from './text.ts'
import { parseJson, textMember } from './values.ts'

/** One answer of the model. */
export interface Reply {
  /** Milliseconds to wait first. */
  readonly waitMs: number
  /** Words before the act, for what fired meanwhile; empty for none. */
  readonly preface: string
  readonly act: Act
  /** Id of the tool call, if the act is one: the same whenever the same request is answered again. */
  readonly callId: string
}

type Request = Pick<GenerateOptions, 'messages' | 'tools' | 'purpose'>

const TITLE_WORDS = 5
const TITLE_CHARS = 40
const TITLE_HAN = 12
const SUMMARY_LINES = 20
const SUMMARY_CHARS = 200

const words = (text: string): Reply => ({ waitMs: 0, preface: '', act: { kind: 'say', text }, callId: '' })

/** The host frames the person's messages as a JSON array of `{ text }` after one line of instruction. */
function titleReply(messages: Request['messages']): Reply {
  const framed = messages.map(textOf).join('\n')
  const list = parseJson(framed.slice(framed.indexOf('\n') + 1))
  const said = Array.isArray(list) ? (list.map(entry => textMember(entry, 'text')).find(text => text !== undefined) ?? '') : ''
  const language = languageOf(said)
  const flat = oneLine(said.replaceAll(/[\p{C}`*_#<>"]+/gu, ' '), 400)
  const title = language === 'zh' ? flat.slice(0, TITLE_HAN) : flat.split(' ').slice(0, TITLE_WORDS).join(' ').slice(0, TITLE_CHARS)
  return words(title.trim() === '' ? PHRASES[language].title : title.trim())
}

function summaryReply(messages: Request['messages']): Reply {
  const said = messages.filter(isHuman).map(message => oneLine(textOf(message), SUMMARY_CHARS)).filter(text => text !== '')
  const lines = said.slice(-SUMMARY_LINES).map(text => `- ${text}`)
  return words([PHRASES[languageOf(said.join(' '))].summaryHead, ...lines].join('\n'))
}

const told = (conversation: Conversation, language: Language): string =>
  conversation.outcome === undefined ? PHRASES[language].noted : tell(conversation.outcome, language)

/** A script says exactly what it says: what fires meanwhile stays unmentioned until it opens a turn of its own. */
function scriptReply(steps: readonly ScriptStep[], conversation: Conversation, callId: string, language: Language): Reply {
  const step = steps[conversation.step]
  const act = step?.act ?? { kind: 'say', text: told(conversation, language) }
  return { waitMs: step?.waitMs ?? 0, preface: '', act, callId }
}

/** A fresh message is understood; a later step tells what its call brought. */
function ordinaryReply(conversation: Conversation, text: string, callId: string, request: Request): Reply {
  const language = languageOf(text)
  const fired = conversation.fired.length === 0 ? [] : [presentFired(conversation.fired, language)]
  const { outcome, reading } = conversation
  if (!conversation.fresh) return { ...words(told(conversation, language)), preface: fired.join('\n') }
  const before = outcome === undefined ? [] : [tell(outcome, language)]
  const act = planFor(understand(text), { language, tools: toolNames(request.tools), reading })
  return { waitMs: 0, preface: [...before, ...fired].join('\n'), act, callId }
}

/**
 * The answer to a request, a pure function of it.
 *
 * @param request messages, offered tools and purpose as the host sends them
 */
export function replyTo(request: Request): Reply {
  if (request.purpose === 'session-title') return titleReply(request.messages)
  if (request.purpose === 'compaction') return summaryReply(request.messages)
  const conversation = readConversation(request.messages)
  const { human } = conversation
  if (conversation.delivery) return words(presentFired(conversation.fired, human && languageOf(human.text)))
  if (human === undefined || !(conversation.fresh || conversation.outcome !== undefined)) {
    return words(told(conversation, languageOf(human?.text ?? '')))
  }
  const callId = `offline-${human.id}-${conversation.step}`
  const script = parseScript(human.text)
  if (script === undefined) return ordinaryReply(conversation, human.text, callId, request)
  return scriptReply(script, conversation, callId, languageOf(human.text))
}
