import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { atRecord, HOUR, Log, MINUTE, NOW } from '../../tool-schedule/tests/events.ts'
import { framesOf, header, json, LATER, run, temporary, textOf, write } from './harness.ts'

interface List {
  readonly home: string
  readonly sessions: readonly Record<string, unknown>[]
}

const pending = (): Log => new Log().create(atRecord('r-1', NOW + MINUTE)).plan('r-1').create(atRecord('r-2', LATER + HOUR)).plan('r-2')

/** A home with an older compressed session, a newer plain one, and things that are no sessions. */
function home(): string {
  const folder = temporary()
  const older = [header({ id: 'session-a', createdAt: NOW - HOUR }), ...pending().events]
  write(join(folder, 'sessions/--work--/session-a/session.jsonl.zstd'), Buffer.concat(framesOf(older)))
  write(join(folder, 'sessions/_no-cwd/session-b/session.jsonl'), textOf([header({ id: 'session-b', cwd: undefined })]))
  write(join(folder, 'sessions/--work--/empty/other.txt'), 'x')
  write(join(folder, 'sessions/stray.txt'), 'x')
  return folder
}

describe('the sessions of a home', () => {
  it('T14 without a target all are listed, the newest first, with what is active and overdue', async () => {
    const folder = home()
    const list = await json<List>(['inspect', '--home', folder])
    expect(list).toMatchObject({ home: folder, exit: 0 })
    expect(list.sessions).toMatchObject([
      { session: 'session-b', active: 0, overdue: 0, problems: 0 },
      { session: 'session-a', cwd: '/work', createdAt: '2026-10-09T00:00:00Z', active: 2, overdue: 1, paused: 0, problems: 0 },
    ])
  })

  it('T14 for people', async () => {
    const folder = home()
    const { out } = await run(['inspect', '--home', folder])
    expect(out).toContain(`2 sessions in ${folder}`)
    expect(out).toContain('session-a\n  2 active, 1 overdue\n  2026-10-09T00:00:00Z  /work')
    expect(out).toContain('More about one: timekeeper inspect <session>')
    expect((await run(['inspect', '--home', folder, '--lang', 'zh'])).out).toContain('2 个进行中，1 个已过期')
  })

  it('X6 one log that cannot be read says so, and stops none of the others', async () => {
    const folder = home()
    write(join(folder, 'sessions/--work--/session-c/session.jsonl'), 'garbage\n')
    write(join(folder, 'sessions/_no-cwd/session-e/session.jsonl'), textOf([header({ id: 'session-e', cwd: undefined, createdAt: undefined })]))
    write(join(folder, 'sessions/--work--/session-d/session.jsonl'), textOf([header({ id: 'session-d' }), ...new Log().add('acme/x', {}).series('r-1', { kind: 'every', everySeconds: 300, anchor: '2026-10-09T01:05:00.000Z' }, NOW + 5 * MINUTE).events]))
    const list = await json<List>(['inspect', '--home', folder])
    expect(list.exit).toBe(1)
    expect(list.sessions).toHaveLength(5)
    expect(list.sessions).toContainEqual({ session: 'session-c', path: expect.stringContaining('session-c') as unknown, error: { code: 'not_a_session_log', message: expect.any(String) as unknown, detail: expect.stringContaining('session-c') as unknown } })
    const { code, out } = await run(['inspect', '--home', folder])
    expect(code).toBe(1)
    expect(out).toContain('session-c\n  ! This is not the log of a session.')
    expect(out).toContain('1 active, 1 overdue, 1 problem')
    expect(out).toContain(`session-e\n  0 active\n  ${join(folder, 'sessions/_no-cwd/session-e/session.jsonl')}`)
  })

  it('T14 T8 a paused series is counted as such', async () => {
    const folder = temporary()
    const log = new Log().series('r-1', { kind: 'every', everySeconds: 300, anchor: '2026-10-09T01:05:00.000Z' }, NOW + 5 * MINUTE)
    for (let number = 1; number <= 10; number += 1) log.dispatch(`r-1.${number}`).create(atRecord(`r-1.${number + 1}`, NOW + HOUR))
    write(join(folder, 'sessions/p/s/session.jsonl'), textOf([header(), ...log.events]))
    expect((await run(['inspect', '--home', folder])).out).toContain('1 active, 1 paused')
  })

  it('T14 a home in which nothing was stored yet is no failure', async () => {
    const folder = temporary()
    expect(await run(['inspect', '--home', folder])).toEqual({ code: 0, err: '', out: `No sessions are stored in ${folder} yet.` })
    expect((await run(['inspect', '--home', folder, '--lang', 'zh'])).out).toContain('还没有保存的会话')
  })

  it('T14 a home that does not exist is refused with what to do', async () => {
    expect(await json(['inspect', '--home', '/no/such/home'])).toMatchObject({ code: 'home_not_found', detail: '/no/such/home does not exist. Name the home with --home, or set DSH_HOME.', exit: 1 })
  })
})

describe('which home', () => {
  it.each([
    ['--home, relative to where one stands', ['--home', 'x'], { DSH_HOME: '/other' }, '/here/x'],
    ['--home with a ~ that no shell has expanded', ['--home=~/x'], {}, '/me/x'],
    ['DSH_HOME', [], { DSH_HOME: '/set' }, '/set'],
    ['DSH_HOME with a ~', [], { DSH_HOME: '~' }, '/me'],
    ['~/.dsh when DSH_HOME is blank', [], { DSH_HOME: '  ' }, '/me/.dsh'],
    ['~/.dsh when nothing is set', [], {}, '/me/.dsh'],
  ])('T14 %s', async (_, argv, env, path) => {
    const { detail } = await json<{ detail: string }>(['inspect', ...argv], { env, cwd: '/here', userHome: '/me' })
    expect(detail).toContain(`${path} does not exist`)
  })
})

describe('which session', () => {
  const found = async (target: string, folder: string, cwd = '/'): Promise<unknown> => {
    const answer = await json<{ log?: { session: string }; code?: string; detail?: string }>(['inspect', target, '--home', folder], { cwd })
    return answer.log?.session ?? answer.code
  }

  it.each([
    ['an id', 'session-a', 'session-a'],
    ['the beginning of an id', 'session-b', 'session-b'],
    ['a beginning of two ids', 'session-', 'ambiguous_session'],
    ['an id that is not there', 'session-x', 'session_not_found'],
    ['something that is no path', 'a\0b', 'session_not_found'],
    ['an empty word', '', 'ambiguous_session'],
  ])('T14 by %s', async (_, target, expected) => {
    expect(await found(target, home())).toBe(expected)
  })

  it('T14 an exact id wins over longer ones that begin with it', async () => {
    const folder = home()
    write(join(folder, 'sessions/--work--/session-a2/session.jsonl'), textOf([header({ id: 'session-a2' })]))
    expect(await found('session-a', folder)).toBe('session-a')
  })

  it('T14 an id with characters that the host escapes in folder names', async () => {
    const folder = temporary()
    write(join(folder, 'sessions/p/a~002Fb~4E2D/session.jsonl'), textOf([header({ id: 'a/b中' })]))
    expect(await found('a/b中', folder)).toBe('a/b中')
  })

  it('T14 by a file or a folder, from where one stands', async () => {
    const folder = home()
    expect(await found('session.jsonl', '/', join(folder, 'sessions/_no-cwd/session-b'))).toBe('session-b')
    expect(await found('sessions/--work--/session-a', '/', folder)).toBe('session-a')
  })

  it('T14 two logs of one session are not chosen between', async () => {
    const folder = home()
    write(join(folder, 'sessions/_no-cwd/session-b/session.jsonl.zstd'), '')
    const { code, detail } = await json<{ code: string; detail: string }>(['inspect', 'session-b', '--home', folder])
    expect(code).toBe('ambiguous_session')
    expect(detail).toContain('session.jsonl.zstd')
    expect(await json(['inspect', join(folder, 'sessions/_no-cwd/session-b')])).toMatchObject({ code: 'ambiguous_session' })
    expect((await run(['inspect', 'session-b', '--home', folder, '--lang', 'zh'])).err).toContain('请给出其中一个文件')
  })

  it('T14 an id is looked for in a home that exists', async () => {
    expect(await found('session-a', '/no/such/home')).toBe('home_not_found')
  })

  it('X6 a folder that cannot be listed is refused by its error', async () => {
    const folder = temporary()
    symlinkSync('loop', join(folder, 'loop'))
    expect(await found(join(folder, 'loop'), folder)).toBe('session_not_found')
  })
})
