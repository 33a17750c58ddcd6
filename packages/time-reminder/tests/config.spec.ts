import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import FileSettings from '@deepseek-ai/dsh-settings-file'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Config, readConfig } from '../src/config.ts'
import { mountClock, places, type Agent, type ClockHost } from './harness.ts'

let host: ClockHost | undefined
afterEach(async () => {
  await host?.dispose()
  host = undefined
})

describe('the config of the row', () => {
  it('R27 has a default for everything but the zone', () => {
    expect(Config({} as never)).toEqual({ defaultMode: 'cron', cron: '0 0 * * *', fineIntervalMs: 0, gapMinutes: 30, reading: 'full', counterNotice: 'inject', pendingTable: true })
    expect(readConfig(Config({} as never))).toMatchObject({ defaultMode: 'cron', cron: { text: '0 0 * * *' }, timeZone: undefined, fineIntervalMs: 0, gapMs: 1_800_000, reading: 'full', counterNotice: 'inject' })
  })

  it.each([
    ['defaultMode', 'hourly'],
    ['cron', 5],
    ['cron', '61 * * * *'],
    ['cron', '0 0 30 2 *'],
    ['timeZone', 8],
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', 'CST'],
    ['fineIntervalMs', -1],
    ['fineIntervalMs', 0.5],
    ['fineIntervalMs', Infinity],
    ['fineIntervalMs', NaN],
    ['gapMinutes', 0],
    ['gapMinutes', NaN],
    ['gapMinutes', Infinity],
    ['reading', 'long'],
    ['counterNotice', 'shout'],
    ['pendingTable', 'yes'],
    ['pendingPath', 7],
    ['pendingPath', ' '],
    ['pendingPath', '/'],
    ['pendingPath', 'a\0b'],
  ])('R27 a bad %s (%j) stops the load and names the key', async (key, bad) => {
    await expect(mountClock({ persistence: false, config: { [key]: bad } }).then((mounted) => (host = mounted))).rejects.toThrow(key)
  })

  it('R27 says what is wrong with a value that means nothing', () => {
    expect(() => readConfig({ ...Config({} as never), cron: '0 0 30 2 *' })).toThrow('time-reminder: the config value cron is not valid. The day-of-month field "30" never occurs in month "2".')
  })
})

describe('the section of the settings document', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'timekeeper-settings-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (section: Record<string, unknown>): void => writeFileSync(join(folder, 'settings.yaml'), JSON.stringify({ 'dsh-time-reminder': section }))

  async function mount(): Promise<Agent> {
    host = await mountClock({ persistence: false, config: { defaultMode: 'off' } })
    await host.ctx.plugin(FileSettings, { path: join(folder, 'settings.yaml'), watch: false, debounceMs: 0 })
    return host.create('one')
  }

  it('R27 lies over the row, and a change counts from the next step on', async () => {
    write({ cron: '0 9 * * *' })
    const agent = await mount()
    await host!.type(agent, 'nothing yet')
    expect(places(agent)).toEqual([])
    await host!.ctx.get('settings')!.update('dsh-time-reminder' as never, { defaultMode: 'turn' })
    await host!.type(agent, 'now')
    expect(places(agent)).toEqual(['2.1'])
  })

  it('R27 a change that means nothing is refused with the name of the key, and the last good one stays', async () => {
    const agent = await mount()
    const settings = host!.ctx.get('settings')!
    await settings.update('dsh-time-reminder' as never, { defaultMode: 'turn' })
    await expect(settings.update('dsh-time-reminder' as never, { defaultMode: 'fine', timeZone: 'Mars/Olympus' })).rejects.toThrow('timeZone')
    await host!.type(agent, 'go on')
    expect(places(agent)).toEqual(['1.1'])
  })

  it('R27 the row decides again when the host gives the settings up', async () => {
    host = await mountClock({ persistence: false, config: { defaultMode: 'off' } })
    write({ defaultMode: 'turn' })
    const fiber = host.ctx.plugin(FileSettings, { path: join(folder, 'settings.yaml'), watch: false, debounceMs: 0 })
    await fiber
    const agent = await host.create('one')
    await host.type(agent, 'one')
    await fiber.dispose()
    await host.type(agent, 'two')
    expect(places(agent)).toEqual(['1.1'])
  })
})
