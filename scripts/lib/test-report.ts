import { existsSync } from 'node:fs'
import { readJson } from './json.ts'

/** What one lane of tests came to. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The part of vitest's JSON report that is counted. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[]
}

/**
 * Counts a JSON report. A file that failed without a failed test (it could not be loaded, or a hook threw) counts as
 * one failure: it must not look like a file with nothing in it.
 * @returns undefined when the runner left no report at all
 */
export const readTally = (file: string): Tally | undefined => {
  if (!existsSync(file)) return undefined
  const report = readJson<Report>(file)
  const broken = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some(test => test.status === 'failed'))
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, skipped: report.numPendingTests + report.numTodoTests }
}

/** @returns the sum of several lanes */
export const sum = (tallies: readonly Tally[]): Tally =>
  tallies.reduce((left, right) => ({ passed: left.passed + right.passed, failed: left.failed + right.failed, skipped: left.skipped + right.skipped }), { passed: 0, failed: 0, skipped: 0 })

/** @returns the closing line of a test run: `12 passed, 0 failed`, with the skipped ones when there are any */
export const closingLine = ({ passed, failed, skipped }: Tally): string => `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
