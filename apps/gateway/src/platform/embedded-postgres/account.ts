import { spawnSync } from 'node:child_process'
import { chownSync, readFileSync, statSync } from 'node:fs'
import { EmbeddedPostgresFailure } from './failure.ts'

/** The operating-system user that runs the server. Empty: the user who runs Tollgate. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

const SELF: Account = {}
const USERS_IN_ORDER_OF_CHOICE = ['postgres', '_postgres', 'nobody'] as const

/**
 * PostgreSQL refuses to run as root. So root hands the server to the owner of the existing data, else to the user
 * `postgres`, else to `nobody`; anyone else runs it himself. Throws when the existing data belongs to the wrong user.
 */
export function serverAccount(clusterFolder: string): Account {
  const uid = process.getuid?.() ?? 0
  const owner = statSync(clusterFolder, { throwIfNoEntry: false })
  if (uid !== 0) {
    if (owner === undefined || owner.uid === uid) return SELF
    throw new EmbeddedPostgresFailure(
      `The database in ${clusterFolder} belongs to the user with id ${owner.uid}, and you have id ${uid}. ` +
        `Run Tollgate as that user, or give the folder to yours: sudo chown -R ${uid} ${clusterFolder}`,
    )
  }
  if (owner === undefined) return unprivilegedAccount()
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const { uid: needed, gid } = unprivilegedAccount()
  throw new EmbeddedPostgresFailure(
    `The database in ${clusterFolder} belongs to root, and PostgreSQL never runs as root. ` +
      `Give the folder to its user: chown -R ${needed}:${gid} ${clusterFolder}`,
  )
}

/**
 * How a server run by `account` must name a folder that exists. The user of the server may not be allowed to pass through
 * a parent (data under /root, mode 700): on Linux we then open the working directory for it while still root, and it
 * says "where I stand". Throws elsewhere.
 */
export function folderArgument(folder: string, account: Account): string {
  if (account.uid === undefined || canEnter(folder, account)) return folder
  if (process.platform === 'linux') return '/proc/self/cwd'
  throw new EmbeddedPostgresFailure(
    `The user with id ${account.uid}, who runs the database for root, cannot reach ${folder}. ` +
      'Let others pass through its parent folders (chmod o+x), or choose a data directory elsewhere.',
  )
}

/** Makes the account the owner of a file or folder. Nothing to do when that is us. */
export function giveTo(account: Account, path: string): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid)
}

function canEnter(folder: string, account: Account): boolean {
  const result = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  })
  return result.status === 0
}

function unprivilegedAccount(): Required<Account> {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of USERS_IN_ORDER_OF_CHOICE) {
    const line = lines.find((candidate) => candidate.startsWith(`${name}:`))
    if (line === undefined) continue
    const [, , uid, gid] = line.split(':')
    // Some systems write the ids of `nobody` as negative numbers.
    return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  }
  throw new EmbeddedPostgresFailure(
    'PostgreSQL never runs as root, and this system has neither a user postgres nor nobody. ' +
      'Run Tollgate as a normal user, or set TOLLGATE_DATABASE_URL to a database of yours.',
  )
}
