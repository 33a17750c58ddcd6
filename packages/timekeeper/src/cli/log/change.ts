import { CorruptLog, decodeChange, type ScheduleChange } from 'dsh-tool-schedule/log'

/**
 * The change that an event holds.
 *
 * @param data - of a `schedule/change` event, of whatever shape.
 * @returns the change, or the rule of version 1 that the data breaks.
 */
export function readChange(data: unknown): ScheduleChange | string {
  try {
    return decodeChange(data)
  } catch (error) {
    if (error instanceof CorruptLog) return error.message
    throw error
  }
}
