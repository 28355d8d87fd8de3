import { freePort } from '@tollgate/testkit'
import { startProgram, untilAnswers } from '../../rig/programs.ts'
import { type Bench, planFor } from '../bench.ts'
import { requestTemplate } from '../load/requests.ts'
import { runRound } from '../measure/round.ts'
import type { Contender } from './contender.ts'

// A payment server from npm that keeps everything in memory. It stores nothing that survives its end.

const PEER = 'stripe-stateful-mock'
const PEER_PROGRAM = 'lab/bench/contenders/peer-program.ts'
export const PEER_MISSING = `not installed: npm i --no-save ${PEER}`
export const PEER_TITLE = `${PEER}, in memory`
const START_TIMEOUT_MS = 30_000

/** Where the peer is installed; undefined when it is not. */
export function findPeer(): string | undefined {
  try {
    return import.meta.resolve(PEER)
  } catch {
    return undefined
  }
}

/** POST /v1/charges, with the authorization that the peer asks for. */
export async function peerContender(bench: Bench, url: string): Promise<Contender> {
  const port = await freePort()
  const program = startProgram({ name: PEER, parts: [PEER_PROGRAM, String(port), url] })
  bench.atEnd(() => program.stop())
  // It answers nobody who shows no key.
  await untilAnswers(program, { port, path: '/', status: 401, timeoutMs: START_TIMEOUT_MS })
  const template = requestTemplate({
    label: 'create charge',
    method: 'POST',
    path: '/v1/charges',
    token: 'sk_test_bench',
    contentType: 'application/x-www-form-urlencoded',
    body: 'amount=14990&currency=eur&source=tok_visa',
    expectedStatus: 200,
  })
  return {
    name: 'peer',
    title: PEER_TITLE,
    measure: () =>
      runRound({
        gauge: bench.gauge,
        pids: [program.pid],
        usesDatabase: false,
        plan: planFor(bench.options, port, [template]),
      }),
  }
}
