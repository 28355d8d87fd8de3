import { execFile } from 'node:child_process'
import type { SqlRow } from '@tollgate/testkit'
import { CALLBACK_SETTINGS } from '../../../apps/gateway/src/modules/callbacks/index.ts'
import { cleanEnvironment, ROOT } from '../../rig/programs.ts'
import type { Sql } from '../../rig/sql.ts'
import type {
  ApprovedRow,
  DecidedRow,
  Facts,
  Finding,
  PaymentKind,
  PaymentName,
  UploadRow,
} from '../check/facts.ts'
import { APPROVED_IDS, ENDLESS_IDS, expectedStatusOf, UNSURE_IDS } from '../driver/plans.ts'
import { createPatientSql } from './database.ts'
import { CALLBACK_INTERVAL_SECONDS, CALLBACK_TIMEOUT_SECONDS, type Stage } from './stage.ts'

// What everybody says when all is quiet: the rows of the database as they are, and the logs of the others.

const COMMAND = 'apps/gateway/bin/tollgate.mjs'
const OUTPUT_BYTES_MAX = 10_000_000

/** Hears all witnesses. */
export async function hearAll(stage: Stage): Promise<Facts> {
  const sql = createPatientSql(stage.server)
  return {
    calls: stage.history.calls,
    payments: (await sql(PAYMENTS)).map((row) => ({
      ...nameIn(row),
      status: text(row, 'status'),
      phase: text(row, 'processor_status'),
      expectedStatus: expectedStatusOf(text(row, 'id')),
      money: { amount: text(row, 'amount'), currencyCode: text(row, 'currency_code') },
      rail: text(row, 'rail'),
      reference: text(row, 'reference'),
      hasCallback: row['has_callback'] === true,
      refundOf: row['refund_of'] === null ? undefined : text(row, 'refund_of'),
    })),
    timeline: (await sql(TIMELINE)).map((row) => ({
      ...nameIn(row),
      entryNo: Number(row['entry_no']),
      status: text(row, 'status'),
    })),
    transfers: (await sql(TRANSFERS)).map((row) => ({
      ...nameIn(row),
      transferId: text(row, 'transfer_id'),
      event: text(row, 'event'),
      currencyCode: text(row, 'currency_code'),
      total: text(row, 'total'),
    })),
    ...(await hearOfMoney(sql)),
    ...(await hearOfCallbacks(sql)),
    movements: await stage.bank.movements(),
    arrivals: stage.receivers.arrivals,
    uploads: (await sql(UPLOADS)).map(uploadIn),
    approved: (await sql(APPROVED, [APPROVED_IDS])).map(approvedIn),
    decided: (await sql(DECIDED, [UNSURE_IDS])).map(decidedIn),
    callbackIntervalMs: CALLBACK_INTERVAL_SECONDS * 1000,
    clockJumps: stage.notes.clockJumps,
    callbackLeaseMs: CALLBACK_TIMEOUT_SECONDS * 1000 + CALLBACK_SETTINGS.leaseSlackMs,
  }
}

async function hearOfMoney(sql: Sql): Promise<Pick<Facts, 'balances'>> {
  const balances = (await sql(BALANCES)).map((row) => ({
    merchantCode: text(row, 'merchant_code'),
    currencyCode: text(row, 'currency_code'),
    account: text(row, 'account'),
    stored: text(row, 'stored'),
    summed: text(row, 'summed'),
  }))
  return { balances }
}

async function hearOfCallbacks(sql: Sql): Promise<Pick<Facts, 'callbacks' | 'attempts'>> {
  const callbacks = (await sql(CALLBACKS)).map((row) => ({
    ...nameIn(row),
    eventId: text(row, 'event_id'),
    timelineEntryNo: Number(row['timeline_entry_no']),
    state: text(row, 'state'),
    createdAtMs: Number(row['created_at_ms']),
  }))
  const attempts = (await sql(ATTEMPTS)).map((row) => ({
    eventId: text(row, 'event_id'),
    attemptNo: Number(row['attempt_no']),
    startedAtMs: Number(row['started_at_ms']),
    starts: Number(row['starts']),
    httpStatus: typeof row['http_status'] === 'number' ? row['http_status'] : undefined,
  }))
  return { callbacks, attempts }
}

/** What `tollgate ledger check` says; nothing when it is content. */
export async function verifyBooks({ server }: Stage): Promise<readonly Finding[]> {
  const env = {
    ...cleanEnvironment(),
    TOLLGATE_DATA_DIR: server.dataDir,
    TOLLGATE_DATABASE_URL: server.url,
  }
  const { isClean, output } = await new Promise<{ isClean: boolean; output: string }>((resolve) => {
    execFile(
      process.execPath,
      [COMMAND, 'ledger', 'check'],
      { cwd: ROOT, env, maxBuffer: OUTPUT_BYTES_MAX },
      (error, stdout, stderr) => resolve({ isClean: error === null, output: stdout + stderr }),
    )
  })
  return isClean ? [] : [{ invariant: 'ledger check', says: output.trim() }]
}

/** Whether nothing is under way or due. */
export async function isQuiet({ server, bank }: Stage): Promise<boolean> {
  const sql = createPatientSql(server)
  const [row] = await sql(UNDER_WAY)
  if (Number(row?.['count']) > 0) return false
  const open = await sql(OPEN_PAYMENTS, [ENDLESS_IDS])
  const moved = new Set((await bank.movements()).map(({ reference }) => reference))
  return open.every((payment) => payment['is_asked_for'] === true && !moved.has(text(payment, 'reference')))
}

/** How much was ever noted: the same number twice means that nothing happened in between. */
export async function countEvents({ server }: Stage): Promise<number> {
  const [row] = await createPatientSql(server)(EVENTS)
  return Number(row?.['count'])
}

function uploadIn(row: SqlRow): UploadRow {
  const optional = (column: string): string | undefined =>
    row[column] === null ? undefined : text(row, column)
  const { paid } = row
  return {
    fileId: text(row, 'file_id'),
    digest: text(row, 'digest'),
    takenBy: text(row, 'actor'),
    confirmedBy: optional('confirmed_by'),
    provenBy: optional('proven_by'),
    paid: Array.isArray(paid) ? paid.map(String) : [],
  }
}

function approvedIn(row: SqlRow): ApprovedRow {
  const { phases } = row
  return {
    ...nameIn(row),
    phases: textsIn(phases),
    isHandedOver: row['is_handed_over'] === true,
    approvals: textsIn(row['approvals']).map((each) => {
      const [operatorCode = '', contentHash = ''] = each.split(' ')
      return { operatorCode, contentHash }
    }),
    holds: textsIn(row['holds']).map((each) => {
      const [entryNo = '', event = '', operatorCode = ''] = each.split(' ')
      return { entryNo: Number(entryNo), event, operatorCode }
    }),
  }
}

function decidedIn(row: SqlRow): DecidedRow {
  return {
    ...nameIn(row),
    status: text(row, 'status'),
    evidence: text(row, 'evidence'),
    operators: textsIn(row['operators']),
    words: textsIn(row['words']),
  }
}

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const text = (row: SqlRow, column: string): string => String(row[column])

function nameIn(row: SqlRow): PaymentName {
  return { merchantCode: text(row, 'merchant_code'), kind: kindIn(row), id: text(row, 'id') }
}

function kindIn(row: SqlRow): PaymentKind {
  const { kind } = row
  if (kind === 'PAYIN' || kind === 'PAYOUT' || kind === 'TOPUP') return kind
  throw new Error(`no payment of these runs is a ${String(kind)}`)
}

/** A refund has the id that its merchant gave it; the payout that it is has one that nobody has chosen. */
const idOf = (table: string, column = 'id_payment'): string =>
  `coalesce((select r.id_refund from refunds r where r.merchant_id = ${table}.merchant_id and ${table}.kind = 'PAYOUT'
    and r.id_payment = ${table}.${column}), ${table}.${column}) as id`

const PAYMENTS = `select merchant_code, kind, ${idOf('p')}, p.status, processor_status, trim_scale(amount)::text as amount, currency_code,
    rail, reference, callback_url is not null as has_callback,
    (select r.id_payin from refunds r where r.merchant_id = p.merchant_id and p.kind = 'PAYOUT' and r.id_payment = p.id_payment) as refund_of
  from payments p join merchants using (merchant_id)`

const TIMELINE = `select merchant_code, kind, ${idOf('l')}, entry_no, l.status
  from payment_timeline l join merchants using (merchant_id) order by l.merchant_id, l.kind, l.id_payment, entry_no`

const TRANSFERS = `select merchant_code, kind, ${idOf('t')}, transfer_id, event, coalesce(currency_code, '') as currency_code,
    trim_scale(coalesce(sum(amount), 0))::text as total
  from ledger_transfers t join merchants using (merchant_id) left join ledger_postings using (merchant_id, transfer_id)
  group by merchant_code, t.merchant_id, kind, t.id_payment, transfer_id, event, currency_code`

const BALANCES = `with stored as (
    select merchant_id, currency_code, account, amount from balances cross join lateral (values
      ('AVAILABLE', available), ('NOT_SETTLED', not_settled), ('RESERVED', reserved), ('RECEIVABLE', receivable)) as part (account, amount)),
  summed as (
    select merchant_id, currency_code, account, sum(amount) as amount from ledger_postings
    where account in ('AVAILABLE', 'NOT_SETTLED', 'RESERVED', 'RECEIVABLE') group by merchant_id, currency_code, account)
  select merchant_code, currency_code, account, trim_scale(coalesce(stored.amount, 0))::text as stored,
    trim_scale(coalesce(summed.amount, 0))::text as summed
  from stored full join summed using (merchant_id, currency_code, account) join merchants using (merchant_id)`

const CALLBACKS = `select merchant_code, kind, ${idOf('e', 'id_entity')}, event_id, timeline_entry_no, state,
    (extract(epoch from e.created_at) * 1000)::float8 as created_at_ms
  from callback_events e join merchants using (merchant_id)`

const ATTEMPTS = `select event_id, attempt_no, (extract(epoch from started_at) * 1000)::float8 as started_at_ms, starts, http_status
  from callback_attempts order by event_id, attempt_no`

const UPLOADS = `select file_id::text, encode(content_hash, 'hex') as digest, actor, confirmed_by,
    (select c.ended_by from confirmations c where c.kind = 'STATEMENT_FILE' and c.digest = f.content_hash and c.state = 'CONFIRMED') as proven_by,
    array(select m.merchant_code || ' ' || l.kind || ' ' || l.id_payment from statements s join statement_lines l using (statement_id)
      join merchants m using (merchant_id) where s.file_id = f.file_id and l.state = 'MATCHED') as paid
  from statement_files f where actor like 'operator:%'`

const OF_PAYMENT = 'where merchant_id = p.merchant_id and kind = p.kind and id_payment = p.id_payment'
const APPROVED = `select merchant_code, kind, id_payment as id, p.submitted_at is not null as is_handed_over,
    array(select processor_status from payment_timeline ${OF_PAYMENT} order by entry_no) as phases,
    array(select operator_code || ' ' || encode(content_hash, 'hex') from payout_approvals ${OF_PAYMENT}
      and decision = 'APPROVED' and (p.submitted_at is null or decided_at <= p.submitted_at)) as approvals,
    array(select entry_no || ' ' || event || ' ' || coalesce(operator_code, '') from payment_holds ${OF_PAYMENT} order by entry_no) as holds
  from payments p join merchants using (merchant_id) where kind = 'PAYOUT' and id_payment like $1`

/** A word is about the payment as of an entry; what follows from it is the next one. */
const DECIDED = `select merchant_code, kind, id_payment as id, l.status, coalesce(l.evidence_class, 'nothing') as evidence, l.operators,
    array(select i.operator_code from payment_inquiries i where i.merchant_id = l.merchant_id and i.kind = l.kind
      and i.id_payment = l.id_payment and i.question = 'OPERATOR' and i.timeline_entry_no = l.entry_no - 1
      and i.answer = case l.status when 'SUCCESS' then 'EXECUTED' when 'FAILED' then 'NOT_EXECUTED' else 'RETURNED' end) as words
  from payment_timeline l join merchants using (merchant_id)
  where l.status in ('SUCCESS', 'FAILED', 'REVERSED') and (l.evidence_class = 'PEOPLE' or l.id_payment like $1)`

const UNDER_WAY = `select (select count(*) from callback_events where state = 'PENDING')
  + (select count(*) from rail_notifications where state = 'PENDING') as count`

const EVENTS = `select (select count(*) from payment_timeline) + (select count(*) from ledger_transfers)
  + (select coalesce(sum(starts), 0) from callback_attempts) as count`

/** The bank was asked twice about those whose outcome is unknown, and did not know them either. */
const OPEN_PAYMENTS = `select reference, kind = 'PAYOUT' and processor_status = 'UNKNOWN' and coalesce(unknown_answers, 0) > 1 as is_asked_for
  from payments left join (select * from payment_tasks where task = 'RAIL') t using (merchant_id, kind, id_payment)
  where status = 'CREATED' and id_payment not like $1`
