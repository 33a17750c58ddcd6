import { describe, expect, it } from 'vitest'
import { drift } from '../src/index.ts'

describe('drift', () => {
  it('R16 under two seconds the lateness stays and the reasons go', () => {
    expect(drift(1000, 2999, ['suspended'])).toEqual({ due: 1000, delivered: 2999, lateMs: 1999, reasons: [] })
  })

  it('R16 from two seconds on both reasons may appear, in their order', () => {
    expect(drift(1000, 3000, ['suspended', 'busy'])).toEqual({ due: 1000, delivered: 3000, lateMs: 2000, reasons: ['suspended', 'busy'] })
  })

  it('T6 a reason observed twice is said once', () => {
    expect(drift(0, 60_000, ['busy', 'host-down', 'busy']).reasons).toEqual(['busy', 'host-down'])
  })

  it('S25 a clock set back never makes a delivery early', () => {
    expect(drift(5000, 4000, ['suspended'])).toEqual({ due: 5000, delivered: 4000, lateMs: 0, reasons: [] })
  })
})
