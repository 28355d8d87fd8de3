import { type Bench, loadGateway } from '../bench.ts'
import { startBareRoute } from '../contenders/bare-route.ts'
import { databaseAlone } from '../contenders/database-alone.ts'
import { PGBENCH_MISSING } from '../contenders/pgbench.ts'
import { createPayins } from '../scenarios.ts'
import { absent, type Baseline, join, type Lineup } from './baseline.ts'

const ONE = { connections: 1 } as const

/** One request at a time: what a lone create takes, beside a lone transaction and a lone answer of the bare route. */
export async function aloneLineup(bench: Bench, baseline: Baseline | undefined): Promise<Lineup> {
  const templates = [createPayins(bench.token)]
  const bare = await startBareRoute(bench, true)
  const http: Lineup = {
    contenders: [
      {
        name: 'createPayinAlone',
        title: 'create payin, one at a time',
        measure: () => loadGateway(bench, bench.gateway, templates, ONE),
      },
      bare.contender({ name: 'bareRouteAlone', title: 'bare route, one at a time', plan: ONE }),
    ],
    missing: [],
  }
  const who = { name: 'pgbenchPayinAlone', title: 'PostgreSQL alone, one at a time' }
  if (baseline === undefined) return join([http, absent(who, PGBENCH_MISSING)])
  const { pgbench, payin: script } = baseline
  // The gateway's own kind of plan is what its own statement is held against.
  const order = { clients: 1, planCacheMode: 'force_custom_plan' } as const
  const alone = databaseAlone(bench, { ...who, pgbench, script, order, withLatencies: true })
  return join([http, { contenders: [alone], missing: [] }])
}
