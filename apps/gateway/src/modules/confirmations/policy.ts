import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Database, Statement, Tx } from '../../platform/database.ts'
import type { ActKind, SecondPersonPolicy } from './model.ts'

const SECONDS_PER_HOUR = 3_600

const INSERT: Statement = {
  name: 'confirmations_insert_policy',
  text: `insert into confirmation_policies (is_on, from_amounts, expires_after_hours, folder_is_channel)
    select $1::boolean, $2::text, $3::integer, $4::boolean where not exists (
      select from (select * from confirmation_policies order by policy_id desc limit 1) p
      where p.is_on = $1 and p.from_amounts = $2 and p.expires_after_hours = $3 and p.folder_is_channel = $4)`,
}

/** The settings of a process that decide who needs a second operator. */
export interface SecondPersonSettings {
  readonly isOn: boolean
  /** `EUR=500,CZK=10000` */
  readonly fromAmounts: string
  readonly expiresAfterHours: number
  readonly isFolderChannel: boolean
}

export function policyOf(settings: SecondPersonSettings): SecondPersonPolicy {
  return {
    isOn: settings.isOn,
    from: readFromAmounts(settings.fromAmounts),
    expiresAfterSeconds: settings.expiresAfterHours * SECONDS_PER_HOUR,
    isFolderChannel: settings.isFolderChannel,
  }
}

/** The settings have been checked. */
function readFromAmounts(text: string): ReadonlyMap<string, Amount> {
  const pairs = text.split(',').flatMap((pair): [string, Amount][] => {
    const [currencyCode = '', amount] = pair.trim().split('=')
    return amount === undefined ? [] : [[currencyCode, parsePlainAmount(amount)]]
  })
  return new Map(pairs)
}

/** Notes what the running gateway wants, where that is new: it is asked where an act takes effect. */
export async function recordPolicy(db: Database, settings: SecondPersonSettings): Promise<void> {
  const { isOn, fromAmounts, expiresAfterHours, isFolderChannel } = settings
  await db.rows(INSERT, [isOn, fromAmounts, expiresAfterHours, isFolderChannel])
}

const LIST_UNADMITTED: Statement = {
  name: 'confirmations_list_unadmitted',
  text: `select encode(d.digest, 'hex') as digest from unnest($2::bytea[]) as d(digest)
    where (select p.is_on from confirmation_policies p order by p.policy_id desc limit 1)
      and not exists (select from confirmations c where c.kind = $1 and c.digest = d.digest and c.state = 'ALONE')`,
}

/**
 * Which of these documents need two people, as the running gateway wants it: all that nobody was allowed to bring alone. Asked
 * where they take effect, it does not matter by which way a document came there.
 */
export async function listNeedingSecond(
  tx: Tx,
  kind: ActKind,
  digests: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ digest: string }>(LIST_UNADMITTED, [kind, digests])
  return new Set(rows.map(({ digest }) => digest))
}

const IS_ON: Statement = {
  name: 'confirmations_find_is_on',
  text: 'select is_on from confirmation_policies order by policy_id desc limit 1',
}

/** Whether the running gateway wants second people at all. */
export async function isSecondPersonWanted(tx: Tx): Promise<boolean> {
  return (await tx.rows<{ is_on: boolean }>(IS_ON, []))[0]?.is_on === true
}

/** Stands for the second person in a rehearsal: a code of nobody. */
export const ANYBODY = 'operator:?'
