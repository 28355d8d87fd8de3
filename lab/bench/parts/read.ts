import { type Bench, loadGateway } from '../bench.ts'
import { ID_LENGTH } from '../load/plan.ts'
import { createPayins, issueTokens, readPayins } from '../scenarios.ts'
import type { Lineup } from './baseline.ts'

const READ_MAX = 10_000
const READ_MIN = 1_000
const FILL_SECONDS = 1

/** "Read a payin's detail", of ten thousand payins. */
export async function readLineup(bench: Bench): Promise<Lineup> {
  const templates = [readPayins(bench.token, await someIds(bench))]
  return alone('readPayin', 'read payin', () => loadGateway(bench, bench.gateway, templates))
}

/** "Issue a token" for a signed request. */
export function tokenLineup(bench: Bench): Lineup {
  return alone('issueToken', 'issue token', () =>
    // Signed anew each time, because a timestamp is good for five minutes only.
    loadGateway(bench, bench.gateway, issueTokens(bench.demo)),
  )
}

function alone(name: string, title: string, measure: Lineup['contenders'][number]['measure']): Lineup {
  return { contenders: [{ name, title, measure }], missing: [] }
}

/** Ids of payins of the sandbox's merchant; some are made if there are too few. */
export async function someIds(bench: Bench): Promise<readonly string[]> {
  const found = await listIds(bench)
  if (found.length >= READ_MIN) return found
  await loadGateway(bench, bench.gateway, [createPayins(bench.token)], {
    warmupSeconds: 0,
    seconds: FILL_SECONDS,
  })
  return listIds(bench)
}

async function listIds({ server, demo }: Bench): Promise<readonly string[]> {
  const rows = await server.sql(
    `select id_payment from payments join merchants using (merchant_id)
     where merchant_code = $1 and kind = 'PAYIN' and length(id_payment) = $2 limit $3`,
    [demo.merchantCode, ID_LENGTH, READ_MAX],
  )
  return rows.map((row) => String(row['id_payment']))
}
