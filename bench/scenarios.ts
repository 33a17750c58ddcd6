import type { Findings } from './findings.ts'
import { coldStart } from './scenarios/cold-start.ts'
import { cron } from './scenarios/cron.ts'
import { idle } from './scenarios/idle.ts'
import { memory } from './scenarios/memory.ts'
import { operations } from './scenarios/operations.ts'
import { pageCosts } from './scenarios/page.ts'
import { sizes } from './scenarios/sizes.ts'
import { step } from './scenarios/step.ts'
import { tokens } from './scenarios/tokens.ts'
import { wake } from './scenarios/wake.ts'

/** Everything that is measured, by the names of `SCENARIO_NAMES`. */
export const SCENARIOS: Readonly<Record<string, (isQuick: boolean) => Promise<Findings>>> = { operations, idle, step, wake, 'cold-start': coldStart, memory, sizes, tokens, cron, page: pageCosts }
