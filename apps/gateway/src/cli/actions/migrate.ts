import { migrate } from '../../platform/migrate.ts'
import { findMigrationTarget } from '../../programs/installation.ts'
import { refuseSharedSessions } from '../../programs/lifecycle.ts'
import { noInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate migrate`. */
export async function migrateSchema(shell: Shell): Promise<Report> {
  const config = await shell.config()
  const target = await findMigrationTarget(config)
  if (target === undefined) throw noInstallation(config)
  if (config.TOLLGATE_DATABASE_URL !== undefined) await refuseSharedSessions(target.url)
  const ran = await migrate(target)
  const text =
    ran.length === 0 ? 'The schema is up to date already.' : ran.map((name) => `ran ${name}`).join('\n')
  return { json: { ran }, text }
}
