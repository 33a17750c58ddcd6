import { en, type Texts } from './en.ts'
import { zh } from './zh.ts'

/** Languages of the output. */
export type Language = 'en' | 'zh'

const TEXTS: Readonly<Record<Language, Texts>> = { en, zh }

/**
 * The texts of a language.
 *
 * @param language - as chosen.
 */
export function textsOf(language: Language): Texts {
  return TEXTS[language]
}

/**
 * The language to answer in: what is asked for, else that of the terminal (`LC_ALL` before `LANG`), else English.
 *
 * @param asked - value of `--lang`; one that is no language of ours is treated as absent.
 * @param env - the environment.
 */
export function languageOf(asked: string | undefined, env: Readonly<Record<string, string | undefined>>): Language {
  if (asked === 'zh' || asked === 'en') return asked
  const set = [env['LC_ALL'], env['LANG']].find((value) => value !== undefined && value !== '')
  return /^zh/i.test(set ?? '') ? 'zh' : 'en'
}
