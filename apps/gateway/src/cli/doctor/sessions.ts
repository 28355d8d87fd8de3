import type { Tx } from '../../platform/database.ts'
import { SessionsShared } from '../../platform/pooling.ts'
import { SESSION_FORM } from '../../platform/session-settings.ts'
import { type Finding, fail, ok } from './finding.ts'
import { findLoginSettings, type LoginSettings } from './store.ts'

const NAME = 'sessions'

/** What there is to say when a pooler before the database shares sessions. */
export function sharedSessions(): Finding {
  const [message = '', fix = ''] = new SessionsShared().message.split(': ')
  return fail(NAME, `${message}.`, `${fix.charAt(0).toUpperCase()}${fix.slice(1)}`)
}

/** With which settings a session of the gateway begins. */
export async function examineSessions(tx: Tx): Promise<Finding> {
  return judgeLogin(await findLoginSettings(tx, Object.keys(SESSION_FORM)))
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
