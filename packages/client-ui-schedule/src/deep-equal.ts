/**
 * Whether two JSON values are the same, whatever the order of their members. A member that is `undefined` counts as
 * absent, because storage drops it.
 *
 * @param left - a JSON value.
 * @param right - a JSON value.
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && left.length === right.length && left.every((item, index) => deepEqual(item, right[index]))
  }
  const [one, other] = [left as Readonly<Record<string, unknown>>, right as Readonly<Record<string, unknown>>]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => deepEqual(one[name], other[name]))
}
