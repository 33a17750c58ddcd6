import type { Holder } from '../../src/wake-index/holder.ts'

/** A holder that only its name distinguishes. */
export function holder(hostId: string, more: Partial<Holder> = {}): Holder {
  return { hostId, pid: 1, started: '100', machine: 'desk', boot: 'b1', space: 'pid:[1]', ...more }
}
