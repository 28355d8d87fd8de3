import { runSql, type SqlRow } from '@tollgate/testkit'

/** Runs one statement on a connection of its own; several, when there are no values. */
export type Sql = (text: string, values?: readonly unknown[]) => Promise<readonly SqlRow[]>

export function createSql(url: string): Sql {
  return (text, values) => runSql(url, text, values)
}

/** The one number that the statement finds. */
export async function sqlNumber(sql: Sql, text: string, values?: readonly unknown[]): Promise<number> {
  const [row] = await sql(text, values)
  const [value] = Object.values(row ?? {})
  const number = Number(value)
  if (value === null || value === undefined || Number.isNaN(number)) throw new Error(`no number: ${text}`)
  return number
}
