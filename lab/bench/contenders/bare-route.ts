import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { at, freePort } from '@tollgate/testkit'
import { API_VERSION } from '../../rig/gateway.ts'
import { callHttp, startProgram, untilAnswers } from '../../rig/programs.ts'
import { type Bench, planFor } from '../bench.ts'
import type { LoadPlan } from '../load/plan.ts'
import { ID_PLACEHOLDER } from '../load/requests.ts'
import { runRound } from '../measure/round.ts'
import { createPayins, PAYIN_BODY } from '../scenarios.ts'
import type { Contender } from './contender.ts'

const PROGRAM = 'lab/bench/contenders/bare-route-program.ts'
const START_TIMEOUT_MS = 20_000

/** HTTP alone: a route that answers the same requests without a database, in a process of its own. */
interface BareRoute {
  contender(options: {
    readonly name: string
    readonly title: string
    readonly plan?: Partial<LoadPlan>
  }): Contender
}

/** Starts a bare route that is sent the very token of the gateway. `isCached`: it verifies each token once. */
export async function startBareRoute(bench: Bench, isCached: boolean): Promise<BareRoute> {
  const port = await freePort()
  const parts = [PROGRAM, String(port), isCached ? 'cached' : 'uncached', await writeGiven(bench)]
  const program = startProgram({ name: 'bare Fastify route', parts })
  bench.atEnd(() => program.stop())
  await untilAnswers(program, { port, path: '/readyz', timeoutMs: START_TIMEOUT_MS })
  const templates = [createPayins(bench.token)]
  return {
    contender: ({ name, title, plan }) => ({
      name,
      title,
      measure: () =>
        runRound({
          gauge: bench.gauge,
          pids: [program.pid],
          usesDatabase: false,
          plan: planFor(bench.options, port, templates, plan),
        }),
    }),
  }
}

/** Asks the gateway for its public key and for one answer, so that the bare route checks and answers the same. */
async function writeGiven({ gateway, token, server }: Bench): Promise<string> {
  const { port } = gateway
  const keys = await callHttp({ port, method: 'GET', path: '/.well-known/jwks.json' })
  const created = await callHttp({
    port,
    method: 'POST',
    path: `/payins/${String(performance.now()).replace('.', '-').padStart(ID_PLACEHOLDER.length, '0')}`,
    headers: {
      'X-API-Version': API_VERSION,
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(PAYIN_BODY),
  })
  if (created.status !== 201) throw new Error(`no payin to learn from: ${created.text}`)
  const file = join(server.dataDir, 'bare-route.json')
  const answer: unknown = JSON.parse(created.text)
  writeFileSync(file, JSON.stringify({ jwk: at(JSON.parse(keys.text), 'keys', 0), answer }))
  return file
}
