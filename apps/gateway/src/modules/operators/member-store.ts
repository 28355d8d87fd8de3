import type { MemberRole } from '@tollgate/contract/words'
import type { Statement, Tx } from '../../platform/database.ts'
import type { ListedMember, OperatorAccount } from './model.ts'
import { PASSKEY_IS_ACTIVE } from './passkey-store.ts'
import { type OperatorRow, OWNER_COLUMNS, toOperator } from './store.ts'

// People of merchants. Each statement names the merchant, so that none reaches a person of another one.

const LIST: Statement = {
  name: 'operators_list_members',
  text: `select ${OWNER_COLUMNS},
      (select count(*)::int from operator_passkeys p where p.operator_id = o.operator_id and ${PASSKEY_IS_ACTIVE}) as passkeys,
      array(select p.passkey_id from operator_passkeys p where p.operator_id = o.operator_id and p.is_half and p.confirmed_by is null
        and ${PASSKEY_IS_ACTIVE} order by p.created_at, p.passkey_id) as half_passkeys,
      (select i.expire_at from operator_invitations i
        where i.operator_id = o.operator_id and i.ended_at is null and i.expire_at > clock_timestamp()) as invited_until
    from operators o where o.merchant_code = $1 order by o.operator_code limit $2`,
}
const INSERT: Statement = {
  name: 'operators_insert_member',
  text: `insert into operators as o (operator_code, name, roles, merchant_code, member_role)
    select $1, $2, '{}', $3, $4 where (select count(*) from operators where merchant_code = $3) < $5
    on conflict (operator_code) do nothing returning ${OWNER_COLUMNS}`,
}
const CLAIM: Statement = {
  name: 'operators_claim_member',
  text: `select ${OWNER_COLUMNS} from operators o where o.operator_code = $1 and o.merchant_code = $2 for update`,
}
const UPDATE_ROLE: Statement = {
  name: 'operators_update_member_role',
  text: `update operators o set member_role = $3 where o.operator_code = $1 and o.merchant_code = $2 returning ${OWNER_COLUMNS}`,
}
const UPDATE_SESSIONS_ENDED: Statement = {
  name: 'operators_update_member_sessions_ended',
  text: `update operator_sessions set ended_at = clock_timestamp() where ended_at is null
    and operator_id in (select operator_id from operators where merchant_code = $1)`,
}

/** All people of a merchant by their codes. */
export async function listMembers(
  tx: Tx,
  merchantCode: string,
  limit: number,
): Promise<readonly ListedMember[]> {
  const rows = await tx.rows<
    OperatorRow & { passkeys: number; half_passkeys: string[]; invited_until: Date | null }
  >(LIST, [merchantCode, limit])
  return rows.map((row) => ({
    account: toOperator(row),
    passkeys: row.passkeys,
    halfPasskeys: row.half_passkeys,
    invitedUntil: row.invited_until ?? undefined,
  }))
}

interface NewMember {
  readonly code: string
  readonly name: string
  readonly merchantCode: string
  readonly role: MemberRole
}

/** Undefined when the code is taken, or the merchant has as many people as it may. */
export async function insertMember(
  tx: Tx,
  { code, name, merchantCode, role }: NewMember,
  membersMax: number,
): Promise<OperatorAccount | undefined> {
  const [row] = await tx.rows<OperatorRow>(INSERT, [code, name, merchantCode, role, membersMax])
  return row && toOperator(row)
}

/** A person of this merchant, whom nobody else changes until the transaction ends. */
export async function claimMember(
  tx: Tx,
  merchantCode: string,
  code: string,
): Promise<OperatorAccount | undefined> {
  const [row] = await tx.rows<OperatorRow>(CLAIM, [code, merchantCode])
  return row && toOperator(row)
}

export async function updateMemberRole(
  tx: Tx,
  merchantCode: string,
  change: { readonly code: string; readonly role: MemberRole },
): Promise<OperatorAccount | undefined> {
  const [row] = await tx.rows<OperatorRow>(UPDATE_ROLE, [change.code, merchantCode, change.role])
  return row && toOperator(row)
}

/** Ends the sessions of all people of a merchant. */
export async function updateMemberSessionsEnded(tx: Tx, merchantCode: string): Promise<void> {
  await tx.rows(UPDATE_SESSIONS_ENDED, [merchantCode])
}
