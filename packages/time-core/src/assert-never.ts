/**
 * Ends a closed `switch`: compiles only when every case was handled, and throws if a value from outside the
 * types got through.
 * @throws TypeError always; it names the value.
 */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${String(value)}`)
}
