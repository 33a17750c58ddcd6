import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { leave, PROCESSES, thisHolder, verdictFromOutside, verdictOf, type ProcessSystem } from '../../src/wake-index/holder.ts'
import { holder } from './holders.ts'

const stat = (state: string, started: string): string => `7 (a (b) c) ${state} ${Array.from({ length: 18 }, (_, at) => at + 4).join(' ')} ${started} 23`

/** A system with some processes. */
function system(files: Readonly<Record<string, string>>, running: readonly number[] = []): ProcessSystem {
  return { read: (path) => files[path], readLink: (path) => files[path], exists: (pid) => running.includes(pid) }
}
const me = holder('me', { pid: 1, started: '1' })

describe('recognising a holder', () => {
  it.each([
    ['runs with the start it had', { pid: 7 }, system({ '/proc/7/stat': stat('S', '100') }), 'running'],
    ['has ended', { pid: 7 }, system({}), 'gone'],
    ['was killed and is not collected yet', { pid: 7 }, system({ '/proc/7/stat': stat('Z', '100') }), 'gone'],
    ['is being taken down', { pid: 7 }, system({ '/proc/7/stat': stat('X', '100') }), 'gone'],
    ['has ended and its process id is used again', { pid: 7 }, system({ '/proc/7/stat': stat('S', '555') }), 'gone'],
    ['left a start that cannot be read', { pid: 7 }, system({ '/proc/7/stat': '7 (cut' }), 'unseen'],
    ['runs where the system tells no start', { pid: 7 }, system({}, [7]), 'unseen'],
    ['did not know its own start', { pid: 7, started: '' }, system({ '/proc/7/stat': stat('S', '100') }), 'unseen'],
    ['ran before the machine was restarted', { pid: 7, boot: 'b0' }, system({ '/proc/7/stat': stat('S', '100') }), 'gone'],
    ['did not know when the machine started', { pid: 7, boot: '' }, system({}), 'unseen'],
    ['is on another machine', { pid: 7, machine: 'laptop' }, system({}), 'unseen'],
    ['is in another container', { pid: 7, space: 'pid:[2]' }, system({}), 'unseen'],
  ])('B43 a holder that %s', (_what, more, processes, verdict) => {
    expect(verdictOf(holder('other', more), me, processes)).toBe(verdict)
  })

  it('B43 where this host does not know when the machine started, others are not seen', () => {
    expect(verdictOf(holder('other', { pid: 7 }), { ...me, boot: '' }, system({}))).toBe('unseen')
  })

  it('R20 two roots of one process are two hosts, and a root that comes again is the same', () => {
    const [one, two] = [{}, {}]
    const [first, second] = [thisHolder(one), thisHolder(two)]
    expect(second.hostId).not.toBe(first.hostId)
    expect(thisHolder(one)).toEqual(first)
    expect(verdictOf(second, first)).toBe('running')
    leave(second)
    expect(verdictOf(second, first)).toBe('gone')
  })

  it('T14 B43 a program that is no host sees a holder that runs, and one that has ended', () => {
    const mine = thisHolder({})
    expect(verdictFromOutside(mine)).toBe('running')
    leave(mine)
    expect(verdictFromOutside(mine)).toBe('gone')
    expect(verdictFromOutside(holder('other', { machine: 'laptop' }))).toBe('unseen')
  })

  it('knows itself also where the system tells nothing', () => {
    expect(thisHolder({}, system({}))).toMatchObject({ pid: process.pid, started: '', boot: '', space: '' })
  })

  it('B43 a real process is running, then gone', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    const mine = thisHolder({})
    const theirs = { ...mine, hostId: 'child', pid: child.pid!, started: PROCESSES.read(`/proc/${child.pid}/stat`)?.split(' ')[21] ?? '' }
    expect(['running', 'unseen']).toContain(verdictOf(theirs, mine))
    expect(PROCESSES.exists(child.pid!)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(verdictOf(theirs, mine)).toBe('gone')
    expect(PROCESSES.exists(child.pid!)).toBe(false)
    expect(PROCESSES.read('/no/such/file')).toBeUndefined()
    expect(PROCESSES.readLink('/no/such/file')).toBeUndefined()
  })
})
