const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const START_HOST = 'Start the host: it compares the index with the logs within a minute. Then run doctor again.'
const SET_CLOCK = 'Set the clock of the machine, and let its time service run.'
const REINSTALL = 'Install the bundle anew: dsh plugin --profile <profile> add <tarball>'
const ONE_ROW = 'Disable one of the two in the cordis.patch.yml of the profile: "- id: <row>" with "disabled: true".'
const UPDATE_NODE = 'Update Node; unset NODE_ICU_DATA if it is set.'
const UPDATE_BROWSER = 'Update the browser, and start it anew.'
const OLDER: Readonly<Record<string, string>> = { node: 'The data of this Node are older.', browser: 'The data of the browser are older.' }

/** What the doctor says, in English. The arguments are the `detail` of a finding, in order. */
export const doctorEn = {
  title: (home: string, profile: string): string => `Home ${home}, profile ${profile}`,
  machine: (timekeeper: string, node: string, tz: string, icu: string, zone: string): string => `timekeeper ${timekeeper}, Node ${node}, time zone data ${tz} (ICU ${icu}), zone of this process ${zone}`,
  host: (version: string): string => `DSH ${version}`,
  noHost: 'DSH not found in this home',
  row: (id: string, state: string): string => `${id} (${state})`,
  rows: 'Rows',
  states: { on: 'on', off: 'off', conditional: 'depends on an expression' },
  sessions: (count: number): string => `${counted(count, 'log')} read`,
  index: (owed: number, leases: number, left: number): string => `index: ${owed} owed, ${counted(leases, 'lease')}, ${left} of hosts that have ended`,
  noIndex: 'index: none',
  browser: (alike: number, all: number, name: string): string => `Browser: time zone data alike in ${alike === all ? '' : `${alike} of `}${counted(all, 'zone')} (${name})`,
  open: (url: string, limit: string): string => `Open this address in the browser that is to be compared, within ${limit}; Ctrl-C stops: ${url}`,
  page: {
    comparing: 'Comparing the time zone data of this browser with those of Node …',
    close: 'The whole diagnosis is in the terminal. You can close this page.',
    failed: 'timekeeper does not answer: it has ended, or has had its answer from another page. Run timekeeper doctor --browser again, and open the address that it prints.',
    noScript: 'This page needs JavaScript: only a script can tell the time zone data of a browser.',
  },
  levels: { problem: 'problem', note: 'note' },
  advice: (text: string): string => `What to do: ${text}`,
  session: (id: string): string => `session ${id}`,
  total: (problems: number, notes: number): string => `${counted(problems, 'problem')}, ${counted(notes, 'note')}.`,
  well: 'No problem was found.',
  progress: (done: number, all: number): string => `reading logs: ${done} of ${all}`,
  look: (session: string): string => `Look at it closely with: timekeeper inspect ${session}`,
  findings: {
    node_unsupported: {
      found: (version: string): string => `Node ${version} is not supported by DSH, which needs ^22.19.0 || >=24.0.0.`,
      advice: (): string => 'Use Node 24. If the host runs on another Node than this program, run doctor with that one.',
    },
    tz_outdated: {
      found: (tz: string, zones: string): string => `The time zone data (${tz}) does not know the law of: ${zones}. Local times there are wrong.`,
      advice: (): string => UPDATE_NODE,
    },
    zone_unknown: {
      found: (zone: string, tz: string): string => `A browser has named the zone ${zone}, which this Node does not know (time zone data ${tz}). Its sessions count as having no zone.`,
      advice: (): string => 'Update Node; if the name is no IANA zone, correct the zone of that machine.',
    },
    tz_browser_differs: {
      found: (zone: string, older: string, at: string, tz: string, own: string, name: string, theirs: string): string => `Local times in ${zone} differ, first at ${at}: ${own} by this Node (time zone data ${tz}), ${theirs} by the browser (${name}). ${OLDER[older] ?? 'Which of the two is older cannot be told.'}`,
      advice: (_zone: string, older: string): string => (older === 'node' ? UPDATE_NODE : older === 'browser' ? UPDATE_BROWSER : 'Update both Node and the browser, then run doctor --browser again.'),
    },
    tz_browser_zone_unknown: {
      found: (zone: string, name: string): string => `The browser (${name}) does not know the zone ${zone}: it shows no local times of it.`,
      advice: (): string => UPDATE_BROWSER,
    },
    process_zone: {
      found: (zone: string): string => `TZ is set to ${zone}, which is no IANA zone, so the process does not run in the zone that is meant.`,
      advice: (): string => 'Set TZ to a name such as Europe/Berlin, or unset it.',
    },
    clock_implausible: { found: (now: string): string => `The clock of the machine says ${now}.`, advice: (): string => SET_CLOCK },
    clock_behind_log: {
      found: (now: string, newest: string): string => `The clock of the machine (${now}) is behind the newest event of the logs (${newest}): it was set back, or was ahead then.`,
      advice: (): string => SET_CLOCK,
    },
    time_went_back: {
      found: (times: string, most: string): string => `Times go back ${times}× in this log, by ${most} at most: the clock was set back while it was written.`,
      advice: (): string => 'Let the time service of the machine run all the time, so that it corrects the clock in small steps.',
    },
    home_missing: { found: (home: string): string => `${home} does not exist.`, advice: (): string => 'Name the home with --home, or set DSH_HOME.' },
    profile_missing: {
      found: (folder: string): string => `There is no profile ${folder}.`,
      advice: (): string => 'Start "dsh web" once, which makes the profile web, or name another one with --profile.',
    },
    profile_unreadable: {
      found: (path: string, reason: string): string => `${path}: ${reason}. The host does not start with it.`,
      advice: (): string => 'Correct that file; for a bundle that is not installed: dsh plugin --profile <profile> add it, or remove it from dsh.profile.bundles.',
    },
    host_missing: { found: (home: string): string => `No DSH has prepared ${home}.`, advice: (): string => 'Start "dsh web" once.' },
    host_unsupported: {
      found: (version: string): string => `DSH ${version} is not supported; from 0.1.0-rc.8 on, and before 0.3.`,
      advice: (): string => 'Install a DSH that is supported, or a newer Timekeeper.',
    },
    host_unproven: {
      found: (version: string): string => `DSH ${version} is newer than 0.1.0-rc.8, on which everything is tested.`,
      advice: (): string => 'Nothing. If something does not work, say which version it is.',
    },
    not_mounted: {
      found: (profile: string): string => `Nothing of Timekeeper is mounted in the profile ${profile}.`,
      advice: (profile: string): string => `dsh plugin --profile ${profile} add <tarball of dsh-timekeeper>, and start the host anew.`,
    },
    version_differs: {
      found: (installed: string, own: string): string => `The profile has dsh-timekeeper ${installed}; this program is ${own}.`,
      advice: (): string => 'Run the program of the profile (node_modules/.bin/timekeeper there), or install the same version.',
    },
    row_missing: {
      found: (plugin: string): string => `The row of ${plugin} is not mounted.`,
      advice: (): string => 'Install the bundle, or insert the row as in the bundle\'s cordis.patch.yml.',
    },
    row_disabled: {
      found: (id: string, name: string): string => `The row ${id} (${name}) is switched off, or by an expression.`,
      advice: (): string => 'If that is not meant, take "disabled" out of the patch that sets it.',
    },
    row_twice: { found: (name: string, ids: string): string => `${name} is mounted more than once, by ${ids}.`, advice: (): string => ONE_ROW },
    row_order: {
      found: (id: string, source: string): string => `The patch for ${id} in ${source} finds no such row, so it does nothing.`,
      advice: (): string => 'Correct the id; a patch must come after the row that it is for: the profile\'s own cordis.patch.yml comes after all bundles.',
    },
    row_unresolved: { found: (name: string): string => `The row ${name} cannot be loaded: its file is not installed. The host does not start.`, advice: (): string => REINSTALL },
    client_missing: { found: (name: string): string => `${name} has no browser half on disk: the page shows nothing of it.`, advice: (): string => REINSTALL },
    double_clock: {
      found: (theirs: string, ours: string): string => `Two clocks are mounted: ${theirs} of DSH and ${ours} of Timekeeper. The model reads the time twice.`,
      advice: (): string => ONE_ROW,
    },
    double_schedule: {
      found: (theirs: string, ours: string): string => `Two schedules are mounted: ${theirs} of DSH and ${ours} of Timekeeper. Both deliver the same reminders.`,
      advice: (): string => ONE_ROW,
    },
    index_missing: { found: (path: string): string => `There is no wake index (${path}), and something is owed.`, advice: (): string => START_HOST },
    index_unusable: {
      found: (path: string, reason: string): string => `The wake index ${path} cannot be used: ${reason}.`,
      advice: (): string => 'Start the host: it puts a corrupt file aside and makes a new one. For newer: update Timekeeper. For foreign, locked or inaccessible: see who else uses the path, and its rights.',
    },
    owed_not_indexed: {
      found: (kind: string, due: string): string => `A ${kind} is owed at ${due}, and the wake index does not know it.`,
      advice: (): string => START_HOST,
    },
    owed_other_instant: {
      found: (kind: string, due: string, indexed: string): string => `A ${kind} is owed at ${due}; the wake index says ${indexed}.`,
      advice: (): string => START_HOST,
    },
    indexed_not_owed: {
      found: (kind: string, indexed: string): string => `The wake index has a ${kind} at ${indexed} that the log does not owe.`,
      advice: (): string => START_HOST,
    },
    indexed_without_log: {
      found: (kind: string, indexed: string): string => `The wake index has a ${kind} at ${indexed} of a session that has no log.`,
      advice: (): string => `If the log was removed by mistake, restore it. Else: ${START_HOST}`,
    },
    overdue_closed: {
      found: (id: string, due: string, prompt: string): string => `${id} "${prompt}" was due at ${due}. It does not wake its session, and waits until that is opened.`,
      advice: (): string => 'Open the session. For the next one, ask for wake: true.',
    },
    overdue_no_host: {
      found: (id: string, due: string, prompt: string): string => `${id} "${prompt}" was due at ${due}. It would open its session, but no host is seen to run.`,
      advice: (): string => 'Start the host: it is delivered then, with how late it is.',
    },
    overdue_not_woken: {
      found: (id: string, due: string, prompt: string): string => `${id} "${prompt}" was due at ${due}. A host runs, and has not opened the session for it.`,
      advice: (): string => 'Open the session by hand. See that the row of its plugin is on and its wake index not switched off.',
    },
    overdue_held: {
      found: (id: string, due: string, prompt: string): string => `${id} "${prompt}" was due at ${due}, in a session that a host has open: its agent is busy or stuck.`,
      advice: (): string => 'Look at the session, and stop a turn that hangs. If there is none, start the host anew.',
    },
    paused: {
      found: (id: string, unanswered: string, prompt: string): string => `The series ${id} "${prompt}" is paused: nobody has written since its last ${unanswered} deliveries.`,
      advice: (): string => 'Write in the session, or cancel the series.',
    },
    missed: {
      found: (times: string, last: string): string => `${times}× an occurrence was later than its limit and counts as missed, the last one at ${last}.`,
      advice: (): string => 'To have them late rather than never, leave late_limit_seconds out or make it longer.',
    },
    undispatched: {
      found: (id: string, due: string, prompt: string): string => `${id} "${prompt}", due at ${due}, is delivered while its dispatch is not in the log, as after a crash.`,
      advice: (): string => 'Open the session: the dispatch is added, and nothing is sent twice.',
    },
  },
}
