import type { Step } from '../src/steps.ts'

/**
 * Schedules that broke a rule, or that a fault needs which is rarely met; made short and written out, because a seed means
 * something else with every new kind of step. Each with its fault, as a plant: one with which nothing breaks has missed
 * its moment.
 */
export const SCHEDULES: readonly (readonly [rule: string, seed: number, plant: string, steps: readonly Step[]])[] = [
  [
    'S30 a delivery whose message a crash lost between the inbox and the conversation is delivered once more',
    63,
    'lost-left',
    [
      { salt: 1621927358, host: 0, session: 0, kind: 'new' },
      { salt: 1086248755, host: 0, session: 3, kind: 'prompt', wishes: [{ tool: 'create', args: { prompt: 'do 819', after_seconds: 1 } }] },
      { salt: 47698015, host: 0, session: 2, kind: 'block', ms: 3000 },
      { salt: 655531398, host: 1, session: 2, kind: 'crash', after: 3 },
      { salt: 1789883783, host: 1, session: 2, kind: 'close' },
      { salt: 306861502, host: 0, session: 1, kind: 'prompt', wishes: [] },
    ],
  ],
  [
    'S30 T9 a session that asked to be woken is opened while a delivery waits in its inbox',
    639,
    'unread-not-owed',
    [
      { salt: 1619784127, host: 0, session: 0, kind: 'prompt', wishes: [{ tool: 'create', args: { prompt: 'do 978', after_seconds: 29, late_limit_seconds: 10 } }, { tool: 'create', args: { prompt: 'do 445', every_seconds: 300, late_limit_seconds: 10, wake: true } }] },
      { salt: 1705386232, host: 0, session: 2, kind: 'new' },
      { salt: 2124514971, host: 1, session: 2, kind: 'prompt', wishes: [{ tool: 'countdown', action: 'list', name: 'tea', seconds: 5 }, { tool: 'countdown', action: 'snooze', name: 'nap', seconds: 240, onFire: 'wake' }, { tool: 'delete', pick: 2, seconds: 1 }] },
      { salt: 1808108911, host: 0, session: 1, kind: 'crash', after: 0 },
      { salt: 1942328130, host: 1, session: 2, kind: 'set-clock', ms: 10800000 },
      { salt: 916314266, host: 0, session: 2, kind: 'disk', fault: 'reject' },
      { salt: 1700173112, host: 0, session: 2, kind: 'boot' },
      { salt: 2013034105, host: 1, session: 1, kind: 'pass', ms: 120000 },
      { salt: 818683472, host: 1, session: 3, kind: 'boot' },
      { salt: 1515434840, host: 1, session: 2, kind: 'disk', fault: 'lost-answer' },
      { salt: 445140098, host: 0, session: 3, kind: 'new' },
      { salt: 842931739, host: 0, session: 3, kind: 'prompt', wishes: [{ tool: 'create', args: { prompt: 'do 70', cron: '*/30 * * * *', time_zone: 'UTC', late_limit_seconds: 120, wake: true } }] },
      { salt: 1094455002, host: 0, session: 1, kind: 'leave' },
      { salt: 174022463, host: 1, session: 3, kind: 'pass', ms: 360000 },
    ],
  ],
  [
    'S30 an agent that is opened with a recorded delivery in its inbox is woken for it',
    2802,
    'stranded-left',
    [
      { salt: 1682154075, host: 1, session: 2, kind: 'prompt', wishes: [{ tool: 'create', args: { prompt: 'do 917', cron: '*/30 * * * *', time_zone: 'UTC', late_limit_seconds: 10, wake: true, count: 1 } }, { tool: 'snooze', pick: 5, seconds: 20 }] },
      { salt: 2115400999, host: 1, session: 1, kind: 'pass', ms: 360000 },
      { salt: 551895896, host: 0, session: 1, kind: 'maintenance' },
      { salt: 177092978, host: 1, session: 3, kind: 'prompt', wishes: [{ tool: 'create', args: { prompt: 'do 381', cron: '*/30 * * * *', time_zone: 'UTC' } }, { tool: 'create', args: { prompt: 'do 592', after_seconds: 1, late_limit_seconds: 120, wake: true } }, { tool: 'delete', pick: 0, seconds: 1 }] },
      { salt: 1294253881, host: 0, session: 2, kind: 'disk', fault: 'lost-answer' },
      { salt: 475792298, host: 0, session: 3, kind: 'release', pick: 1 },
      { salt: 426305673, host: 0, session: 2, kind: 'crash', after: 8 },
      { salt: 2146713285, host: 0, session: 0, kind: 'pass', ms: 7000 },
    ],
  ],
  [
    'R20 a host does not believe a new index before those that run have found it',
    209,
    'new-index-believed',
    [
      { salt: 122203517, host: 0, session: 2, kind: 'prompt', wishes: [{ tool: 'list' }, { tool: 'countdown', action: 'start', name: 'tea', seconds: 5 }, { tool: 'create', args: { prompt: 'do 157', after_seconds: 29, late_limit_seconds: 3600, wake: true } }] },
      { salt: 1121917338, host: 0, session: 3, kind: 'index', fault: 'damage' },
      { salt: 94558871, host: 1, session: 0, kind: 'boot' },
      { salt: 436541939, host: 0, session: 3, kind: 'pass', ms: 660000 },
    ],
  ],
  [
    'R18 a clock that was set back does not stretch the waits of the index',
    2839,
    'set-back-unheard',
    [
      { salt: 870731918, host: 0, session: 1, kind: 'prompt', wishes: [{ tool: 'countdown', action: 'start', name: 'nap', seconds: 3600, onFire: 'wake' }] },
      { salt: 2053371607, host: 1, session: 2, kind: 'pass', ms: 660000 },
      { salt: 322385593, host: 0, session: 1, kind: 'set-clock', ms: 10800000 },
      { salt: 1893662379, host: 0, session: 1, kind: 'close' },
      { salt: 1918037498, host: 0, session: 1, kind: 'index', fault: 'damage' },
      { salt: 130663977, host: 0, session: 3, kind: 'pass', ms: 120000 },
      { salt: 221031285, host: 0, session: 0, kind: 'set-clock', ms: -7200000 },
      { salt: 1123920452, host: 0, session: 2, kind: 'pass', ms: 360000 },
    ],
  ],
  [
    'R20 a session is not taken in an index file that has been removed',
    3009,
    'removed-index-kept',
    [
      { salt: 1, host: 0, session: 0, kind: 'prompt', wishes: [{ tool: 'countdown', action: 'start', name: 'tea', seconds: 5, onFire: 'wake' }] },
      { salt: 2, host: 1, session: 0, kind: 'boot' },
      { salt: 3, host: 0, session: 0, kind: 'crash', after: 0 },
      { salt: 4, host: 0, session: 0, kind: 'index', fault: 'lose' },
      { salt: 5, host: 0, session: 0, kind: 'boot' },
      { salt: 6, host: 0, session: 0, kind: 'open' },
      { salt: 7, host: 0, session: 0, kind: 'pass', ms: 120000 },
    ],
  ],
  [
    'S13 what was taken back while a barrier was awaited is not delivered',
    3672,
    'delete-ignored',
    [
      { salt: 1507868764, host: 0, session: 2, kind: 'hold', share: 80 },
      { salt: 2034608083, host: 0, session: 2, kind: 'foreign-every', seconds: 360 },
      { salt: 555593799, host: 0, session: 0, kind: 'pass', ms: 360000 },
      { salt: 1663446849, host: 0, session: 0, kind: 'foreign-delete', pick: 6 },
    ],
  ],
]
