import { leftover } from './text.ts'
import type { Span } from './text.ts'

const LEAD_NOISE = /^[\s,.:;!、，。：；！\-–—]+/
const LEAD_WORD = /^(?:(?:at|for|on|of|and|then|please|pls)\b|[在请于](?=\s|$))/i
const LEAD_LINK = /^(?:(?:to|that|about)\b(?!$)|的(?:时候)?)/i
const TAIL_NOISE = /[\s,.:;、，。：；\-–—]+$/
const TAIL_WORD = /(?:\b(?:please|pls|thanks|thank you|for|at|on|in|by|to|of|and)|谢谢|好吗|可以吗|行吗|吧)[!?。！？]*$/i

/** Applies a rewrite until nothing changes; each rewrite only shortens, so this ends. */
function settle(text: string, rewrite: (text: string) => string): string {
  let before = text
  for (;;) {
    const after = rewrite(before)
    if (after === before) return after
    before = after
  }
}

const trimLead = (text: string): string => settle(text, part => part.replace(LEAD_NOISE, '').replace(LEAD_WORD, ''))
const trimTail = (text: string): string => settle(text, part => part.replace(TAIL_NOISE, '').replace(TAIL_WORD, ''))

/**
 * What is left to be reminded of, or to be a name, when the words that were understood are taken out:
 * without joining words, politeness and punctuation at its ends.
 *
 * @param original the person's text, unchanged
 * @param spans the understood stretches, valid in the original
 * @returns possibly empty
 */
export function remainder(original: string, spans: readonly Span[]): string {
  const rest = trimLead(leftover(original, spans)).replace(LEAD_LINK, '')
  return trimTail(rest.replace(LEAD_NOISE, ''))
}
