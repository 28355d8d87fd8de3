import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sqlNumber } from '../../rig/sql.ts'

const TIMEOUT_MS = 120_000
const POLL_MS = 200
const LEFT = `select (select count(*) from audit_records) - (select count(*) from audit_chain)
  + (select count(*) from ledger_transfers) - (select count(*) from ledger_journal)`

/**
 * Waits until a worker has chained what nobody measures: the audit log of the merchants that were made, and bookings of contenders
 * that had no worker.
 */
export async function untilChained(sql: Sql): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS
  while ((await sqlNumber(sql, LEFT)) > 0) {
    if (performance.now() > deadlineMs) throw new Error('the journal was not chained in time')
    await sleep(POLL_MS)
  }
}
