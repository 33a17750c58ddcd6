/** The scenarios in the order in which they are run. */
export const SCENARIO_NAMES: readonly string[] = ['operations', 'idle', 'step', 'wake', 'cold-start', 'memory', 'sizes', 'tokens', 'cron', 'page']
