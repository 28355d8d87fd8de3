import { type Finding, ok, warn } from './finding.ts'
import type { ServerFacts } from './store.ts'

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
