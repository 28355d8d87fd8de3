import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, waitUntil } from '@tollgate/testkit'
import { API_VERSION, type GatewayProcess, startGateway, startWorker } from '../../rig/gateway.ts'
import { callHttp, type Program } from '../../rig/programs.ts'
import { type Sql, sqlNumber } from '../../rig/sql.ts'
import type { Bench } from '../bench.ts'
import { paidPayinBody } from '../scenarios.ts'
import { startProxy } from './capture.ts'
import { readTables, rowsOfLife, takeSnapshot } from './life-rows.ts'
import { scriptOfLife } from './life-script.ts'
import type { BenchScript } from './pgbench-script.ts'

const ID = 'life-capture-0123456789abcdef'
const TIMEOUT_MS = 120_000
/** The longest that a gateway waits for an answer. */
const CALLBACK_SECONDS = 60
/** Jobs begin when their process does. */
const IDLE_MS = 1_500

type LifeOf = Pick<Bench, 'server' | 'token'>

export interface CapturedLife {
  readonly script: BenchScript
  /** The names under which the gateway prepared its statements meanwhile, by their text. */
  readonly names: ReadonlyMap<string, string>
  /** The statements from the acceptance until the callback was noted, by name, or by text without one. */
  readonly ofLife: ReadonlySet<string>
  /** Those of the time before, when there was no payment. */
  readonly ofIdle: ReadonlySet<string>
}

/**
 * Lets a gateway carry one payment through its life, looks at all tables after each of its steps, and returns a script that
 * writes the same rows. A column, a row or an index that is added later is thus in the script, too.
 */
export async function captureLife(bench: LifeOf): Promise<CapturedLife> {
  const { sql } = bench.server
  const tables = await readTables(sql)
  const look = (): ReturnType<typeof takeSnapshot> => takeSnapshot(sql, tables)
  const names = new Map<string, string>()
  const [ofLife, ofIdle] = [new Set<string>(), new Set<string>()]
  let isLife = false
  const proxy = await startProxy(bench.server.url, ({ name, text }) => {
    names.set(text, name)
    const seen = isLife ? ofLife : ofIdle
    seen.add(name === '' ? text.replaceAll(/\s+/g, ' ').trim() : name)
  })
  const server = { ...bench.server, url: proxy.url }
  const receiver = await openReceiver()
  const gateway = await startGateway(server)
  // All tables are looked at before the callback is answered.
  const worker = await startWorker(server, { TOLLGATE_CALLBACK_TIMEOUT_SECONDS: String(CALLBACK_SECONDS) })
  try {
    await sleep(IDLE_MS)
    await pauseAtRest(worker, sql)
    const before = await look()
    isLife = true
    await createPayin(gateway, bench.token, `${receiver.url}/${ID}`)
    const created = await look()
    worker.resume()
    const answer = await receiver.called
    const booked = await look()
    answer.writeHead(200, { 'content-length': '0' }).end()
    await untilNoted(bench)
    const noted = await look()
    const [payment] = await sql('select merchant_id::text, reference from payments where id_payment = $1', [
      ID,
    ])
    const merchantId = String(payment?.['merchant_id'])
    const rows = rowsOfLife(tables, { before, created, booked, noted }, { merchantId, idPayment: ID })
    const drawn = [String(payment?.['reference'])]
    const merchants = await merchantsOf(bench)
    const script = scriptOfLife({ rows, idPayment: ID, merchantId, drawn, merchants })
    return { script, names, ofLife, ofIdle }
  } finally {
    worker.resume()
    await worker.stop()
    receiver.close()
    await gateway.stop()
    await proxy.stop()
  }
}

/**
 * Pauses the worker while it waits for nothing. A transaction that it had open would be rolled back when it goes on, for the answer
 * to its last statement would be older than the driver waits, and the life would have a statement that no life has.
 */
async function pauseAtRest(worker: Program, sql: Sql): Promise<void> {
  const busy = `select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
  const isPausedAtRest = async (): Promise<boolean> => {
    worker.pause()
    const isAtRest = (await sqlNumber(sql, busy)) === 0
    if (!isAtRest) worker.resume()
    return isAtRest
  }
  await waitUntil(isPausedAtRest, { timeoutMs: TIMEOUT_MS, what: 'a worker at rest' })
}

async function createPayin(gateway: GatewayProcess, token: string, callbackUrl: string): Promise<void> {
  const { status, text } = await callHttp({
    port: gateway.port,
    method: 'POST',
    path: `/payins/${ID}`,
    headers: {
      'X-API-Version': API_VERSION,
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(paidPayinBody(callbackUrl)),
  })
  if (status !== 201) throw new Error(`no payin to learn from: ${String(status)} ${text}`)
}

function untilNoted({ server }: LifeOf): Promise<void> {
  const noted = "select count(*) from callback_events where id_entity = $1 and state = 'DELIVERED'"
  const isNoted = async (): Promise<boolean> => (await sqlNumber(server.sql, noted, [ID])) > 0
  return waitUntil(isNoted, { timeoutMs: TIMEOUT_MS, what: 'the record of the callback' })
}

/** The merchants who have balances in EUR: their ids have no gaps, since all but the first were made at once. */
async function merchantsOf({ server }: LifeOf): Promise<{ readonly from: number; readonly to: number }> {
  const of = (expression: string): Promise<number> =>
    sqlNumber(
      server.sql,
      `select ${expression} from balances where currency_code = 'EUR' and merchant_id >= 0`,
    )
  const [from, to, count] = [await of('min(merchant_id)'), await of('max(merchant_id)'), await of('count(*)')]
  if (to - from + 1 !== count) throw new Error(`the ids of ${count} merchants lie between ${from} and ${to}`)
  return { from, to }
}

/** A merchant's server that holds its answer back. */
async function openReceiver() {
  const called = Promise.withResolvers<ServerResponse>()
  const server = createServer((request, response) => {
    request.resume().once('end', () => called.resolve(response))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const timer = setTimeout(() => called.reject(new Error('the payin was not called back')), TIMEOUT_MS)
  return {
    url: `http://127.0.0.1:${port}`,
    called: called.promise.finally(() => clearTimeout(timer)),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
