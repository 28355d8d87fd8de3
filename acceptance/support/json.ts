import assert from 'node:assert/strict'
import { at, type Step } from '@tollgate/testkit'

export { at }

/** The text at the path; fails the test where there is none. */
export function textAt(value: unknown, ...path: readonly Step[]): string {
  const found = at(value, ...path)
  assert.ok(typeof found === 'string', `a text at ${path.join('.')} of ${JSON.stringify(value)}`)
  return found
}

/** The list at the path; fails the test where there is none. */
export function listAt(value: unknown, ...path: readonly Step[]): readonly unknown[] {
  const found = at(value, ...path)
  assert.ok(Array.isArray(found), `a list at ${path.join('.')} of ${JSON.stringify(value)}`)
  return found
}

/** The item of the list whose member has the value; fails the test where there is none. */
export function itemWith(list: readonly unknown[], name: string, value: string): unknown {
  const found = list.find((item) => at(item, name) === value)
  assert.ok(found !== undefined, `an item whose ${name} is ${value}`)
  return found
}
