import { describe, expect, it } from 'vitest'
import { questionsOf } from '../../../src/cli/doctor/browser/questions.ts'
import { LAWS } from '../../../src/cli/doctor/machine.ts'
import { LATER } from '../../harness.ts'

const instantsOf = (zone: string, now = LATER): readonly string[] => questionsOf([zone], now).find((one) => one.zone === zone)?.instants.map((at) => new Date(at).toISOString()) ?? []

describe('what a browser is asked', () => {
  it('T14 a zone without changes: the first instant of every month, from a year ago to three years ahead', () => {
    const instants = instantsOf('Asia/Shanghai')
    expect([instants.length, instants[0], instants[1], instants.at(-1)]).toEqual([49, '2025-10-01T00:00:00.000Z', '2025-11-01T00:00:00.000Z', '2029-10-01T00:00:00.000Z'])
  })

  it('T14 both sides of every change in that time, in order and each once', () => {
    const instants = instantsOf('Europe/Berlin')
    const changes = ['2025-10-26', '2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31', '2028-03-26', '2028-10-29', '2029-03-25']
    expect(instants.filter((at) => !at.endsWith('-01T00:00:00.000Z'))).toEqual(changes.flatMap((day) => [`${day}T00:59:59.999Z`, `${day}T01:00:00.000Z`]))
    expect(instants).toEqual([...new Set(instants)].toSorted())
  })

  it('T14 at the turn of a year the months are counted on', () => {
    const instants = instantsOf('UTC', Date.parse('2026-01-31T23:59:59Z'))
    expect([instants[0], instants.at(-1)]).toEqual(['2025-01-01T00:00:00.000Z', '2029-01-01T00:00:00.000Z'])
  })

  it('T14 the zones of the laws are always asked about, also where their law came into force', () => {
    expect(questionsOf([], LATER).map(({ zone }) => zone)).toEqual(LAWS.map(([zone]) => zone))
    expect(instantsOf('Asia/Amman')[0]).toBe('2023-01-01T00:00:00.000Z')
    expect(instantsOf('America/Asuncion')[0]).toBe('2025-07-01T00:00:00.000Z')
  })

  it('T14 each zone is asked about once, in the spelling of the database; aliases stay, what is not known here goes', () => {
    const zones = questionsOf(['asia/shanghai', 'Asia/Shanghai', 'Asia/Calcutta', 'Asia/Kolkata', 'Mars/Olympus', '', '?', 'America/Asuncion'], LATER).map(({ zone }) => zone)
    expect(zones.slice(0, 4)).toEqual(['Asia/Shanghai', 'Asia/Calcutta', 'Asia/Kolkata', 'America/Asuncion'])
    expect(zones).toHaveLength(LAWS.length + 3)
  })
})
