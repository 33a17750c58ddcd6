import { describe, expect, it, vi } from 'vitest'
import { delivered, quiet, until } from './harness.ts'
import { at, mounting, pass, rows, set, stored } from './series-harness.ts'

const mounted = mounting()

describe('hours in which nobody wants to be disturbed', () => {
  const EVENING = '2026-10-09T10:30:00.000Z' // 18:30 in Shanghai

  it('B64 a rule that leaves the night out comes at its last hour, and next at its first', async () => {
    at(EVENING)
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'drink', cron: '0 10-20 * * *', time_zone: 'Asia/Shanghai' })
    await pass(agent, Date.parse('2026-10-09T11:00:01.000Z') - Date.now())
    await pass(agent, 3_600_000)
    expect(rows(agent).map((row) => row['due'])).toEqual([expect.stringContaining('T19:00:00+08:00'), expect.stringContaining('T20:00:00+08:00')])
    await pass(agent, Date.parse('2026-10-10T01:59:59.000Z') - Date.now())
    expect(rows(agent)).toHaveLength(2)
    await pass(agent, 2000)
    expect(rows(agent).slice(2)).toMatchObject([{ due: expect.stringContaining('2026-10-10T10:00:00+08:00') }])
  })

  it('B64 of an hourly rule one delivery is left of a night in which nothing could be delivered, and tells that it stands for others', async () => {
    at(EVENING)
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'drink', cron: '0 * * * *', time_zone: 'Asia/Shanghai' })
    await host.ctx.sessions.flush(agent.session)
    const second = await mounted({ root: host.root })
    vi.setSystemTime(Date.parse('2026-10-10T02:00:01.000Z'))
    const again = await second.resume('one')
    await until(() => delivered(again).length > 0, 'the delivery of the morning')
    await quiet(again)
    expect(rows(again)).toMatchObject([{ due: expect.stringContaining('2026-10-10T10:00:00+08:00'), skipped: true }])
    expect(stored(again).at(-1)).toBe('create r-1.2 2026-10-10T03:00:00.000Z')
  })
})
