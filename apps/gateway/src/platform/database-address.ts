import pg from 'pg'

/** Where a connection string leads, as the driver reads it: for people, without user and password. */
export function databaseAddress(url: string): { readonly host: string; readonly port: number } {
  const { host, port } = new pg.Client({ connectionString: url })
  return { host, port }
}
