import type { Fire } from '../../src/index.ts'
import type { Window } from './clock.ts'
import type { OracleRule } from './rule.ts'

const MINUTE = 60_000

/** Every fire of a rule in a window, by walking it minute by minute and applying the policy table to what is seen. */
export function firesByWalking({ instants, walls }: Window, rule: OracleRule): Fire[] {
  const fires: Fire[] = []
  const times = new Map<number, number>()
  for (const wall of walls) times.set(wall, (times.get(wall) ?? 0) + 1)
  const seen = new Set<number>()
  for (const [index, instant] of instants.entries()) {
    const wall = walls[index]!
    const matched = rule.matches(wall)
    const lost = index === 0 || matched ? undefined : firstLost(rule, walls[index - 1]!, wall)
    if (lost !== undefined && !(rule.intervalLike && beatsWithinTheHour(rule, wall))) {
      fires.push({ instant, moved: { from: new Date(lost).toISOString().slice(11, 16) } })
    }
    if (matched && (rule.intervalLike || !seen.has(wall))) {
      fires.push(times.get(wall)! > 1 ? { instant, repeated: true } : { instant })
    }
    seen.add(wall)
  }
  return fires
}

/** The first matching reading that the clock jumped over between two neighbouring minutes. */
function firstLost(rule: OracleRule, before: number, after: number): number | undefined {
  for (let wall = before + MINUTE; wall < after; wall += MINUTE) if (rule.matches(wall)) return wall
  return undefined
}

function beatsWithinTheHour(rule: OracleRule, wall: number): boolean {
  return Array.from({ length: 60 }, (_, minutes) => wall + minutes * MINUTE).some(later => rule.matches(later))
}
