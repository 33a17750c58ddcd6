export { assertNever } from './assert-never.ts'
export { DAY_MS, MINUTE_MS, type Wall } from './calendar.ts'
export { describeSkips } from './cron/describe.ts'
export type { CronField, ItemFault, UnreadableItem } from './cron/field.ts'
export { nextFire, nextFires, previousFire, type Fire } from './cron/next.ts'
export { sayCronNote } from './cron/note-words.ts'
export { cronNotes, type CronNote } from './cron/notes.ts'
export { MAX_CRON_LENGTH, parseCron, type Cron, type CronParse, type CronRefusal } from './cron/parse.ts'
export { sayCronRefusal } from './cron/refusal-words.ts'
export { shortestGap } from './cron/spacing.ts'
export { formatDuration, MAX_DURATION_MS, parseDuration } from './duration.ts'
export { everyOccurrence, type EveryState } from './every.ts'
export { formatOffset, formatZoned } from './format.ts'
export { formatInstant, isInstant, MAX_INSTANT, MIN_INSTANT, parseCanonicalInstant, type Instant } from './instant.ts'
export { drift, LATE_FROM_MS, type Drift, type LatenessReason } from './lateness.ts'
export {
  localDate,
  localFields,
  parseLocal,
  resolveLocal,
  type LocalDateTime,
  type LocalParse,
  type LocalResolution,
  type Weekday,
} from './local.ts'
export { refusalsOf, type Refusal, type Refusals } from './refusals.ts'
export { parseOffsetInstant, type OffsetParse } from './rfc3339.ts'
export { jsonLine, plainLine } from './safe-text.ts'
export { languageIn, LANGUAGES, sayIn, type Language, type Sentences } from './sentences.ts'
export { seamsBetween, type Seam } from './wall.ts'
export { offsetAt, parseZone, sameZone, type ZoneName } from './zone.ts'
