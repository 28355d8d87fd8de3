import { setTimeout as sleep } from 'node:timers/promises'
import { createPatientSql } from '../setup/database.ts'
import type { PlainFault } from './kind.ts'

/** What every payment, callback and notification goes through. */
const TABLES = [
  'payments',
  'payment_timeline',
  'payment_tasks',
  'callback_events',
  'callback_attempts',
  'rail_notifications',
  'balances',
  'merchants',
] as const
const PAUSE_MS_MAX = 2_000

/** A newer version brings what is allowed to come while the older one runs: columns, an index, a table. Then they go again. */
export const schemaChange: PlainFault = {
  name: 'schema-change',
  isLongOnly: true,
  title: 'a schema with further columns, an index and a table comes while the processes run, and goes again',
  async strike({ server }, random) {
    const sql = createPatientSql(server)
    const table = random.pick(TABLES)
    await sql(`set lock_timeout = '1s';
      alter table ${table} add column if not exists faults_note text not null default 'x'`)
    await sql(`create table if not exists faults_newer (like ${table} including all)`)
    await sleep(random.below(PAUSE_MS_MAX))
    await sql(`create index concurrently if not exists faults_newer_note on ${table} (faults_note)`)
    await sleep(random.below(PAUSE_MS_MAX))
    await sql(`set lock_timeout = '1s';
      drop table if exists faults_newer;
      alter table ${table} drop column if exists faults_note`)
  },
}
