/** A name of a member or an index of a list. */
export type Step = string | number

/** What lies at the path in a value that came from outside; undefined where the path ends early. */
export function at(value: unknown, ...path: readonly Step[]): unknown {
  return path.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, step)
        ? Reflect.get(found, step)
        : undefined,
    value,
  )
}
