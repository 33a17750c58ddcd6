import { describe, expect, it } from 'vitest'
import { judgeMachine, ownOffset, type Machine } from '../../src/cli/doctor/machine.ts'
import { LATER } from '../harness.ts'

const machine = (more: Partial<Machine> = {}): Machine => ({ node: '24.21.0', tz: '2026a', icu: '78', zone: 'UTC', tzVariable: undefined, ...more })
const codes = (more: Partial<Machine>, now = LATER, newest?: number): string[] => judgeMachine(machine(more), now, newest).map(({ code }) => code)

describe('the machine', () => {
  it.each([
    ['22.18.9', ['node_unsupported']],
    ['22.19.0', []],
    ['23.11.0', ['node_unsupported']],
    ['24.0.0', []],
    ['26.1.0', []],
    ['?', ['node_unsupported']],
  ])('T14 Node %s is judged as the host judges it: %j', (node, expected) => {
    expect(codes({ node })).toEqual(expected)
  })

  it('T14 the time zone data of this Node knows all laws that are asked for', () => {
    expect(judgeMachine(machine(), LATER, undefined)).toEqual([])
    expect([ownOffset('America/Asuncion', Date.parse('2024-07-01T00:00:00Z')), ownOffset('Mars/Olympus', LATER)]).toEqual([-240, undefined])
  })

  it('T14 data of an older release is named with the zones that it has wrong', () => {
    const old = (zone: string, at: number): number | undefined => (zone === 'America/Coyhaique' ? undefined : zone === 'America/Asuncion' ? -240 : ownOffset(zone, at))
    expect(judgeMachine(machine({ tz: '2024b' }), LATER, undefined, old)).toEqual([
      { level: 'problem', code: 'tz_outdated', detail: ['2024b', 'America/Asuncion (2025a), America/Coyhaique (2025b)'] },
    ])
  })

  it.each([
    ['Asia/Shanghai', []],
    [':Europe/Berlin', []],
    ['', []],
    ['CEST', ['process_zone']],
  ])('T14 TZ=%s', (tzVariable, expected) => {
    expect(codes({ tzVariable })).toEqual(expected)
  })

  it.each([
    ['1970-01-01T00:00:10Z', ['clock_implausible']],
    ['2024-12-31T23:59:59Z', ['clock_implausible']],
    ['2025-01-01T00:00:00Z', []],
    ['2099-12-31T23:59:59Z', []],
    ['2100-01-01T00:00:00Z', ['clock_implausible']],
  ])('X6 T14 a clock that says %s', (now, expected) => {
    expect(codes({}, Date.parse(now))).toEqual(expected)
  })

  it('X6 T14 a clock behind the newest event by more than five seconds', () => {
    expect(codes({}, LATER, LATER + 5000)).toEqual([])
    expect(judgeMachine(machine(), LATER, LATER + 5001)).toMatchObject([{ code: 'clock_behind_log', detail: ['2026-10-09T04:00:00Z', '2026-10-09T04:00:05.001Z'] }])
  })
})
