import type { Tx } from '../../platform/database.ts'
import { hasSessionsOfItsOwn, SessionsShared } from '../../platform/pooling.ts'
import { SESSION_FORM } from '../../platform/session-settings.ts'
import { type Finding, fail, ok } from './finding.ts'
import { findLoginSettings, type LoginSettings } from './store.ts'

const NAME = 'sessions'

/** How PostgreSQL treats a session of the gateway: whether it is one, and with which settings it begins. */
export async function examineSessions(tx: Tx, url: string): Promise<Finding> {
  if (!(await hasSessionsOfItsOwn(url))) return sharedSessions()
  return judgeLogin(await findLoginSettings(tx, Object.keys(SESSION_FORM)))
}

const sharedSessions = (): Finding => {
  const [message = '', fix = ''] = new SessionsShared().message.split(': ')
  return fail(NAME, `${message}.`, `${fix.charAt(0).toUpperCase()}${fix.slice(1)}`)
}

function judgeLogin({ replicationRole, values }: LoginSettings): Finding {
  if (replicationRole !== 'origin')
    return fail(
      NAME,
      `session_replication_role = ${replicationRole}: the triggers that keep the ledger append-only and balanced do not fire.`,
      'alter role … reset session_replication_role, and the same for the database.',
    )
  const others = Object.entries(values).filter(([name, value]) => value !== SESSION_FORM[name])
  if (others.length === 0) return ok(NAME, 'The gateway has sessions of its own.')
  const shown = others.map(([name, value]) => `${name} = ${value}`).join(', ')
  return ok(NAME, `The gateway has sessions of its own, and replaces what they begin with: ${shown}.`)
}
