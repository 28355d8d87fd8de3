import assert from 'node:assert/strict'

/** A name of a member or an index of a list. */
export type Step = string | number

/** What lies at the path; undefined where it ends early. */
export function at(value: unknown, ...path: readonly Step[]): unknown {
  return path.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, step)
        ? Reflect.get(found, step)
        : undefined,
    value,
  )
}

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
