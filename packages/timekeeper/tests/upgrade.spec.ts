import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../src/cli/log/event-types.ts'
import { readChange } from '../src/cli/log/change.ts'
import { obstacles } from '../src/cli/log/upgrade.ts'

const check = (type: string, data: unknown): unknown => obstacles({ type, seq: 0, time: 0, data })
const create = (record: object): object => ({ version: 1, operation: 'create', schedule: { id: 'r-1', kind: 'at', prompt: 'x', scheduledAt: '2026-10-09T01:00:00.000Z', ...record } })
const ours = { kind: 'dsh-tool-schedule', form: 'notice', summary: 'x', timekeeper: { v: 1, facts: [] } }

describe('what a later host takes over', () => {
  it('X7 the known types are exactly those of the host', async () => {
    const resolve = createRequire(new URL('../../tool-schedule/package.json', import.meta.url))
    const host = (await import(pathToFileURL(resolve.resolve('@deepseek-ai/dsh-session')).href)) as { KNOWN_SESSION_EVENT_TYPES: ReadonlySet<string> }
    expect([...EVENT_TYPES].toSorted()).toEqual([...host.KNOWN_SESSION_EVENT_TYPES].toSorted())
  })

  it.each([
    ['turn/start', {}],
    ['schedule/change', create({})],
    ['schedule/change', { version: 1, operation: 'dispatch', id: 'r-1' }],
    ['user/message', { source: ours }],
    ['user/message', { source: { kind: 'user', rpcId: 'x' } }],
    ['user/message', { source: { kind: 'pluginesque', anything: 1 } }],
    ['user/message', { source: { kind: 'plugin', plugin: 'time-context', form: 'snapshot', sections: [] } }],
    ['user/message', { source: { kind: 'plugin', plugin: 'goal', form: 'notice', summary: 'x' } }],
    ['agent/inbox/spliced', { inserted: [{ source: ours }] }],
    ['agent/inbox/spliced', {}],
    ['tool/result', { message: {}, meta: { any: 'thing' } }],
    ['tool/result', { error: { name: 'x', code: 'y' } }],
  ])('X7 %s %j can be migrated', (type, data) => {
    expect(check(type, data)).toEqual([])
  })

  it.each([
    ['own/event', {}, 'unknown_type', 'own/event'],
    ['schedule/change', create({ zone: 'UTC' }), 'not_version_1', 'member "zone" is not part of version 1'],
    ['schedule/change', { version: 2 }, 'not_version_1', 'version is not 1'],
    ['schedule/change', null, 'not_version_1', 'schedule/change is not an object'],
    ['user/message', null, 'foreign_source', 'no kind'],
    ['user/message', { source: { kind: '' } }, 'foreign_source', 'no kind'],
    ['user/message', { source: { kind: 'plugin', plugin: 'dsh-time-reminder', form: 'notice', summary: 'x' } }, 'foreign_source', 'dsh-time-reminder under the kind plugin'],
    ['user/message', { source: { kind: 'plugin:dsh-tool-schedule' } }, 'foreign_source', 'dsh-tool-schedule under the kind plugin:dsh-tool-schedule'],
    ['user/message', { source: { kind: 'plugin', plugin: 'x', ticket: 7 } }, 'foreign_member', 'source.ticket'],
    ['user/message', { source: { kind: 'plugin', plugin: 'x', form: 'notice', sections: [] } }, 'foreign_member', 'source.sections'],
    ['agent/inbox/spliced', { inserted: [{ source: ours }, {}] }, 'foreign_source', 'no kind'],
    ['tool/result', { error: { name: 'x', code: 'y', more: 1 } }, 'foreign_member', 'error'],
    ['tool/result', { error: 'x' }, 'foreign_member', 'error'],
  ])('X7 %s %j is refused', (type, data, code, detail) => {
    expect(check(type, data)).toEqual([{ code, detail }])
  })

  it('X7 a foreign type that may be skipped today is refused later all the same', () => {
    expect(obstacles({ type: 'own/event', seq: 0, time: 0, data: {}, ignorable: true })).toEqual([{ code: 'ignorable_type', detail: 'own/event' }])
  })

  it('X6 what is thrown for another reason is not taken for a broken rule', () => {
    const fault = new Error('a fault of ours')
    const data = {
      get version(): number {
        throw fault
      },
    }
    expect(() => readChange(data)).toThrow(fault)
  })
})
