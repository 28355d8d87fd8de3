import { setTimeout as sleep } from 'node:timers/promises'
import { sqlNumber } from '../../rig/sql.ts'
import { createPatientSql } from '../setup/database.ts'
import type { Stage } from '../setup/stage.ts'
import type { PreparedFault } from './kind.ts'
import { inTurns, restart } from './restart.ts'

const HEAP_MB = 128
const LITTLE = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }
const BACKLOG = 5_000
const DRAIN_MS_MAX = 60_000
const POLL_MS = 100
const MS_PER_SECOND = 1_000
const DRAIN_RATE = `callbacks per second out of ${BACKLOG.toLocaleString('en-US')} due at once, with ${HEAP_MB} MB for each process and the load beside: least`

/** All processes have little memory, and a backlog of callbacks is due at once, as after a long stop of all workers. */
export const littleMemory: PreparedFault = {
  name: 'little-memory',
  title: `${BACKLOG.toLocaleString('en-US')} callbacks due at once, and a heap of ${HEAP_MB} MB for every process`,
  async prepare(stage) {
    const members = [...stage.apis, ...stage.workers]
    await inTurns(stage, (member) => restart(member, LITTLE))
    return {
      strike: () => drain(stage),
      async end() {
        const dead = members.filter((member) => member.hasEnded()).length
        if (dead > 0)
          stage.notes.broken({ invariant: 'lives', says: `${dead} processes ended for want of memory` })
        await inTurns(stage, (member) => restart(member))
      },
    }
  },
}

/** Says how fast it went: until nothing was left, or until it had gone on for a minute. */
async function drain({ server, receivers, notes }: Stage): Promise<void> {
  const sql = createPatientSql(server)
  while ((await sqlNumber(sql, DECLINED)) === 0) await sleep(POLL_MS)
  await server.sql(INSERT_BACKLOG, [BACKLOG, receivers.goodUrls])
  const startMs = performance.now()
  const elapsedMs = (): number => performance.now() - startMs
  let left = BACKLOG
  while (left > 0 && elapsedMs() < DRAIN_MS_MAX) {
    await sleep(POLL_MS)
    left = await sqlNumber(sql, LEFT)
  }
  notes.least(DRAIN_RATE, ((BACKLOG - left) * MS_PER_SECOND) / elapsedMs())
}

const DECLINED = `select count(*) from payments where id_payment like 'declined-%' and status = 'FAILED'`
const LEFT = `select count(*) from callback_events where state = 'PENDING' and id_entity like 'declined-backlog-%'`

/** Copies of a payin that was declined, with its history, all of it now, as if nobody had told the merchant yet. */
const INSERT_BACKLOG = `with sample as (
    select p from payments p where id_payment like 'declined-%' and status = 'FAILED' limit 1),
  fresh as (
    select (jsonb_populate_record(p, jsonb_build_object('nonce', gen_random_uuid(), 'callback_url', url,
      'id_payment', 'declined-backlog-' || id, 'reference', 'BACKLOG-' || id, 'created_at', now()))).*
    from sample cross join (
      select gen_random_uuid() as id, ($2::text[])[1 + n % cardinality($2)] as url from generate_series(1, $1::integer) n) ids),
  payment as (
    insert into payments select * from fresh returning merchant_id, kind, id_payment, timeline_count, callback_url as url),
  timeline as (
    insert into payment_timeline
    select (jsonb_populate_record(t, jsonb_build_object('id_payment', payment.id_payment, 'happened_at', now()))).*
    from payment_timeline t join sample on (t.merchant_id, t.kind, t.id_payment) = ((p).merchant_id, (p).kind, (p).id_payment)
      cross join payment)
  insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver)
  select gen_random_uuid(), merchant_id, kind, id_payment, timeline_count, url, substring(url from '^https?://[^/]+') from payment`
