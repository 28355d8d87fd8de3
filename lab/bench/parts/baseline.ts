import type { Bench } from '../bench.ts'
import { captureStatements } from '../contenders/capture.ts'
import type { Contender, Measured } from '../contenders/contender.ts'
import { databaseAlone, findBestOrder } from '../contenders/database-alone.ts'
import { findPgbench, PGBENCH_MISSING, type Pgbench } from '../contenders/pgbench.ts'
import { type BenchScript, scriptFor } from '../contenders/pgbench-script.ts'
import { PAYIN_BODY, PAYOUT_BODY } from '../scenarios.ts'

/** PostgreSQL's own limit: pgbench, and the product's statements for a batch of one. */
export interface Baseline {
  readonly pgbench: Pgbench
  readonly payin: BenchScript
  readonly payout: BenchScript
}

/** Undefined where pgbench is not installed. */
export async function prepareBaseline({ server, demo }: Bench): Promise<Baseline | undefined> {
  const pgbench = findPgbench({ url: server.url, folder: server.dataDir })
  if (pgbench === undefined) return undefined
  const [payin, payout] = await captureStatements(server, demo, [
    { path: (id) => `/payins/${id}`, body: PAYIN_BODY },
    { path: (id) => `/payouts/${id}`, body: PAYOUT_BODY },
  ])
  if (payin === undefined || payout === undefined) throw new Error('a statement was not seen')
  return { pgbench, payin: scriptFor(payin), payout: scriptFor(payout) }
}

/** Those who take part, and those who cannot. */
export interface Lineup {
  readonly contenders: readonly Contender[]
  readonly missing: readonly Measured[]
}

/** PostgreSQL alone, as fast as pgbench can be made to run one of the statements. */
export async function pgbenchAtBest(
  bench: Bench,
  baseline: Baseline | undefined,
  {
    name,
    title,
    statement,
  }: { readonly name: string; readonly title: string; readonly statement: 'payin' | 'payout' },
): Promise<Lineup> {
  if (baseline === undefined) return absent({ name, title }, PGBENCH_MISSING)
  const { pgbench } = baseline
  const script = baseline[statement]
  const order = await findBestOrder(pgbench, script)
  bench.say(`${title}: pgbench does best with ${order.clients} clients and ${order.planCacheMode}.`)
  return { contenders: [databaseAlone(bench, { name, title, pgbench, script, order })], missing: [] }
}

export function absent(who: { readonly name: string; readonly title: string }, reason: string): Lineup {
  return { contenders: [], missing: [{ name: who.name, title: who.title, rounds: [], missing: reason }] }
}

export function join(lineups: readonly Lineup[]): Lineup {
  return {
    contenders: lineups.flatMap(({ contenders }) => contenders),
    missing: lineups.flatMap(({ missing }) => missing),
  }
}
