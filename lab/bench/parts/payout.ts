import { type Bench, loadGateway } from '../bench.ts'
import { createPayouts } from '../scenarios.ts'
import { type Baseline, join, type Lineup, pgbenchAtBest } from './baseline.ts'

/** "Create a payout": all from one balance, and from as many balances as there are merchants; PostgreSQL alone on one. */
export async function payoutLineup(
  bench: Bench,
  baseline: Baseline | undefined,
  crowd: readonly string[],
): Promise<Lineup> {
  const hot = [createPayouts(bench.token)]
  const spread = crowd.map((token) => createPayouts(token))
  const gateways: Lineup = {
    contenders: [
      {
        name: 'createPayoutHot',
        title: 'create payout, one merchant',
        measure: () => loadGateway(bench, bench.gateway, hot),
      },
      {
        name: 'createPayoutMany',
        title: `create payout, ${crowd.length} merchants`,
        measure: () => loadGateway(bench, bench.gateway, spread),
      },
    ],
    missing: [],
  }
  const alone = await pgbenchAtBest(bench, baseline, {
    name: 'pgbenchPayoutHot',
    title: 'PostgreSQL alone, payouts from one balance',
    statement: 'payout',
  })
  return join([gateways, alone])
}
