import { formatDuration, sayCronNote, sayCronRefusal, type CronNote, type CronRefusal } from 'dsh-time-core'
import { doctorEn } from './doctor-en.ts'

const COMMON_OPTIONS = `  --json         one JSON document for programs, refusals too
  --lang zh|en   language (default: that of the terminal)
  -h, --help     this text

Exit codes: 0 done, 1 refused or a problem found, 2 the command line cannot be understood.`

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Every text of the command line, in English. `detail` arguments are quoted as they came. */
export const en = {
  help: {
    all: `timekeeper: reminders of DeepSeek Harness sessions, from their stored logs. No host has to run.

  timekeeper next <cron> --zone <IANA zone>   when a rule fires
  timekeeper inspect [<log file or session>]  what became of the reminders of a session, and why
  timekeeper doctor                           what is wrong, and what to do about it

  timekeeper <command> --help                 more about a command
${COMMON_OPTIONS}`,
    next: `timekeeper next <cron> --zone <IANA zone> [--after <instant>] [--count <n>]

When a rule fires: five fields in one quoted word, "30 2 * * *" (minute, hour, day of month, month, weekday).
A rule that schedule_create would refuse is refused here with the same code.

  --zone ZONE    where the rule is meant: UTC, Europe/Berlin, Asia/Shanghai, …
  --after TIME   list fires after this instant, such as 2026-03-08T06:30:00Z (default: now)
  --count N      how many, 1 to 100 (default: 5)
${COMMON_OPTIONS}`,
    inspect: `timekeeper inspect [<log file or session id>] [--home <folder>]

What a session's log says: what was planned, delivered, late, missed and why, and what is wrong with the log.
The session is a file (session.jsonl or session.jsonl.zstd), the folder of one, or an id or its beginning.
Without it, the sessions of the home are listed.

  --home DIR     the DSH home (default: DSH_HOME, else ~/.dsh)
${COMMON_OPTIONS}`,
    doctor: `timekeeper doctor [--home <folder>] [--profile <name>] [--browser]

Looks at the machine, the profile, every session log and the wake index, and says what is wrong and what to do about
it. Nothing is written; a host may be running. A note is good to know; a problem is to be acted on (exit code 1).

  --home DIR      the DSH home (default: DSH_HOME, else ~/.dsh)
  --profile NAME  the profile of the home (default: web)
  --browser       compare time zone data with a browser too: prints an address of this machine (on the standard error)
                  and waits until a browser has opened it
${COMMON_OPTIONS}`,
  },
  refusals: {
    invalid_rule: 'The rule is not valid.',
    invalid_time_zone: 'The zone must be UTC or an IANA name such as Europe/Berlin; abbreviations and offsets are not accepted.',
    frequency_too_high: 'Repeat every 300 seconds or less often.',
    no_future_occurrence: 'The rule has no occurrence from then on.',
    usage: 'The command line cannot be understood.',
    home_not_found: 'There is no such DSH home.',
    session_not_found: 'There is no such session.',
    ambiguous_session: 'More than one log is meant.',
    log_unreadable: 'The file cannot be read.',
    not_a_session_log: 'This is not the log of a session.',
    format_unsupported: 'The log has a format that this version does not read.',
    browser_silent: 'No browser has answered.',
    interrupted: 'Stopped before a browser has answered.',
    not_served: 'No page can be served on 127.0.0.1.',
  },
  details: {
    zone: (zone: string): string => `Given: "${zone}".`,
    tooOften: (gap: number, least: number): string => `It can fire ${gap} seconds apart; at least ${least} are allowed.`,
    noneAfter: (instant: string): string => `None after ${instant}.`,
    cron: (refusal: CronRefusal): string => sayCronRefusal(refusal, 'en'),
    unknownOption: (option: string): string => `${option} is not a known option.`,
    foreignOption: (option: string, command: string): string => `${option} has no meaning with ${command}.`,
    twice: (option: string): string => `${option} is given twice.`,
    noValue: (option: string): string => `${option} takes no value.`,
    missingValue: (option: string): string => `${option} needs a value.`,
    language: (word: string): string => `--lang is zh or en, not "${word}".`,
    unknownCommand: (word: string): string => `There is no command "${word}".`,
    noCommand: 'Give a command: next, inspect or doctor.',
    noCron: 'Give a cron expression in quotes: timekeeper next "0 9 * * 1-5" --zone Europe/Berlin',
    manyCronWords: (count: number): string => `The cron expression must be one word, so put it in quotes; ${count} words are given.`,
    noZone: 'Give the zone that the rule is meant in: --zone Europe/Berlin',
    after: (text: string): string => `--after must look like 2026-03-08T06:30:00Z or 2026-03-08T01:30:00-05:00, not "${text}".`,
    count: (text: string, most: number): string => `--count must be a whole number from 1 to ${most}, not "${text}".`,
    noWords: (command: string, word: string): string => `${command} takes no words, only options; "${word}" is given.`,
    profile: (name: string): string => `--profile must be the name of a folder in profiles/, not "${name}".`,
    manyTargets: (count: number): string => `Give one log file or session, not ${count}.`,
    noHome: (path: string): string => `${path} does not exist. Name the home with --home, or set DSH_HOME.`,
    noSession: (target: string, home: string): string => `"${target}" is neither a file nor a session in ${home}. List the sessions with: timekeeper inspect --home ${home}`,
    ambiguous: (paths: readonly string[]): string => `Give one of these files: ${paths.join(' , ')}`,
    unreadable: (path: string, code: string): string => `${path}: ${code}. Check that it exists and that you may read it.`,
    noHeader: (path: string): string => `${path} does not begin with a session header. Give a session.jsonl or session.jsonl.zstd of a DSH home.`,
    format: (path: string, format: number): string => `${path} has format ${format}; this version reads format 0, of DSH 0.1. Use a newer timekeeper.`,
    browserSilent: (limit: string): string => `Nothing was compared within ${limit}. Run it again, and open the address that it prints in a browser of this machine; without --browser, doctor does not wait for one.`,
    interrupted: 'Nothing was compared. Without --browser, doctor does not wait for a browser.',
    notServed: (code: string): string => `Listening on 127.0.0.1 fails with ${code}. Run it outside of the sandbox that forbids it, or without --browser.`,
  },
  fires: {
    moved: (from: string, to: string): string => `moved: the clocks skip ${from}, it fires at ${to}`,
    skipped: (lost: string, count: number): string => `skipped before it: the clocks skip ${lost}${count > 1 ? ` and ${count - 1} more` : ''}`,
    repeatedOnce: 'repeated: this local time occurs twice, it fires the first time only',
    repeatedBoth: 'repeated: this local time occurs twice, it fires both times',
    note: (note: CronNote): string => `Note: ${sayCronNote(note, 'en')}`,
  },
  weekdays: { 1: 'Mon', 2: 'Tue', 3: 'Wed', 4: 'Thu', 5: 'Fri', 6: 'Sat', 7: 'Sun' },
  reasons: {
    'host-down': 'the host was not running',
    'not-open': 'the session was not open',
    suspended: 'the machine slept or was blocked, or its clock was set forward',
    busy: 'the agent was busy',
    persistence: 'the log could not be confirmed as stored',
    paused: 'the series waited for a person to write',
  },
  problems: {
    torn_tail: (detail: string): string => `The end is cut off (${detail}): the host was killed, or is writing now. It repairs this by itself.`,
    newer_log: (file: string): string => `A newer DSH keeps this session on in ${file}; this file is what it was before.`,
    damaged_data: (detail: string): string => `The bytes from here on cannot be decompressed (${detail}). Restore the file from a backup; what stands before is shown.`,
    bad_line: (detail: string): string => `This line is not an event (${detail}). The host does not read past it; restore the file from a backup.`,
    seq_gap: (detail: string): string => `The numbering of the events breaks off (${detail}). The host does not read past it; restore the file from a backup.`,
    unreadable_event: (type: string): string => `An event ${type} has not the shape that the host writes, so it is left out.`,
    corrupt_schedule_log: (rule: string): string => `The reminder events break their format: ${rule}. Nothing after it is concluded; set the reminders again in a new session.`,
    unreadable_fact: (fact: string): string => `A fact (${fact}) cannot be read and is left out; the reminder itself stays.`,
    unknown_type: (type: string): string => `Events of type ${type} are not known to DSH, so it cannot open this session. Another plugin has written them.`,
    ignorable_type: (type: string): string => `Events of type ${type} are not known to DSH: this one skips them, a later DSH will refuse to take the session over.`,
    not_version_1: (rule: string): string => `A reminder event is not exactly version 1 (${rule}): a later DSH will refuse to take the session over.`,
    foreign_source: (detail: string): string => `A message has a source that a later DSH refuses (${detail}).`,
    foreign_member: (detail: string): string => `A member (${detail}) is not part of the format: a later DSH will refuse to take the session over.`,
  },
  doctor: doctorEn,
  duration: (ms: number): string => formatDuration(ms),
  words: {
    comma: ', ',
    and: ' and ',
    seeHelp: (command: string | undefined): string => `Help: timekeeper ${command === undefined ? '' : `${command} `}--help`,
    session: 'Session',
    folder: 'Folder',
    created: 'Created',
    fork: 'Fork',
    forkOf: (parent: string, from: number): string => `of ${parent}; only its own part is counted, from event ${from} on`,
    zone: 'Zone',
    noZone: 'unavailable: no first request, or it named none',
    log: 'Log',
    events: (count: number): string => counted(count, 'event'),
    waiting: (count: number): string => `Waiting (${count})`,
    series: 'Series',
    queued: 'Queued, but its dispatch is not in the log',
    timeline: 'Timeline (UTC, then local)',
    problems: 'About the log',
    noReminders: 'No reminder was ever set in this session.',
    states: { scheduled: 'scheduled', overdue: 'overdue', paused: 'paused', active: 'active', ended: 'ended', cancelled: 'cancelled' },
    stateHints: { overdue: 'It is delivered when the session is opened.', paused: 'It goes on when a person writes in the session.' },
    kinds: { set: 'set', planned: 'planned', delivered: 'delivered', missed: 'missed', replaced: 'replaced', cancelled: 'cancelled' },
    setBy: { model: 'set by the model', person: 'set by a person' },
    noPlan: 'no further details in the log',
    unattended: 'in a turn that no person started',
    snoozeOf: (id: string): string => `snooze of ${id}`,
    replaces: (id: string): string => `in place of ${id}`,
    lateLimit: (text: string): string => `missed if more than ${text} late`,
    wake: 'opens the session by itself',
    every: (text: string): string => `every ${text}`,
    until: (text: string): string => `until ${text}`,
    times: (count: number): string => counted(count, 'time'),
    delivered: (count: number): string => `${count} delivered`,
    missed: (count: number): string => `${count} missed`,
    unanswered: (count: number): string => `${count} unanswered`,
    next: 'next',
    due: (text: string): string => `due ${text}`,
    queuedHint: 'The message waits in the inbox; the dispatch is added when the session is opened, and nothing is sent twice.',
    takenHint: 'A turn has taken the message; the dispatch is added when the session is opened, and nothing is sent twice.',
    late: (text: string, why: string): string => `${text} late: ${why}`,
    onTime: 'on time',
    reasonUnknown: 'no reason was recorded',
    last: 'the last one',
    line: (line: number): string => `line ${line}`,
    event: (seq: number): string => `event ${seq}`,
    unread: (lines: number): string => `(${counted(lines, 'line')} after it not read)`,
    repeated: (times: number): string => `(${times} times)`,
    sessionsOf: (home: string, count: number): string => `${counted(count, 'session')} in ${home}`,
    noSessions: (home: string): string => `No sessions are stored in ${home} yet.`,
    inspectHint: 'More about one: timekeeper inspect <session>',
    active: (count: number): string => `${count} active`,
    overdue: (count: number): string => `${count} overdue`,
    paused: (count: number): string => `${count} paused`,
    problemCount: (count: number): string => counted(count, 'problem'),
  },
}

/** All texts of one language; a translation that lacks one does not compile. */
export type Texts = typeof en
