import { type Money, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { Act, ActKind, ActState, NewAct } from './model.ts'

const COLUMNS = `c.confirmation_id, c.kind, c.digest, c.title, c.actor, c.directive, c.line_ids::text[] as line_ids, c.byte_count, c.state,
  c.state = 'WAITING' and c.expire_at <= clock_timestamp() as is_due,
  c.proposed_at, c.expire_at, c.ended_at, c.ended_by, c.ended_reason, c.result,
  (select array_agg(s.currency_code || ' ' || s.amount order by s.currency_code) from confirmation_sums s
    where s.confirmation_id = c.confirmation_id) as sums`
const INSERT: Statement = {
  name: 'confirmations_insert',
  text: `insert into confirmations (kind, digest, title, actor, directive, line_ids, data_key, sealed, byte_count, state, expire_at, ended_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + $11 * interval '1 second',
      case when $10 = 'WAITING' then null else clock_timestamp() end)
    on conflict do nothing returning confirmation_id`,
}
const INSERT_SUMS: Statement = {
  name: 'confirmations_insert_sums',
  text: `insert into confirmation_sums (confirmation_id, currency_code, amount)
    select $1, n.* from unnest($2::text[], $3::numeric[]) as n`,
}
const FIND_WAITING: Statement = {
  name: 'confirmations_find_waiting',
  text: `select ${COLUMNS} from confirmations c where c.kind = $1 and c.digest = $2 and c.state = 'WAITING'`,
}
const FIND: Statement = {
  name: 'confirmations_find',
  text: `select ${COLUMNS} from confirmations c where c.confirmation_id = $1`,
}
const FIND_FOR_UPDATE: Statement = {
  name: 'confirmations_find_for_update',
  text: `select ${COLUMNS} from confirmations c where c.confirmation_id = $1 for update`,
}
const FIND_CONTENT: Statement = {
  name: 'confirmations_find_content',
  text: 'select data_key, sealed from confirmations where confirmation_id = $1 and sealed is not null',
}
const FIND_CONTENT_SIZE: Statement = {
  name: 'confirmations_find_content_size',
  text: 'select octet_length(sealed) as bytes from confirmations where confirmation_id = $1 and sealed is not null',
}
const LIST: Statement = {
  name: 'confirmations_list',
  text: `select ${COLUMNS} from confirmations c where c.state = any($1) and ($2::bigint is null or c.confirmation_id < $2)
    order by c.confirmation_id desc limit $3`,
}
const LIST_EARLIER: Statement = {
  name: 'confirmations_list_earlier',
  text: `select ${COLUMNS} from confirmations c where c.digest = $1 and c.confirmation_id < $2 order by c.confirmation_id desc limit $3`,
}
const LIST_OF_LINES: Statement = {
  name: 'confirmations_list_of_lines',
  text: `select ${COLUMNS} from confirmations c where c.state = 'WAITING' and c.line_ids && $1::bigint[] and c.expire_at > clock_timestamp()
    order by c.confirmation_id`,
}
const UPDATE_ENDED: Statement = {
  name: 'confirmations_update_ended',
  text: `update confirmations set state = $2, ended_at = clock_timestamp(), ended_by = $3, ended_reason = $4, result = $5
    where confirmation_id = $1 and state = 'WAITING' returning 1`,
}
const UPDATE_EXPIRED: Statement = {
  name: 'confirmations_update_expired',
  text: `update confirmations set state = 'EXPIRED', ended_at = clock_timestamp() where confirmation_id in (
      select confirmation_id from confirmations where state = 'WAITING' and expire_at <= clock_timestamp()
      order by expire_at limit $1 for update skip locked)
    returning confirmation_id`,
}
const UPDATE_ALL_EXPIRED: Statement = {
  name: 'confirmations_update_all_expired',
  text: `update confirmations set state = 'EXPIRED', ended_at = clock_timestamp() where state = 'WAITING'`,
}
/** Two acts of one operator at the same time would not see each other's sums. */
const LOCK_ACTOR: Statement = {
  name: 'confirmations_lock_actor',
  text: `select pg_advisory_xact_lock($1, hashtext($2))`,
}
const ACTOR_LOCK = 50_732
const LIST_ALONE: Statement = {
  name: 'confirmations_list_alone',
  text: `select s.currency_code, sum(s.amount)::text as amount from confirmations c join confirmation_sums s using (confirmation_id)
    where c.state = 'ALONE' and c.actor = $1 and c.proposed_at > clock_timestamp() - interval '24 hours' group by s.currency_code`,
}

/** Stores an act; undefined when the same file waits already. */
export async function insertAct(
  tx: Tx,
  act: NewAct,
  given: {
    readonly state: 'WAITING' | 'ALONE'
    readonly expiresAfterSeconds: number
    readonly content: { readonly dataKey: Buffer; readonly sealed: Buffer } | undefined
  },
): Promise<string | undefined> {
  const { state, expiresAfterSeconds, content } = given
  const [row] = await tx.rows<{ confirmation_id: string }>(INSERT, [
    act.kind,
    act.digest,
    act.title,
    act.actor,
    act.directive,
    act.lineIds,
    content?.dataKey ?? null,
    content?.sealed ?? null,
    act.bytes.length,
    state,
    expiresAfterSeconds,
  ])
  if (row === undefined) return undefined
  await tx.rows(INSERT_SUMS, [
    row.confirmation_id,
    act.sums.map(({ currencyCode }) => currencyCode),
    act.sums.map(({ amount }) => amount),
  ])
  return row.confirmation_id
}

/** Until the transaction ends, the same actor proposes nothing else. */
export async function lockActor(tx: Tx, actor: string): Promise<void> {
  await tx.rows(LOCK_ACTOR, [ACTOR_LOCK, actor])
}

/** What the actor did without a second operator within a day. */
export async function listAlone(tx: Tx, actor: string): Promise<readonly Money[]> {
  const rows = await tx.rows<{ currency_code: string; amount: string }>(LIST_ALONE, [actor])
  return rows.map((row) => ({ currencyCode: row.currency_code, amount: parsePlainAmount(row.amount) }))
}

export async function findWaiting(tx: Tx, kind: ActKind, digest: Buffer): Promise<Act | undefined> {
  return (await tx.rows<ActRow>(FIND_WAITING, [kind, digest])).map(toAct)[0]
}

export async function findAct(tx: Tx, confirmationId: string): Promise<Act | undefined> {
  return (await tx.rows<ActRow>(FIND, [confirmationId])).map(toAct)[0]
}

/** The act, locked until the transaction ends. */
export async function findActForUpdate(tx: Tx, confirmationId: string): Promise<Act | undefined> {
  return (await tx.rows<ActRow>(FIND_FOR_UPDATE, [confirmationId])).map(toAct)[0]
}

/** What is encrypted of an act. */
export async function findContent(
  tx: Tx,
  confirmationId: string,
): Promise<{ readonly dataKey: Buffer; readonly sealed: Buffer } | undefined> {
  const rows = await tx.rows<{ data_key: Buffer; sealed: Buffer }>(FIND_CONTENT, [confirmationId])
  return rows.map((row) => ({ dataKey: row.data_key, sealed: row.sealed }))[0]
}

/** Bytes of what is encrypted of an act; 0 where there is nothing. */
export async function findContentSize(tx: Tx, confirmationId: string): Promise<number> {
  const rows = await tx.rows<{ bytes: number }>(FIND_CONTENT_SIZE, [confirmationId])
  return rows[0]?.bytes ?? 0
}

/** Acts in one of the states, the newest first, from before one of an earlier page. */
export async function listActs(
  tx: Tx,
  query: {
    readonly states: readonly ActState[]
    readonly before: string | undefined
    readonly limit: number
  },
): Promise<readonly Act[]> {
  return (await tx.rows<ActRow>(LIST, [query.states, query.before ?? null, query.limit])).map(toAct)
}

/** What became of the same bytes when they were proposed before, the newest first. */
export async function listEarlier(tx: Tx, act: Act, limit: number): Promise<readonly Act[]> {
  const digest = Buffer.from(act.digest, 'hex')
  return (await tx.rows<ActRow>(LIST_EARLIER, [digest, act.confirmationId, limit])).map(toAct)
}

/** Acts that wait and are about one of these statement lines. */
export async function listActsOfLines(tx: Tx, lineIds: readonly string[]): Promise<readonly Act[]> {
  return (await tx.rows<ActRow>(LIST_OF_LINES, [lineIds])).map(toAct)
}

/** Ends an act that waits; false when it does not wait any more. */
export async function updateEnded(
  tx: Tx,
  confirmationId: string,
  end: {
    readonly state: Exclude<ActState, 'WAITING' | 'ALONE' | 'EXPIRED'>
    readonly endedBy: string
    readonly reason: string | undefined
    readonly result: string | undefined
  },
): Promise<boolean> {
  const values = [confirmationId, end.state, end.endedBy, end.reason ?? null, end.result ?? null]
  return (await tx.rows(UPDATE_ENDED, values)).length > 0
}

/** Ends what has waited for too long, by the database's clock; answers which. */
export async function updateExpired(tx: Tx, limit: number): Promise<readonly string[]> {
  return (await tx.rows<{ confirmation_id: string }>(UPDATE_EXPIRED, [limit])).map(
    (row) => row.confirmation_id,
  )
}

interface ActRow {
  readonly confirmation_id: string
  readonly kind: ActKind
  readonly digest: Buffer
  readonly title: string
  readonly actor: string
  readonly directive: string
  readonly line_ids: readonly string[]
  readonly byte_count: number
  readonly state: ActState
  readonly is_due: boolean
  readonly proposed_at: Date
  readonly expire_at: Date
  readonly ended_at: Date | null
  readonly ended_by: string | null
  readonly ended_reason: string | null
  readonly result: string | null
  readonly sums: readonly string[] | null
}

function toAct(row: ActRow): Act {
  return {
    confirmationId: row.confirmation_id,
    kind: row.kind,
    digest: row.digest.toString('hex'),
    title: row.title,
    actor: row.actor,
    directive: row.directive,
    lineIds: row.line_ids,
    byteCount: row.byte_count,
    state: row.state,
    isDue: row.is_due,
    proposedAt: row.proposed_at,
    expireAt: row.expire_at,
    endedAt: row.ended_at ?? undefined,
    endedBy: row.ended_by ?? undefined,
    endedReason: row.ended_reason ?? undefined,
    result: row.result ?? undefined,
    sums: (row.sums ?? []).map(toMoney),
  }
}

function toMoney(text: string): Money {
  const [currencyCode = '', amount = ''] = text.split(' ')
  return { currencyCode, amount: parsePlainAmount(amount) }
}

/** Ends all that wait, undecided. */
export async function expireAllActs(tx: Tx): Promise<void> {
  await tx.rows(UPDATE_ALL_EXPIRED, [])
}
