import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { languageIn } from 'dsh-time-core'
import { delayOf, editOf, FIELDS, idOf, inputOf, parseBody, type Endpoint } from '../../src/people/bodies.ts'
import { FRIDAY } from './desk-host.ts'

const member = fc.constantFrom('sessionId', 'language', 'timeZone', 'text', 'reminder', 'id', 'prompt', 'time', 'afterSeconds', 'untilMs', '__proto__', 'constructor', 'limit')
const value = fc.oneof(fc.jsonValue(), fc.constantFrom('one', 'zh', 'UTC', '10m x', '明天 9:00', 600, FRIDAY + 1000, { prompt: 'x', after_seconds: 5 }, { every_seconds: 300 }))
const payload = fc.oneof(fc.jsonValue(), fc.array(fc.tuple(member, value), { maxLength: 6 }).map((entries) => ({ sessionId: 'one', ...Object.fromEntries(entries) })))
const endpoint = fc.constantFrom(...(Object.keys(FIELDS) as Endpoint[]))

describe('bodies', () => {
  it('X3 X5 any JSON is taken or refused by name: nothing throws, and what is taken has known members only', () => {
    fc.assert(
      fc.property(endpoint, payload, (name, json) => {
        expect(['zh', 'en']).toContain(languageIn(json))
        const body = parseBody(json, name)
        if ('code' in body) {
          expect(body.field).toEqual(expect.any(String))
          return
        }
        const known: readonly string[] = FIELDS[name]
        expect(Object.keys(body.fields).filter((one) => !known.includes(one))).toEqual([])
        const reader = { now: FRIDAY, zone: body.zone }
        for (const read of [inputOf, editOf, delayOf]) {
          const wish = read(body, reader)
          if ('code' in wish) expect(wish.code).toMatch(/^[a-z_]+$/)
        }
        const id = idOf(body)
        if (typeof id === 'string') expect(id).toBe(id.trim())
      }),
      { numRuns: 2000 },
    )
  })
})
