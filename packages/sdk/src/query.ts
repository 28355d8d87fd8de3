/** A query with the members that have a value, in the order given, or nothing where none has. Lists are joined by commas. */
export function queryOf(
  parameters: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}
