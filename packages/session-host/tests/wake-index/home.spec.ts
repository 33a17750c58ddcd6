import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wakeIndexPath } from '../../src/wake-index/home.ts'

describe('path of the wake index', () => {
  it.each([
    [undefined, {}, join(homedir(), '.dsh', 'timekeeper', 'wake.sqlite')],
    [undefined, { DSH_HOME: ' ' }, join(homedir(), '.dsh', 'timekeeper', 'wake.sqlite')],
    [undefined, { DSH_HOME: '/srv/dsh' }, resolve('/srv/dsh/timekeeper/wake.sqlite')],
    [undefined, { DSH_HOME: '~/dsh' }, join(homedir(), 'dsh', 'timekeeper', 'wake.sqlite')],
    ['~/wake.db', { DSH_HOME: '/srv/dsh' }, join(homedir(), 'wake.db')],
    ['~', {}, homedir()],
    ['~other/wake.db', {}, resolve('~other/wake.db')],
    ['/var/wake.db', {}, resolve('/var/wake.db')],
  ])('R17 configured %j with %j is %s', (configured, env, path) => {
    expect(wakeIndexPath(configured, env)).toBe(path)
  })
})
