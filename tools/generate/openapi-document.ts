import { buildGateway } from '../../apps/gateway/src/app.ts'
import { readConfig } from '../../apps/gateway/src/config.ts'
import { describeApi } from '../../apps/gateway/src/http/openapi.ts'
import { createLog } from '../../apps/gateway/src/platform/log.ts'

/** The document that the running gateway serves at /openapi.json, built without a database. */
export async function openApiDocument(): Promise<string> {
  const gateway = await buildGateway({
    config: readConfig({}),
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    masterKey: new Uint8Array(32),
    log: createLog({ level: 'silent' }),
    roles: [],
  })
  await gateway.api.ready()
  const document = describeApi(gateway.api)
  await gateway.stop()
  return `${JSON.stringify(document, null, 2)}\n`
}
