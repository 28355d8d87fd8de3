import { migrate } from '../../platform/migrate.ts'
import { requireDatabaseUrl } from '../house.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate migrate`. */
export async function migrateSchema(shell: Shell): Promise<Report> {
  const ran = await migrate(await requireDatabaseUrl(await shell.config()))
  const text =
    ran.length === 0 ? 'The schema is up to date already.' : ran.map((name) => `ran ${name}`).join('\n')
  return { json: { ran }, text }
}
