import { freePort } from '@tollgate/testkit'
import type { Program } from '../../rig/programs.ts'
import { type Bench, loadGateway } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { databaseAlone, findBestOrder } from '../contenders/database-alone.ts'
import { type CapturedLife, captureLife } from '../contenders/life-capture.ts'
import { findPgbench, PGBENCH_MISSING } from '../contenders/pgbench.ts'
import type { LoadPlan } from '../load/plan.ts'
import { ID_PLACEHOLDER } from '../load/requests.ts'
import type { Round } from '../measure/round.ts'
import { createPayins, paidPayinBody } from '../scenarios.ts'
import { absent, join, type Lineup } from './baseline.ts'
import { withWorker } from './callbacks.ts'
import { type LifeProfile, profileLife } from './life-profile.ts'
import { STEADY_SHARE } from './steady.ts'

/** Merchants' servers. */
const RECEIVERS = 8
/** Payments that have begun and not ended: enough that a second of delay does not leave the machine idle. */
const IN_FLIGHT_MAX = 1_000
/**
 * A new worker runs its code slowly until it is compiled, and reads every merchant once; and PostgreSQL writes whole pages after a
 * checkpoint. What is measured is how it goes on.
 */
const LENGTH = { warmupSeconds: 12, seconds: 6 } as const

/** "The whole life": created, asked of the rail, succeeded, booked, told and noted; and PostgreSQL alone with the same rows. */
export interface Life {
  readonly lineup: Lineup
  /** Payments come at a fixed rate, whatever becomes of those before, and not as fast as they can be dealt with. */
  readonly steady: Contender
  /** What each statement and each table has to do with it. Restarts the server. */
  profile(): Promise<LifeProfile>
}

export async function prepareLife(bench: Bench, crowd: readonly string[]): Promise<Life> {
  const captured = await captureLife(bench)
  const ports = await Promise.all(Array.from({ length: RECEIVERS }, () => freePort()))
  const templates = crowd.map((token, index) =>
    createPayins(
      token,
      paidPayinBody(`http://127.0.0.1:${ports[index % RECEIVERS] ?? 0}/callbacks/${ID_PLACEHOLDER}`),
    ),
  )
  const lives = { ports, inFlightMax: IN_FLIGHT_MAX }
  const load = (worker: Program, pace: Partial<LoadPlan>): Promise<Round> =>
    loadGateway(bench, bench.gateway, templates, {
      ...LENGTH,
      ...pace,
      lives,
      pids: [bench.gateway.program.pid, worker.pid],
      keepsSessions: true,
    })
  const contender: Contender = {
    name: 'wholeLife',
    title: 'whole life: create, pay, book, call back',
    measure: () => withWorker(bench, (worker) => load(worker, {})),
  }
  return {
    steady: {
      name: 'callbackSteady',
      title: 'request to first callback, at 80 % of the lives just before',
      measure: () =>
        withWorker(bench, async (worker) => {
          const { perSecond } = await load(worker, {})
          return load(worker, { ratePerSecond: Math.round(perSecond * STEADY_SHARE) })
        }),
    },
    lineup: join([{ contenders: [contender], missing: [] }, await aloneLineup(bench, captured)]),
    profile: () => profileLife(bench, { templates, lives }, captured.names),
  }
}

async function aloneLineup(bench: Bench, { script }: CapturedLife): Promise<Lineup> {
  const who = { name: 'pgbenchLife', title: 'PostgreSQL alone, whole life in three transactions' }
  const { server } = bench
  const pgbench = findPgbench({ url: server.url, folder: server.dataDir })
  if (pgbench === undefined) return absent(who, PGBENCH_MISSING)
  const order = await findBestOrder(pgbench, script)
  bench.say(`${who.title}: pgbench does best with ${order.clients} clients and ${order.planCacheMode}.`)
  return {
    contenders: [databaseAlone(bench, { ...who, pgbench, script, order, length: LENGTH })],
    missing: [],
  }
}
