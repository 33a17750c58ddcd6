/** Which names the tools are mounted under; `auto` takes `reminder_*` where `schedule_*` is taken (design, names). */
export type NameChoice = 'auto' | 'schedule' | 'reminder'

/** The names of one session's tools. */
export interface ToolNames {
  readonly create: string
  readonly list: string
  readonly delete: string
  readonly snooze: string
}

/**
 * Choose the names of the tools.
 *
 * @param choice - from the row's config.
 * @param taken - whether a name is mounted already in this agent's scope.
 */
export function chooseNames(choice: NameChoice, taken: (name: string) => boolean): ToolNames {
  const schedule = namesOf('schedule')
  if (choice === 'schedule' || (choice === 'auto' && !Object.values(schedule).some(taken))) return schedule
  return namesOf('reminder')
}

function namesOf(prefix: string): ToolNames {
  return { create: `${prefix}_create`, list: `${prefix}_list`, delete: `${prefix}_delete`, snooze: `${prefix}_snooze` }
}
