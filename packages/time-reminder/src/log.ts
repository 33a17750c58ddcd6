/**
 * What a session's log says about its countdowns, for programs that read it without a host.
 *
 * @module dsh-time-reminder/log
 */
export { COUNTDOWN_KIND, CountdownFold, owedAt } from './countdowns/fold.ts'
