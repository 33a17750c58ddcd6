import { describe, expect, it } from 'vitest'
import { readCursor, readEvent, readEventList, readPush } from '../src/protocol.ts'
import { other } from './events.ts'

const CURSOR = { host: 'h', lifetime: 1, throughSeq: 10, seedLength: 0 }

describe('wire', () => {
  it('reads what the other half writes, and drops what it does not know', () => {
    expect(readCursor({ ...CURSOR, more: 1 })).toEqual(CURSOR)
    expect(readPush(JSON.stringify({ ...CURSOR, sessionId: 's' }))).toEqual({ ...CURSOR, sessionId: 's' })
    expect(readEventList({ events: [{ ...other(1), surfaceOp: 'none' }, 'junk'] })).toEqual([other(1)])
  })

  it.each([undefined, null, 7, [], { ...CURSOR, host: 1 }, { ...CURSOR, lifetime: -1 }, { ...CURSOR, throughSeq: 1.5 }, { ...CURSOR, seedLength: '0' }])('S33 %j is no cursor, so nothing is proven', (value) => {
    expect(readCursor(value)).toBeUndefined()
    expect(readPush(JSON.stringify({ ...(value as object), sessionId: 's' }))).toBeUndefined()
  })

  it.each(['', '{', 'null', JSON.stringify(CURSOR)])('the text %j is no push', (text) => {
    expect(readPush(text)).toBeUndefined()
  })

  it.each([undefined, {}, { seq: -1, type: 't', time: 1 }, { seq: 1, type: 2, time: 1 }, { seq: 1, type: 't' }])('%j is no event', (value) => {
    expect(readEvent(value)).toBeUndefined()
  })

  it('reads no events where there is no list', () => {
    expect(readEventList({ events: 'no' })).toEqual([])
  })
})
