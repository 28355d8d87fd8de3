import { randomIds } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { createSecrets, type Secrets } from '../../../platform/secrets.ts'
import { type TestPostgres, testPostgres } from '../../../platform/test/index.ts'
import { createMerchantService, type MerchantService } from '../index.ts'

interface MerchantRig extends TestPostgres {
  readonly secrets: Secrets
  readonly merchants: MerchantService
}

export async function merchantRig(t: TestLife): Promise<MerchantRig> {
  const postgres = await testPostgres(t)
  const secrets = createSecrets(Buffer.alloc(32, 1))
  return {
    ...postgres,
    secrets,
    merchants: createMerchantService({ db: postgres.db, secrets, ids: randomIds }),
  }
}
