import { readFileSync } from 'node:fs'

/* oxlint-disable typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- the one place where a shape is taken on trust */

/**
 * Parses JSON that the host, a tool or this workspace wrote, and takes it at the caller's word: for files and answers
 * whose shape is known, never for input of a person.
 * @throws SyntaxError when it is not JSON
 */
export const parseJson = <T>(text: string): T => JSON.parse(text) as T

/** Parses a JSON file as `parseJson` does. */
export const readJson = <T>(file: string): T => parseJson<T>(readFileSync(file, 'utf8'))
