import { randomIds } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { createSecrets } from '../../../platform/secrets.ts'
import { type TestPostgres, testPostgres } from '../../../platform/test/index.ts'
import {
  createOperatorAuthenticator,
  createOperatorService,
  type OperatorAuthenticator,
  type OperatorService,
} from '../index.ts'

interface OperatorRig extends TestPostgres {
  readonly operators: OperatorService
  readonly authenticator: OperatorAuthenticator
}

export async function operatorRig(t: TestLife): Promise<OperatorRig> {
  const postgres = await testPostgres(t)
  const secrets = createSecrets(Buffer.alloc(32, 1))
  return {
    ...postgres,
    operators: createOperatorService({ db: postgres.db, secrets, ids: randomIds }),
    authenticator: createOperatorAuthenticator({ db: postgres.db, secrets }),
  }
}
