import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { json, LATER, run } from './harness.ts'

interface Fire {
  readonly utc: string
  readonly local: string
  readonly zone: string
  readonly note?: string
}

const fires = async (cron: string, zone: string, after: string, ...more: string[]): Promise<Fire[]> => (await json<{ fires: Fire[] }>(['next', cron, '--zone', zone, '--after', after, ...more])).fires

describe('timekeeper next', () => {
  it('T14 T3 previews a daily rule across the spring change, with what was moved', async () => {
    expect(await fires('30 2 * * *', 'America/New_York', '2026-03-08T06:30:00Z', '--count', '3')).toEqual([
      { utc: '2026-03-08T07:00:00Z', local: '2026-03-08T03:00:00-04:00', zone: 'America/New_York', note: 'moved: the clocks skip 02:30, it fires at 03:00' },
      { utc: '2026-03-09T06:30:00Z', local: '2026-03-09T02:30:00-04:00', zone: 'America/New_York' },
      { utc: '2026-03-10T06:30:00Z', local: '2026-03-10T02:30:00-04:00', zone: 'America/New_York' },
    ])
  })

  it('T14 the answer holds nothing but the fires', async () => {
    expect(Object.keys(await json(['next', '0 9 * * *', '--zone', 'UTC']))).toEqual(['fires', 'exit'])
  })

  it.each([
    ['a fixed time in a gap is moved', '0 9 * * *', 'Pacific/Apia', '2011-12-29T20:00:00Z', '2011-12-30T10:00:00Z', 'moved: the clocks skip 2011-12-30 09:00, it fires at 00:00'],
    ['an hourly rule skips the lost hour', '30 * * * *', 'America/New_York', '2026-03-08T06:30:00Z', '2026-03-08T07:30:00Z', 'skipped before it: the clocks skip 02:30'],
    ['more than one time is lost', '*/15 * * * *', 'America/New_York', '2026-03-08T06:45:00Z', '2026-03-08T07:00:00Z', 'skipped before it: the clocks skip 02:00 and 3 more'],
    ['a fixed time fires in the first pass', '30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', '2026-11-01T05:30:00Z', 'repeated: this local time occurs twice, it fires the first time only'],
    ['an interval fires in both passes', '*/30 * * * *', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T06:00:00Z', 'repeated: this local time occurs twice, it fires both times'],
    ['a change of half an hour', '10 2 * * *', 'Australia/Lord_Howe', '2026-10-02T16:00:00Z', '2026-10-03T15:30:00Z', 'moved: the clocks skip 02:10, it fires at 02:30'],
  ])('T3 %s', async (_, cron, zone, after, utc, note) => {
    expect(await fires(cron, zone, after, '--count', '1')).toMatchObject([{ utc, note }])
  })

  it('T2 every 300 seconds is not too often', async () => {
    expect((await fires('*/5 * * * *', 'UTC', '2026-03-08T00:00:00Z', '--count', '2')).map(({ utc }) => utc)).toEqual(['2026-03-08T00:05:00Z', '2026-03-08T00:10:00Z'])
  })

  it('T3 what was skipped before the first instant asked for is not told', async () => {
    expect(await fires('30 * * * *', 'America/New_York', '2026-03-08T07:10:00Z', '--count', '1')).toEqual([{ utc: '2026-03-08T07:30:00Z', local: '2026-03-08T03:30:00-04:00', zone: 'America/New_York' }])
  })

  it('T3 a time in the second pass that a fixed rule leaves out is not called skipped', async () => {
    expect(await fires('50 1 * * *', 'America/New_York', '2026-11-01T06:10:00Z', '--count', '1')).toEqual([{ utc: '2026-11-02T06:50:00Z', local: '2026-11-02T01:50:00-05:00', zone: 'America/New_York' }])
  })

  it('T3 a fire on an ordinary day has no note, whatever the zone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('UTC', 'Asia/Shanghai', 'Asia/Kathmandu', 'Pacific/Chatham'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), async (zone, hour, minute) => {
        const [fire] = await fires(`${minute} ${hour} * * *`, zone, '2026-07-01T00:00:00Z', '--count', '1')
        expect(fire).not.toHaveProperty('note')
        expect(Date.parse(fire?.local ?? '')).toBe(Date.parse(fire?.utc ?? ''))
      }),
    )
  })

  it.each([
    ['T2 a date that never comes', '0 0 30 2 *', 'UTC', 'no_future_occurrence'],
    ['T2 more often than every 300 seconds', '*/4 * * * *', 'UTC', 'frequency_too_high'],
    ['T2 too often across a clock change only', '0,57 2,3 * * *', 'America/New_York', 'frequency_too_high'],
    ['B23 no cron at all', 'not a cron', 'UTC', 'invalid_rule'],
    ['B23 six fields', '0 0 9 * * *', 'UTC', 'invalid_rule'],
    ['B21 an extension that is not supported', '0 5 LW * *', 'UTC', 'invalid_rule'],
    ['B12 an abbreviation', '0 9 * * *', 'CST', 'invalid_time_zone'],
    ['B12 an offset', '0 9 * * *', '+08:00', 'invalid_time_zone'],
  ])('%s is refused with its code', async (_, cron, zone, code) => {
    const refusal = await json(['next', cron, `--zone=${zone}`])
    expect(refusal).toEqual({ code, message: expect.stringMatching(/./) as unknown, detail: expect.stringMatching(/./) as unknown, exit: 1 })
  })

  it('T2 a rule whose last fire has passed is refused, and the instant is named', async () => {
    expect(await json(['next', '0 0 1 1 *', '--zone', 'UTC', '--after', '9999-06-01T00:00:00Z'])).toMatchObject({ code: 'no_future_occurrence', detail: 'None after 9999-06-01T00:00:00Z.', exit: 1 })
  })

  it('T14 without --after it begins now, and lists five', async () => {
    const { fires: found } = await json<{ fires: Fire[] }>(['next', '0 * * * *', '--zone', 'Asia/Shanghai'])
    expect(found.map(({ utc }) => Date.parse(utc))).toEqual([1, 2, 3, 4, 5].map((hours) => LATER + hours * 3_600_000))
  })

  it('T14 lists a hundred when a hundred are asked for', async () => {
    expect(await fires('0 9 * * *', 'UTC', '2026-01-01T00:00:00Z', '--count', '100')).toHaveLength(100)
  })
})

describe('timekeeper next for people', () => {
  it('T14 B24 shows UTC, local time and weekday, and what is easily misread', async () => {
    expect(await run(['next', '0 0 1,31 * 5', '--zone', 'Asia/Shanghai', '--after', '2026-10-08T00:00:00Z', '--count', '2'])).toEqual({
      code: 0,
      err: '',
      out: [
        '0 0 1,31 * 5  Asia/Shanghai',
        '  2026-10-08T16:00:00Z  2026-10-09T00:00:00+08:00 Fri',
        '  2026-10-15T16:00:00Z  2026-10-16T00:00:00+08:00 Fri',
        'Note: Day 31 is skipped in months without it; L means the last day of every month.',
        'Note: Day of month (1,31) and weekday (5) are both given: a date that matches either one counts.',
      ].join('\n'),
    })
  })

  it('T14 speaks Chinese', async () => {
    const { out } = await run(['next', '30 2 * * *', '--zone', 'America/New_York', '--after', '2026-03-08T06:30:00Z', '--count', '1', '--lang', 'zh'])
    expect(out).toBe('30 2 * * *  America/New_York\n  2026-03-08T07:00:00Z  2026-03-08T03:00:00-04:00 周日  顺延：时钟跳过 02:30，改在 03:00 触发')
  })

  it.each([
    ['skipped', '*/15 * * * *', '2026-03-08T06:45:00Z', '此前跳过：时钟跳过 02:00 等 4 次'],
    ['skipped once', '30 * * * *', '2026-03-08T06:30:00Z', '此前跳过：时钟跳过 02:30'],
    ['repeated once', '30 1 * * *', '2026-10-31T12:00:00Z', '重复：这个当地时间出现两次，只在第一次触发'],
    ['repeated both', '*/30 * * * *', '2026-11-01T05:30:00Z', '重复：这个当地时间出现两次，两次都触发'],
  ])('T14 %s in Chinese', async (_, cron, after, note) => {
    expect((await run(['next', cron, '--zone', 'America/New_York', '--after', after, '--count', '1', '--lang', 'zh'])).out).toContain(note)
  })

  it.each([
    ['B17', '*/45 * * * *', '注意：分钟字段 */45 表示在每小时的 :00、:45 触发，并不是每 45 分钟一次。'],
    ['B15 B25', '0 0 1,31 * 5', '注意：没有 31 号的月份会跳过；L 表示每月最后一天。\n注意：日期（1,31）和星期（5）同时给出：符合其中一个就算。'],
    ['B16', '0 9 13 * */5', '注意：日期（13）和星期（*/5）必须同时符合，因为其中一个以 * 开头。'],
  ])('T14 T3 %s what is easily misread in %s is said in Chinese', async (_, cron, notes) => {
    const { out } = await run(['next', cron, '--zone', 'UTC', '--after', '2026-10-08T00:00:00Z', '--count', '1', '--lang', 'zh'])
    expect(out.split('\n').slice(2).join('\n')).toBe(notes)
  })

  it.each([
    ['en', 'timekeeper: The rule is not valid. (invalid_rule)\n  The minute field cannot read "60": allowed are 0 to 59.'],
    ['zh', 'timekeeper: 规则无效。 (invalid_rule)\n  分钟字段无法读取 "60"：可以写 0 到 59。'],
  ])('T14 a refusal in %s goes to the standard error', async (lang, err) => {
    expect(await run(['next', '60 * * * *', '--zone', 'UTC', '--lang', lang])).toEqual({ code: 1, out: '', err })
  })

  it.each([
    [['next', '*/4 * * * *', '--zone', 'UTC'], '两次触发最短相隔 240 秒；至少要 300 秒。'],
    [['next', '0 9 * * *', '--zone', 'CST'], '给出的是“CST”。'],
    [['next', '@daily', '--zone', 'UTC'], '不支持宏 "@DAILY"，请写五个字段。'],
    [['next', '0 0 30 2 *', '--zone', 'UTC'], '日期字段 "30" 在月份 "2" 中永远不会出现。'],
    [['next', '0 0 1 1 *', '--zone', 'UTC', '--after', '9999-06-01T00:00:00Z'], '9999-06-01T00:00:00Z 之后没有。'],
  ])('T14 %j is refused in Chinese', async (argv, detail) => {
    expect((await run([...argv, '--lang', 'zh'])).err).toContain(detail)
  })
})
