import { type Bench, loadGateway } from '../bench.ts'
import { startBareRoute } from '../contenders/bare-route.ts'
import { findPeer, PEER_MISSING, PEER_TITLE, peerContender } from '../contenders/peer.ts'
import { createPayins } from '../scenarios.ts'
import { absent, type Baseline, join, type Lineup, pgbenchAtBest } from './baseline.ts'

/** As many transactions at a time as the gateway has connections, and its default pool has ten. */
const POOL_MAX = 10
/** "Create a payin": the gateway, the same with batches of one, PostgreSQL alone, HTTP alone, and a peer. */
export async function createLineup(bench: Bench, baseline: Baseline | undefined): Promise<Lineup> {
  const templates = [createPayins(bench.token)]
  const ofOne = await bench.startGateway({
    name: 'tollgate serve, batches of one',
    settings: { TOLLGATE_BATCH_ROWS_MAX: '1', TOLLGATE_BATCHES_IN_FLIGHT_MAX: String(POOL_MAX) },
  })
  const gateways: Lineup = {
    contenders: [
      {
        name: 'createPayin',
        title: 'create payin',
        measure: () => loadGateway(bench, bench.gateway, templates),
      },
      {
        name: 'createPayinBatchOfOne',
        title: 'create payin, batches of one',
        measure: () => loadGateway(bench, ofOne, templates),
      },
    ],
    missing: [],
  }
  const alone = await pgbenchAtBest(bench, baseline, {
    name: 'pgbenchPayin',
    title: 'PostgreSQL alone, payins',
    statement: 'payin',
  })
  return join([gateways, alone, await bareLineup(bench), await peerLineup(bench)])
}

async function bareLineup(bench: Bench): Promise<Lineup> {
  const cached = await startBareRoute(bench, true)
  const uncached = await startBareRoute(bench, false)
  return {
    contenders: [
      cached.contender({ name: 'bareRoute', title: 'bare Fastify route' }),
      uncached.contender({ name: 'bareRouteUncached', title: 'bare route, token verified each time' }),
    ],
    missing: [],
  }
}

async function peerLineup(bench: Bench): Promise<Lineup> {
  const url = findPeer()
  if (url === undefined) return absent({ name: 'peer', title: PEER_TITLE }, PEER_MISSING)
  return { contenders: [await peerContender(bench, url)], missing: [] }
}
