import { listBankAccounts } from '../../modules/bank-accounts/index.ts'
import { createCallbackService } from '../../modules/callbacks/index.ts'
import { findCatalogue, listMethodsInUse } from '../../modules/catalogue/index.ts'
import { createMerchantService } from '../../modules/merchants/index.ts'
import { describeUnproven, findOpenGap } from '../../modules/payouts/index.ts'
import { createTokenAdministration } from '../../modules/tokens/index.ts'
import { MasterKeyFault } from '../../platform/master-key.ts'
import { pendingMigrations } from '../../platform/migrate.ts'
import { hasSessionsOfItsOwn } from '../../platform/pooling.ts'
import { findMasterKeyId, idOf } from '../../platform/root-key.ts'
import { buildRestoreGap, FILE_RAILS } from '../../rooms/restore-gap.ts'
import { explain, READS_ONLY } from '../explain.ts'
import { type Installation, readExistingMasterKeys, requireDatabaseUrl } from '../installation.ts'
import type { Shell } from '../shell.ts'
import { duration } from '../text.ts'
import { examineCatalogue } from './catalogue.ts'
import { type Finding, fail, ok, skipped, warn } from './finding.ts'
import { examineRails } from './rails.ts'
import { examineSessions, sharedSessions } from './sessions.ts'
import { examineStandbys } from './standbys.ts'
import { findServerFacts, type ServerFacts } from './store.ts'

const VERSION_NUMBER_MIN = 150_000
const SKEW_MS_WARN = 1_000
const SKEW_MS_MAX = 30_000
const PENDING_SECONDS_MAX = 60

/** Everything that the database knows, from the server up to what waits in it. */
export async function examineDatabase(shell: Shell, installation: Installation): Promise<readonly Finding[]> {
  let facts: ServerFacts
  const startedMs = shell.clock.nowMs()
  try {
    facts = await findServerFacts(installation.db)
  } catch (error) {
    const failure = explain(error)
    if (failure === undefined) throw error
    return [fail('database', failure.message, 'Fix that, then run `tollgate doctor` again for the rest.')]
  }
  const finishedMs = shell.clock.nowMs()
  // In sessions that others use, too, every further look may fail.
  if (!(await hasSessionsOfItsOwn(await requireDatabaseUrl(installation.config))))
    return [examineVersion(facts), sharedSessions()]
  const server = [
    examineVersion(facts),
    ...(facts.takesReadsOnly ? [readsOnly()] : []),
    await examineSessions(installation.db),
    examineDurability(facts),
    examinePrivileges(facts),
    examineStandbys(facts),
    examineSkew(facts.nowMs - (startedMs + finishedMs) / 2),
  ]
  const migrations = await examineMigrations(installation)
  if (migrations.status === 'FAIL') return [...server, migrations]
  return [
    ...server,
    migrations,
    await examineRootKey(installation),
    await examineSigningKey(installation),
    await examineMerchants(installation),
    await examineRailsOf(shell, installation),
    await examineCatalogueOf(installation),
    await examineCallbacks(installation),
    await examineRestoreGap(installation),
  ]
}

function examineVersion({ version, versionNumber }: ServerFacts): Finding {
  return versionNumber >= VERSION_NUMBER_MIN
    ? ok('database', `PostgreSQL ${version}`)
    : fail('database', `PostgreSQL ${version} is too old.`, 'Use PostgreSQL 15 or newer.')
}

const readsOnly = (): Finding =>
  fail(
    'writes',
    READS_ONLY,
    'On a primary, find where it was set: `\\drds` in psql, and postgresql.conf; reset default_transaction_read_only there.',
  )

function examineDurability({ durability }: ServerFacts): Finding {
  const off = Object.entries(durability).filter(([, value]) => value === 'off')
  const names = off.map(([name]) => name)
  return names.length === 0
    ? ok('durability', 'Accepted payments survive a power failure.')
    : fail(
        'durability',
        `${names.join(' and ')} off: accepted payments may be lost in a power failure.`,
        `Set ${names.map((name) => `${name} = on`).join(', ')} in postgresql.conf.`,
      )
}

function examineSkew(skewMs: number): Finding {
  const apart = `${(Math.abs(skewMs) / 1000).toFixed(1)} s`
  if (Math.abs(skewMs) <= SKEW_MS_WARN)
    return ok('clock', `This machine and the database are ${apart} apart.`)
  const judge = Math.abs(skewMs) <= SKEW_MS_MAX ? warn : fail
  return judge(
    'clock',
    `This machine is ${apart} ${skewMs > 0 ? 'behind' : 'ahead of'} the database.`,
    'Let both be set by NTP: tokens and due times depend on it.',
  )
}

async function examineMigrations({ db }: Installation): Promise<Finding> {
  try {
    const pending = await pendingMigrations(db)
    return pending.length === 0
      ? ok('migrations', 'The schema is up to date.')
      : fail('migrations', `Not run yet: ${pending.join(', ')}.`, 'tollgate migrate')
  } catch (error) {
    const failure = explain(error)
    if (failure === undefined) throw error
    return fail('migrations', failure.message, 'tollgate migrate')
  }
}

/** The root key: opened by a master key here, and by the current one. */
async function examineRootKey({ config, db, keysProblem }: Installation): Promise<Finding> {
  const name = 'root key'
  if (keysProblem instanceof MasterKeyFault)
    return skipped(name, 'Not checked: a master key is missing, or cannot be read.')
  if (keysProblem !== undefined)
    return fail(
      name,
      explain(keysProblem)?.message ?? keysProblem.message,
      'Set TOLLGATE_DATA_DIR or TOLLGATE_MASTER_KEY_FILE to the master key that the gateway uses.',
    )
  const sealedBy = await findMasterKeyId(db)
  const { current, previous } = readExistingMasterKeys(config)
  if (sealedBy !== idOf(current))
    return warn(
      name,
      `Still encrypted with the previous master key (${sealedBy}).`,
      'When all processes have both keys: tollgate keys rewrap',
    )
  return previous === undefined
    ? ok(name, `Encrypted with the master key ${sealedBy}.`)
    : warn(
        name,
        `Encrypted with the master key ${sealedBy}; the previous one is no longer needed.`,
        'Remove TOLLGATE_PREVIOUS_MASTER_KEY_FILE from the settings.',
      )
}

async function examineSigningKey(installation: Installation): Promise<Finding> {
  const name = 'signing key'
  // No key opens then, whatever it was encrypted with.
  if (installation.keysProblem !== undefined)
    return skipped(name, 'Not checked: the root key cannot be opened.')
  const tokens = createTokenAdministration(installation)
  const active = (await tokens.listKeys()).find((key) => key.status === 'ACTIVE')
  if (active === undefined)
    return warn(
      name,
      'None yet.',
      'The first start of the gateway creates one: `npm start` or `tollgate serve`.',
    )
  const closed = await tokens.findClosedKey()
  return closed === undefined
    ? ok(name, active.kid)
    : fail(
        name,
        `${closed} cannot be decrypted: it was encrypted with another root key.`,
        'If the root key is right, the key was changed: `tollgate keys rotate --now --local` creates another one.',
      )
}

async function examineRestoreGap(installation: Installation): Promise<Finding> {
  const name = 'restore'
  const gap = await findOpenGap(installation.db)
  if (gap !== undefined)
    return warn(
      name,
      `The database was restored: it lacks everything from ${gap.lostFrom.toISOString()} until ${gap.restoredAt.toISOString()}. No payouts are accepted or submitted.`,
      'tollgate restore-gap show, and docs/backup.md, "After a restore".',
    )
  const unproven = await buildRestoreGap(installation).listUnproven()
  return unproven.length === 0
    ? ok(name, 'No restore gap is open.')
    : warn(
        name,
        unproven.map(describeUnproven).join(' '),
        'Import the statements of these days when the bank provides them, and check for payouts that left twice.',
      )
}

async function examineMerchants(installation: Installation): Promise<Finding> {
  const merchants = await createMerchantService(installation).list()
  const active = merchants.filter((merchant) => merchant.status === 'ACTIVE')
  const withKey = active.filter((merchant) => merchant.keys.length > 0)
  if (withKey.length > 0) return ok('merchants', `${withKey.length} of ${active.length} can sign requests.`)
  const fix =
    active.length === 0
      ? 'tollgate merchants create <code>'
      : `tollgate merchants add-key ${active[0]?.merchantCode ?? '<code>'} <public-key.pem>`
  return warn('merchants', 'No active merchant has a key, so no token can be requested by signature.', fix)
}

/** The rails bring schemas and clients along, which nothing else here needs. */
async function examineRailsOf(shell: Shell, installation: Installation): Promise<Finding> {
  const { railDirections } = await import('./rail-directions.ts')
  try {
    return examineRails(await listMethodsInUse(installation.db), await railDirections(installation, shell))
  } catch (error) {
    const failure = explain(error)
    if (failure === undefined) throw error
    return fail('rails', failure.message, 'Fix that, then run `tollgate doctor` again for the rest.')
  }
}

/** What the gateway itself would offer: the catalogue as it reads it, and the accounts as it finds them. */
async function examineCatalogueOf({ db }: Installation): Promise<Finding> {
  const [catalogue, inUse, accounts] = await Promise.all([
    findCatalogue(db),
    listMethodsInUse(db),
    listBankAccounts(db),
  ])
  const methods = [...catalogue.methods.values()].filter(({ sides }) => sides.has('PAYIN'))
  const transfers = methods.filter(
    ({ code, rail }) =>
      FILE_RAILS.includes(rail) &&
      inUse.some(({ methodCode, direction }) => methodCode === code && direction === 'PAYIN'),
  )
  return examineCatalogue({
    currencyCount: catalogue.currencies.size,
    payinMethods: methods.map(({ code }) => code),
    inUse,
    transferCurrencies: [
      ...new Set(transfers.flatMap(({ sides }) => [...(sides.get('PAYIN')?.limits.keys() ?? [])])),
    ],
    accountCurrencies: accounts.filter(({ isDefault }) => isDefault).map(({ currencyCode }) => currencyCode),
  })
}

async function examineCallbacks(installation: Installation): Promise<Finding> {
  const callbacks = createCallbackService(installation)
  const pending = await callbacks.pendingCount()
  const oldestSeconds = await callbacks.oldestPendingSeconds()
  const message = `${pending} pending, the oldest has been due for ${duration(oldestSeconds)}.`
  return oldestSeconds <= PENDING_SECONDS_MAX
    ? ok('callbacks', message)
    : warn('callbacks', message, 'Is a worker running? `npm start` and `tollgate worker` run one.')
}

/** In place of all of the above when no database is there. */
export const noDatabase = (message: string): readonly Finding[] => [
  fail('database', message, 'Run `npm start`, or set TOLLGATE_DATABASE_URL.'),
  skipped('what it holds', 'Migrations, keys, merchants and callbacks are in the database.'),
]

const NAME = 'database user'
const FIX =
  'Let two users share the database, one who owns and one who uses it: "Two database users" in docs/operations.md.'

/** Whether the gateway's user may do more than the gateway needs. */
export function examinePrivileges({ user }: Pick<ServerFacts, 'user'>): Finding {
  const { name, isSuperuser, isOwner, mayChangeBooks } = user
  if (isSuperuser)
    return warn(
      NAME,
      `The gateway connects as ${name}, a superuser: an attacker who controls the gateway can change the ledger and run programs on the database server.`,
      FIX,
    )
  if (isOwner)
    return warn(
      NAME,
      `The gateway connects as ${name}, who owns the tables: an attacker who controls the gateway can disable the triggers that keep the ledger append-only.`,
      FIX,
    )
  if (mayChangeBooks)
    return warn(
      NAME,
      `${name} may change or delete rows of the ledger.`,
      'Run `tollgate migrate` with TOLLGATE_MIGRATE_DATABASE_URL: it revokes the privileges that the gateway does not need.',
    )
  return ok(NAME, `${name} may add to the ledger, but not change it.`)
}
