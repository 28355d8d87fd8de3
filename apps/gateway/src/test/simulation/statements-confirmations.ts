import { addAmounts, parsePlainAmount } from '@tollgate/money'
import type { ActKind, ActState } from '../../modules/confirmations/model.ts'
import { type ConfirmationRecord, Violation } from './disk.ts'
import {
  dateOf,
  dateOrNull,
  element,
  later,
  type Session,
  type Statements,
  type Texts,
} from './statements.ts'

const DAY_SECONDS = 86_400

/** An act as the columns of its store read it. */
function read({ disk, at }: Session, act: ConfirmationRecord): object {
  const { data_key: _, sealed: __, ...row } = act
  const sums = [...disk.confirmationSums.values()]
    .filter(({ confirmation_id }) => confirmation_id === act.confirmation_id)
    .map(({ currency_code, amount }) => `${currency_code} ${amount}`)
    .sort()
  return {
    ...row,
    proposed_at: dateOf(act.proposed_at),
    expire_at: dateOf(act.expire_at),
    ended_at: dateOrNull(act.ended_at),
    is_due: act.state === 'WAITING' && act.expire_at <= at,
    sums: sums.length === 0 ? null : sums,
  }
}

const actsThat = (session: Session, count: (act: ConfirmationRecord) => boolean): readonly object[] =>
  [...session.disk.confirmations.values()].filter(count).map((act) => read(session, act))

type NewAct = [
  kind: ActKind,
  digest: Buffer,
  title: string,
  actor: string,
  directive: string,
  lineIds: Texts,
  dataKey: Buffer | null,
  sealed: Buffer | null,
  byteCount: number,
  state: ActState,
  expiresAfterSeconds: number,
]

const isWaiting =
  (kind: ActKind, digest: Buffer) =>
  (act: ConfirmationRecord): boolean =>
    act.state === 'WAITING' && act.kind === kind && act.digest.equals(digest)

/** The number is taken also where the same file waits already. */
function insert({ disk, at }: Session, ...values: NewAct): readonly object[] {
  const [kind, digest, title, actor, directive, line_ids, data_key, sealed, byte_count, state, seconds] =
    values
  const confirmation_id = String(disk.nextNumber('confirmation'))
  if (state === 'WAITING' && [...disk.confirmations.values()].some(isWaiting(kind, digest))) return []
  disk.confirmations.insert(confirmation_id, {
    confirmation_id,
    kind,
    digest,
    title,
    actor,
    directive,
    line_ids,
    data_key,
    sealed,
    byte_count,
    state,
    proposed_at: at,
    expire_at: later(at, seconds),
    ended_at: state === 'WAITING' ? null : at,
    ended_by: null,
    ended_reason: null,
    result: null,
  })
  return [{ confirmation_id }]
}

function insertSums({ disk }: Session, ...values: [string, Texts, Texts]): readonly object[] {
  const [confirmation_id, currencies, amounts] = values
  currencies.forEach((currency_code, i) => {
    const sum = { confirmation_id, currency_code, amount: element(amounts, i) }
    disk.confirmationSums.insert(`${confirmation_id} ${currency_code}`, sum)
  })
  return []
}

const findWaiting = (session: Session, ...[kind, digest]: [ActKind, Buffer]): readonly object[] =>
  actsThat(session, isWaiting(kind, digest))

const find = (session: Session, id: string): readonly object[] =>
  actsThat(session, ({ confirmation_id }) => confirmation_id === id)

function findContent({ disk }: Session, id: string): readonly object[] {
  const act = disk.confirmations.get(id)
  return act?.sealed == null ? [] : [{ data_key: act.data_key, sealed: act.sealed }]
}

const listEarlier = (
  session: Session,
  ...[digest, before, limit]: [Buffer, string, number]
): readonly object[] =>
  actsThat(session, (act) => act.digest.equals(digest) && Number(act.confirmation_id) < Number(before))
    .toReversed()
    .slice(0, limit)

type End = [id: string, state: ActState, endedBy: string, reason: string | null, result: string | null]

/** The table itself refuses that who proposed confirms. */
function end({ disk, at }: Session, ...values: End): readonly object[] {
  const [id, state, ended_by, ended_reason, result] = values
  const act = disk.confirmations.get(id)
  if (act?.state !== 'WAITING') return []
  if ((state === 'CONFIRMED' || state === 'REFUSED') && ended_by === act.actor)
    throw new Violation('23514', `confirmation ${id} was decided by who proposed it`)
  disk.confirmations.put(id, { ...act, state, ended_by, ended_reason, result, ended_at: at })
  return [{}]
}

function expire({ disk, at }: Session, limit: number): readonly object[] {
  return [...disk.confirmations.values()]
    .filter(({ state, expire_at }) => state === 'WAITING' && expire_at <= at)
    .sort((a, b) => a.expire_at - b.expire_at)
    .slice(0, limit)
    .map((act) => {
      disk.confirmations.put(act.confirmation_id, { ...act, state: 'EXPIRED', ended_at: at })
      return { confirmation_id: act.confirmation_id }
    })
}

function listAlone({ disk, at }: Session, actor: string): readonly object[] {
  const sums = new Map<string, string>()
  for (const { confirmation_id, currency_code, amount } of disk.confirmationSums.values()) {
    const act = disk.confirmations.get(confirmation_id)
    const counts = act?.state === 'ALONE' && act.actor === actor && act.proposed_at > later(at, -DAY_SECONDS)
    if (counts)
      sums.set(
        currency_code,
        addAmounts(parsePlainAmount(sums.get(currency_code) ?? '0'), parsePlainAmount(amount)),
      )
  }
  return [...sums].map(([currency_code, amount]) => ({ currency_code, amount }))
}

type Policy = [isOn: boolean, fromAmounts: string, hours: number, isFolderChannel: boolean]

function insertPolicy({ disk }: Session, ...values: Policy): readonly object[] {
  const [is_on, from_amounts, expires_after_hours, folder_is_channel] = values
  const policy = { is_on, from_amounts, expires_after_hours, folder_is_channel }
  const last = [...disk.confirmationPolicies.values()].at(-1)
  if (JSON.stringify(last) !== JSON.stringify(policy))
    disk.confirmationPolicies.insert(String(disk.nextNumber('policy')), policy)
  return []
}

/** Documents that nobody was allowed to bring alone. */
function listUnadmitted({ disk }: Session, ...values: [ActKind, readonly Buffer[]]): readonly object[] {
  const [kind, digests] = values
  if ([...disk.confirmationPolicies.values()].at(-1)?.is_on !== true) return []
  return digests
    .filter(
      (digest) =>
        ![...disk.confirmations.values()].some(
          (act) => act.state === 'ALONE' && act.kind === kind && act.digest.equals(digest),
        ),
    )
    .map((digest) => ({ digest: digest.toString('hex') }))
}

/** The statements about what one operator proposes and another one confirms. */
export const CONFIRMATION_STATEMENTS: Statements = {
  confirmations_insert: insert,
  confirmations_insert_sums: insertSums,
  confirmations_find_waiting: findWaiting,
  confirmations_find: find,
  confirmations_find_for_update: find,
  confirmations_find_content: findContent,
  confirmations_list_earlier: listEarlier,
  confirmations_update_ended: end,
  confirmations_update_expired: expire,
  // One transaction is open at a time: there is nobody to keep out.
  confirmations_lock_actor: () => [{}],
  confirmations_list_alone: listAlone,
  confirmations_insert_policy: insertPolicy,
  confirmations_list_unadmitted: listUnadmitted,
}
