/** The languages that people are answered in. */
export const LANGUAGES = ['en', 'zh'] as const

/** One of them. The model reads English. */
export type Language = (typeof LANGUAGES)[number]

/** The language in which a body is answered: that of its member `language`, English where it names none. The body may be anything. */
export function languageIn(body: unknown): Language {
  return typeof body === 'object' && body !== null && 'language' in body && body.language === 'zh' ? 'zh' : 'en'
}

/**
 * One sentence for each code of a union, in both languages of people; one that is missing does not compile. The other members
 * of a value are the arguments of its sentence.
 */
export type Sentences<V extends { readonly code: string }> = Readonly<Record<Language, { readonly [C in V['code']]: (value: Extract<V, { readonly code: C }>) => string }>>

/**
 * A value of a union of codes in words.
 *
 * @param sentences - of its union.
 * @param value - a code with its arguments.
 * @param language - of whoever reads it; the model reads English.
 */
export function sayIn<V extends { readonly code: string }>(sentences: Sentences<V>, value: V, language: Language): string {
  // The type checker does not see that a sentence is asked only for the values of its own code.
  return (sentences[language][value.code as V['code']] as (value: V) => string)(value)
}
