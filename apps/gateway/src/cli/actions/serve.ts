import { existsSync } from 'node:fs'
import { type Config, ConfigError } from '../../config.ts'
import { findInstallation, requireFreePorts } from '../../installation.ts'
import { refuseSandboxDatabase, runUntilStopped } from '../../lifecycle.ts'
import { createTokenAdministration } from '../../modules/tokens/index.ts'
import { openDatabase } from '../../platform/database.ts'
import { createLog, type Log } from '../../platform/log.ts'
import { pendingMigrations } from '../../platform/migrate.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { CommandFailure } from '../failure.ts'
import { masterKeyFile, readExistingMasterKey, requireDatabaseUrl } from '../house.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'

/** `tollgate serve` and `tollgate worker`: one part of the gateway, until a signal ends it. */
export async function run(shell: Shell, role: 'api' | 'worker'): Promise<Report> {
  const config = await shell.config()
  await requireDatabaseUrl(config)
  await requireFreePorts(config.TOLLGATE_HOST, {
    ...(role === 'api' && {
      TOLLGATE_API_PORT: config.TOLLGATE_API_PORT,
      TOLLGATE_OPERATOR_PORT: config.TOLLGATE_OPERATOR_PORT,
    }),
    TOLLGATE_METRICS_PORT: config.TOLLGATE_METRICS_PORT,
  })
  const log = createLog({ level: config.TOLLGATE_LOG_LEVEL })
  await runUntilStopped({ ...(await prepared(config, log)), config, log, roles: [role] })
  return NOTHING_MORE
}

interface Prepared {
  readonly databaseUrl: string
  readonly masterKey: Buffer
}

/** The database and the key, seen to be right: the schema is current, and the key is the one that sealed what is there. */
async function prepared(config: Config, log: Log): Promise<Prepared> {
  const masterKey = await masterKeyFor(config)
  const databaseUrl = await requireDatabaseUrl(config)
  const db = openDatabase({ url: databaseUrl, poolMax: 1, log, applicationName: 'tollgate prepare' })
  const secrets = createSecrets(masterKey)
  try {
    if ((await pendingMigrations(db)).length > 0)
      throw new ConfigError('The schema of the database is not up to date. Run `tollgate migrate`.')
    await refuseSandboxDatabase({ config, db, secrets })
    if (!(await createTokenAdministration({ db, secrets }).opensActiveKey())) {
      throw new ConfigError(
        `The master key in ${masterKeyFile(config)} is not the one this database was used with. Every process needs the same.`,
      )
    }
    return { databaseUrl, masterKey }
  } finally {
    await db.close()
  }
}

/** In the sandbox a first start makes a key. Live has several processes, and each would make its own. */
async function masterKeyFor(config: Config): Promise<Buffer> {
  if (config.isLive || existsSync(masterKeyFile(config))) return readExistingMasterKey(config)
  const installation = await findInstallation(config)
  if (installation === undefined)
    throw new CommandFailure('UNREACHABLE', 'The installation has just stopped.')
  return installation.masterKey
}
