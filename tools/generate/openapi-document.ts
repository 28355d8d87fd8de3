import { createLog } from '@tollgate/runtime/log'
import { buildGateway } from '../../apps/gateway/src/app.ts'
import { readConfig } from '../../apps/gateway/src/config.ts'
import { describeApi } from '../../apps/gateway/src/http/openapi.ts'
import { describeOperatorApi } from '../../apps/gateway/src/http/operator-openapi.ts'
import { createSecrets } from '../../apps/gateway/src/platform/secrets.ts'

/** The documents that the running gateway serves at /openapi.json of its ports, by file, built without a database. */
export async function openApiDocuments(): Promise<readonly (readonly [string, string])[]> {
  const gateway = await buildGateway({
    config: readConfig({}),
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    secrets: createSecrets(new Uint8Array(32)),
    log: createLog({ level: 'silent' }),
    roles: [],
  })
  await gateway.api.ready()
  await gateway.operatorApi.ready()
  const documents = [
    ['docs/openapi.json', describeApi(gateway.api)],
    ['docs/operator-openapi.json', describeOperatorApi(gateway.operatorApi)],
  ] as const
  await gateway.stop()
  return documents.map(([path, document]) => [path, `${JSON.stringify(document, null, 2)}\n`])
}
