import { describe, expect, it } from 'vitest'
import { atRecord, Log, MINUTE, NOW } from '../../tool-schedule/tests/events.ts'
import { inspectLog } from '../src/cli/log/inspection.ts'
import { isRefusal } from '../src/cli/refusal.ts'
import { en } from '../src/cli/texts/en.ts'
import { frame, framesOf, header, json, run, stored, temporary, textOf, write } from './harness.ts'

interface Report {
  readonly log: { readonly events: number }
  readonly counts: Record<string, number>
  readonly active: readonly { readonly id: string }[]
  readonly timeline: readonly { readonly kind: string; readonly id: string }[]
  readonly problems: readonly Record<string, unknown>[]
}

const inspect = (file: string): Promise<Report & { exit: number }> => json<Report>(['inspect', file])

/** Two reminders, set one after the other: events 0 to 3, lines 2 to 5. */
const two = (): Log => new Log().create(atRecord('r-1', NOW + MINUTE)).plan('r-1').create(atRecord('r-2', NOW + MINUTE)).plan('r-2')
const rows = (log: Log): unknown[] => [header(), ...log.events]

describe('a log that is cut off', () => {
  it('X6 T14 a torn last line is reported, and is no failure', async () => {
    const whole = textOf(rows(two()))
    const found = await inspect(stored(whole.slice(0, -5)))
    expect(found).toMatchObject({ exit: 0, counts: { active: 2, problems: 0 }, log: { events: 3 } })
    expect(found.problems).toMatchObject([{ level: 'note', code: 'torn_tail', line: 5, message: expect.stringContaining('repairs this by itself') as unknown }])
  })

  it('X6 T14 a torn last frame is reported once, and is no failure', async () => {
    const frames = framesOf(rows(two()))
    const bytes = Buffer.concat(frames)
    const found = await inspect(stored(bytes.subarray(0, -6), 'session.jsonl.zstd'))
    expect(found).toMatchObject({ exit: 0, log: { events: 2 }, counts: { active: 1 } })
    expect(found.problems).toMatchObject([{ level: 'note', code: 'torn_tail', line: 4, detail: `byte ${bytes.length - (frames.at(-1)?.length ?? 0)}: unexpected end of file` }])
  })

  it('X6 T14 half a line that is left of a torn frame is no second finding', async () => {
    const log = new Log()
    for (let number = 1; number <= 4000; number += 1) log.create(atRecord(`r-${number}`, NOW + Math.round(Math.abs(Math.sin(number)) * 1e9), String(Math.cos(number))))
    const found = await inspect(stored(Buffer.concat([frame(textOf([header()])), frame(textOf(log.events)).subarray(0, -10)]), 'session.jsonl.zstd'))
    expect(found.log.events).toBeGreaterThan(100)
    expect(found.problems).toMatchObject([{ code: 'torn_tail', line: found.log.events + 2 }])
  })

  it('X6 T14 of a damaged frame on nothing is shown, and what stands before is', async () => {
    const frames = framesOf(rows(two()))
    const last = Buffer.from(frames.at(-1) ?? '')
    last[last.length - 1] = (last.at(-1) ?? 0) ^ 0xff
    const found = await inspect(stored(Buffer.concat([...frames.slice(0, -1), last]), 'session.jsonl.zstd'))
    expect(found).toMatchObject({ exit: 1, counts: { active: 1, problems: 1 } })
    expect(found.problems).toMatchObject([{ level: 'problem', code: 'damaged_data', line: 4 }])
  })

  it('X6 T14 a bad line before a cut is reported beside it', async () => {
    const file = stored(Buffer.concat([frame(textOf([header()])), frame('{}\n'), frame(textOf(two().events)).subarray(0, -6)]), 'session.jsonl.zstd')
    expect((await inspect(file)).problems).toMatchObject([{ code: 'bad_line', line: 2 }, { code: 'torn_tail', line: 2 }])
  })
})

describe('a log with a bad record', () => {
  it('X6 T14 a line that is no event: everything before it is shown, and how much is not', async () => {
    const [first, ...rest] = rows(two()).map((row) => `${JSON.stringify(row)}\n`)
    const found = await inspect(stored([first, ...rest.slice(0, 2), 'garbage\n', ...rest.slice(2)].join('')))
    expect(found).toMatchObject({ exit: 1, counts: { active: 1 } })
    expect(found.problems).toMatchObject([{ code: 'bad_line', line: 4, unread: 2 }])
  })

  it('X6 S8 T14 corrupt reminder events are named with event, line and rule, and nothing after them is concluded', async () => {
    const log = two().create(atRecord('r-1', NOW + MINUTE)).create(atRecord('r-3', NOW + MINUTE))
    const file = stored(textOf(rows(log)))
    expect(await inspect(file)).toMatchObject({
      exit: 1,
      active: [{ id: 'r-1' }, { id: 'r-2' }],
      timeline: [{ id: 'r-1' }, { id: 'r-2' }],
      problems: [{ code: 'corrupt_schedule_log', seq: 4, line: 6, detail: 'id "r-1" is used twice' }],
    })
    expect((await inspect(file)).problems).toEqual([expect.not.objectContaining({ times: expect.anything() as unknown })])
    expect((await run(['inspect', file])).out).toContain('! line 6, event 4: The reminder events break their format: id "r-1" is used twice.')
  })

  it('X7 S8 a change that is not version 1 is one finding where it stops the fold, and another where it does not', async () => {
    const log = two().change({ version: 2 }).change({ version: 3 })
    expect((await inspect(stored(textOf(rows(log))))).problems).toMatchObject([
      { code: 'corrupt_schedule_log', seq: 4, detail: 'version is not 1' },
      { code: 'not_version_1', seq: 5, detail: 'version is not 1' },
    ])
  })

  it('X7 the inherited part of a fork has to be migrated too, though none of it is counted', async () => {
    const log = two().change({ version: 2 }).add('tool/result', { meta: { timekeeper: { v: 2 } } })
    const found = await inspect(stored(textOf([header({ seedLength: 6 }), ...log.events])))
    expect(found).toMatchObject({ exit: 1, timeline: [], problems: [{ code: 'not_version_1', seq: 4 }] })
    expect(found.problems).toHaveLength(1)
  })

  it('X6 T14 facts that cannot be read are named, and the reminders stay', async () => {
    const facts = (list: unknown, v = 1): object => ({ timekeeper: { v, facts: list } })
    const message = { id: 'm', role: 'user', content: [], source: { kind: 'dsh-tool-schedule', ...facts([{ fact: 'delivery', id: 'r-2' }, { fact: 'missed' }]) } }
    const log = two()
      .add('tool/result', { meta: facts([{ fact: 'plan', id: 'r-1', setBy: 'nobody' }, { fact: 'mode', mode: 'off' }]) })
      .add('tool/result', { meta: facts('none') })
      .add('tool/result', { meta: facts([], 2) })
      .add('tool/result', {})
      .add('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [message, { ...message, source: { kind: 'user', ...facts('none') } }] })
    expect(await inspect(stored(textOf(rows(log))))).toMatchObject({
      exit: 1,
      counts: { active: 2 },
      problems: [
        { code: 'unreadable_fact', seq: 4, detail: 'plan r-1' },
        { code: 'unreadable_fact', seq: 5, detail: 'envelope', times: 2 },
        { code: 'unreadable_fact', seq: 8, detail: 'delivery r-2' },
        { code: 'unreadable_fact', seq: 8, detail: 'missed' },
      ],
    })
  })

  it('T14 a result that takes the place of an earlier one, as after a compaction, sets nothing again', async () => {
    const log = two()
    const replaced = (meta: object): object => ({ type: 'tool/result', seq: 4, time: NOW, data: { message: {}, meta }, surfaceOp: { op: 'replace', start: 1, end: 1 } })
    const again = replaced({ timekeeper: { v: 1, facts: [{ fact: 'plan', id: 'r-1', setBy: 'person' }] } })
    expect(await inspect(stored(textOf([...rows(log), again])))).toMatchObject({ problems: [], timeline: [{ id: 'r-1', setBy: 'model' }, {}] })
    expect(await inspect(stored(textOf([...rows(log), replaced({ timekeeper: 'cut' })])))).toMatchObject({ problems: [], exit: 0 })
  })

  it.each([9e15, 1e13, 2e11])('X6 a series every %d seconds has no fires that a calendar could show; what it repeats is still there', async (everySeconds) => {
    const first = Date.parse('8000-01-01T00:00:00Z')
    const log = new Log().series('r-1', { kind: 'every', everySeconds, anchor: '8000-01-01T00:00:00.000Z' }, first).create(atRecord('r-2', NOW + MINUTE)).plan('r-2')
    const file = stored(textOf(rows(log)))
    const found = await inspect(file)
    expect(found.active.map(({ id }) => id)).toEqual(['r-2', expect.stringMatching(/^r-1/)])
    expect(found.problems.every(({ code }) => code === 'unreadable_fact')).toBe(true)
    expect((await run(['inspect', file])).err).toBe('')
  })

  it('X6 an event of another shape than the host writes is left out and named', async () => {
    const log = two()
    const broken = { type: 'user/message', seq: 4, time: NOW, data: null }
    const found = await inspect(stored(textOf([...rows(log), broken, { ...broken, type: 'agent/inbox/spliced', seq: 5 }])))
    expect(found).toMatchObject({ exit: 1, counts: { active: 2 } })
    expect(found.problems).toMatchObject([
      { code: 'unreadable_event', seq: 4, detail: 'user/message' },
      { code: 'foreign_source', seq: 4 },
      { code: 'unreadable_event', seq: 5, detail: 'agent/inbox/spliced' },
    ])
  })

  it('X7 events of a foreign type are counted, not repeated', async () => {
    const log = two().add('acme/note', {}).add('acme/note', {}).add('acme/note', {})
    const file = stored(textOf(rows(log)))
    expect((await inspect(file)).problems).toMatchObject([{ code: 'unknown_type', seq: 4, detail: 'acme/note', times: 3 }])
    expect((await run(['inspect', file])).out).toContain('(3 times)')
  })

  it('T14 a log that a newer host has taken over is still shown, with where the session goes on', async () => {
    const file = stored(textOf(rows(two())))
    write(file.replace('session.jsonl', 'session.v4.jsonl.zstd'), '')
    expect(await inspect(file)).toMatchObject({ exit: 0, problems: [{ level: 'note', code: 'newer_log', detail: 'session.v4.jsonl.zstd' }] })
    expect((await run(['inspect', file])).out).toContain('  - A newer DSH keeps this session on in session.v4.jsonl.zstd')
  })
})

describe('a file that is no log', () => {
  it.each([
    ['an empty file', '', 'not_a_session_log'],
    ['a header that is cut off', JSON.stringify(header()), 'not_a_session_log'],
    ['a first line that is no header', '{"type":"turn/start"}\n', 'not_a_session_log'],
    ['a header without an id', '{"type":"session","version":0}\n', 'not_a_session_log'],
    ['a header without a version', '{"type":"session","id":"x"}\n', 'not_a_session_log'],
    ['bytes that are no text', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xff, 0xff]), 'not_a_session_log'],
    ['a later format', '{"type":"session","version":4,"id":"x"}\n', 'format_unsupported'],
  ])('X6 %s is refused with what to do', async (_, content, code) => {
    const file = stored(content)
    expect(await json(['inspect', file])).toMatchObject({ code, exit: 1, detail: expect.stringContaining(file) as unknown })
  })

  it('X6 a header with members of other kinds is read for what it is', async () => {
    const file = stored('{"type":"session","version":0,"id":"x","cwd":7,"createdAt":"now","parentSession":1,"seedLength":-3}\n')
    expect(await inspect(file)).toMatchObject({ exit: 0, log: { session: 'x', ownFrom: 0, events: 0 } })
    expect((await run(['inspect', file])).out).not.toMatch(/Folder|Created|Fork/)
  })

  it('X6 a file that is gone between two looks is refused by its error', () => {
    const found = inspectLog('/no/such/session.jsonl')
    expect(isRefusal(found) && [found.code, found.detail(en)]).toEqual(['log_unreadable', '/no/such/session.jsonl: ENOENT. Check that it exists and that you may read it.'])
  })

  it('X6 a fault of whoever watches the reading is not taken for one of the file', () => {
    const file = stored(textOf(rows(two())))
    expect(() => inspectLog(file, () => {
      throw new Error('ours')
    })).toThrow('ours')
  })

  it('X6 a folder that must not be read is refused by its error, and a fault of ours is not hidden', async () => {
    const folder = temporary()
    const fails = (error: Error) => ({ now: (): never => { throw error } })
    const closed = Object.assign(new Error('closed'), { code: 'EACCES', syscall: 'scandir', path: '/closed' })
    expect(await json(['inspect', '--home', folder], fails(closed))).toMatchObject({ code: 'log_unreadable', detail: expect.stringContaining('/closed: EACCES') as unknown, exit: 1 })
    await expect(run(['inspect', '--home', folder], fails(new Error('ours')))).rejects.toThrow('ours')
  })

  it('X6 a folder that is no session is not found', async () => {
    const folder = temporary()
    expect(await json(['inspect', folder], { env: { DSH_HOME: folder } })).toMatchObject({ code: 'session_not_found', exit: 1 })
  })
})

describe('hostile text', () => {
  it('X4 control sequences of a prompt, a path or an id never reach the terminal', async () => {
    const evil = 'x\u001b[2J\u202ey\u009b31m'
    const log = new Log().create(atRecord('r-1', NOW + MINUTE, evil)).change({ version: 1, operation: 'delete', id: evil })
    const file = stored(textOf([header({ id: evil, cwd: evil, parentSession: evil }), ...log.events]))
    // oxlint-disable-next-line no-control-regex -- that is what is looked for
    for (const argv of [['inspect', file], ['inspect', file, '--json']]) expect((await run(argv)).out).not.toMatch(/[\u001b\u009b\u202e]/)
  })
})
