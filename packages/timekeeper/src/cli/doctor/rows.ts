import type { Row } from './compose.ts'
import { note, problem, type Finding } from './finding.ts'
import { BUNDLE, type Profile } from './profile.ts'

/** What Timekeeper mounts, and the modules that a row can name for it: of the bundle, or of the package alone. */
const PLUGINS = {
  schedule: [`${BUNDLE}/tool-schedule`, 'dsh-tool-schedule'],
  clock: [`${BUNDLE}/time-reminder`, 'dsh-time-reminder'],
  page: [BUNDLE, 'dsh-client-ui-schedule'],
} as const

/** Name of one of our plugins. */
export type PluginName = keyof typeof PLUGINS

const NAMES = Object.keys(PLUGINS) as PluginName[]

/** The host's own plugins that do the same as one of ours. */
const DOUBLES = [
  { theirs: '@deepseek-ai/dsh-time-context', ours: 'clock', code: 'double_clock' },
  { theirs: '@deepseek-ai/dsh-schedule', ours: 'schedule', code: 'double_schedule' },
] as const

/**
 * Which of our plugins a module is.
 *
 * @param module - name in a row.
 */
export function pluginOf(module: string): PluginName | undefined {
  return NAMES.find((name) => (PLUGINS[name] as readonly string[]).includes(module))
}

/**
 * The enabled rows of one of our plugins.
 *
 * @param rows - of a profile.
 * @param plugin - which.
 */
export function mounted(rows: readonly Row[], plugin: PluginName): readonly Row[] {
  return rows.filter(({ name, state }) => state !== 'off' && pluginOf(name) === plugin)
}

/**
 * What is wrong with an installation (requirement T14).
 *
 * @param profile - as it lies on disk.
 * @param name - of the profile.
 * @param own - version of this program.
 */
export function judgeProfile(profile: Profile, name: string, own: string): Finding[] {
  const { rows, unreadable, bundle, folder, exists } = profile
  if (!exists) return [...judgeHost(profile), problem('profile_missing', [folder])]
  const ours = rows.filter((row) => pluginOf(row.name) !== undefined)
  return [
    ...judgeHost(profile),
    ...unreadable.map(({ path, reason }) => problem('profile_unreadable', [path, reason], { path })),
    ...(bundle !== undefined && bundle !== own ? [problem('version_differs', [bundle, own])] : []),
    ...(ours.length === 0 ? [problem('not_mounted', [name])] : [...judgeRows(profile), ...judgeDoubles(rows)]),
  ]
}

function judgeHost({ host, home }: Profile): Finding[] {
  if (host === undefined) return [problem('host_missing', [home])]
  const age = ageOf(host)
  if (age === 'tested') return []
  return [age === 'newer' ? note('host_unproven', [host]) : problem('host_unsupported', [host])]
}

/** Everything is tested on 0.1.0-rc.8 and shaped for 0.2; candidates of a version come before it. */
function ageOf(version: string): 'tested' | 'newer' | 'unsupported' {
  const [, major = NaN, minor = NaN, patch = NaN, candidate] = /^(\d+)\.(\d+)\.(\d+)(?:-rc\.(\d+))?/.exec(version)?.map(Number) ?? []
  const isFirst = minor === 1 && patch === 0
  if (major !== 0 || minor < 1 || minor > 2 || Number.isNaN(minor)) return 'unsupported'
  if (!isFirst) return 'newer'
  if (version.includes('-') && !(Number(candidate) >= 8)) return 'unsupported'
  return candidate === 8 ? 'tested' : 'newer'
}

function judgeRows({ rows, stray, unresolved, withoutClient }: Profile): Finding[] {
  const ours = rows.filter((row) => pluginOf(row.name) !== undefined)
  const missing = NAMES.filter((plugin) => !ours.some(({ name }) => pluginOf(name) === plugin))
  const twice = NAMES.map((plugin) => mounted(rows, plugin)).filter(({ length }) => length > 1)
  return [
    ...missing.map((plugin) => problem('row_missing', [PLUGINS[plugin][0]])),
    ...ours.filter(({ state }) => state !== 'on').map(({ id, name }) => note('row_disabled', [id, name])),
    ...twice.map((same) => problem('row_twice', [[...new Set(same.map(({ name }) => name))].join(', '), same.map(({ id }) => id).join(', ')])),
    ...stray.filter(({ id }) => id.startsWith('timekeeper-') || ours.some((row) => row.id === id)).map(({ id, source }) => problem('row_order', [id, source])),
    ...[...unresolved].map((name) => problem('row_unresolved', [name])),
    ...[...withoutClient].map((name) => problem('client_missing', [name])),
  ]
}

function judgeDoubles(rows: readonly Row[]): Finding[] {
  return DOUBLES.flatMap(({ theirs, ours, code }) => {
    const host = rows.find(({ name, state }) => name === theirs && state !== 'off')
    const [own] = mounted(rows, ours)
    return host === undefined || own === undefined ? [] : [problem(code, [host.id, own.id])]
  })
}
