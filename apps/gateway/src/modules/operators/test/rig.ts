import { randomIds } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { createSecrets } from '../../../platform/secrets.ts'
import { type TestPostgres, testPostgres } from '../../../platform/test/index.ts'
import {
  createOperatorAuthenticator,
  createOperatorService,
  createSessionService,
  type OperatorAuthenticator,
  type OperatorService,
  type SessionService,
} from '../index.ts'

interface OperatorRig extends TestPostgres {
  readonly operators: OperatorService
  readonly authenticator: OperatorAuthenticator
  readonly sessions: SessionService
}

export const IDLE_MINUTES = 30
export const HOURS = 12

export async function operatorRig(t: TestLife): Promise<OperatorRig> {
  const postgres = await testPostgres(t)
  const secrets = createSecrets(Buffer.alloc(32, 1))
  const { db } = postgres
  const deps = { db, secrets, ids: randomIds }
  return {
    ...postgres,
    operators: createOperatorService(deps),
    authenticator: createOperatorAuthenticator({ ...deps, sessionIdleMinutes: IDLE_MINUTES }),
    sessions: createSessionService({ ...deps, limits: { idleMinutes: IDLE_MINUTES, hours: HOURS } }),
  }
}
