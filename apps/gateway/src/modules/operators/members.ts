import type { MemberRole } from '@tollgate/contract/words'
import type { Ids } from '@tollgate/runtime'
import type { Database, Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { OperatorProblem } from './errors.ts'
import { type FreshInvitation, inviteIn } from './invitations.ts'
import {
  claimMember,
  insertMember,
  listMembers,
  updateMemberRole,
  updateMemberSessionsEnded,
} from './member-store.ts'
import { type ListedMember, MEMBERS_MAX, memberCodeOf, type OperatorAccount } from './model.ts'
import { setStatusIn } from './service.ts'

interface MemberDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
}

interface WantedMember {
  readonly person: string
  readonly name: string
  readonly role: MemberRole
  /** Who asks: an ADMIN of the house or of the merchant. */
  readonly madeBy: string
}

interface Invited {
  readonly account: OperatorAccount
  readonly invitation: FreshInvitation
}

/** People of merchants. Every method throws OperatorProblem; a person of another merchant is as unknown as one whom there is not. */
export interface MemberService {
  list(merchantCode: string): Promise<readonly ListedMember[]>
  /** A new person, who has an invitation and nothing else. */
  add(merchantCode: string, wanted: WantedMember): Promise<Invited>
  /** Another invitation, for a lost device or a late one; the one before ends. */
  invite(merchantCode: string, code: string, madeBy: string): Promise<Invited>
  setRole(merchantCode: string, code: string, role: MemberRole): Promise<OperatorAccount>
  /** Disabling ends sessions and invitations for good. */
  setStatus(merchantCode: string, code: string, status: OperatorAccount['status']): Promise<OperatorAccount>
  /** The merchant is closed: nobody of it stays signed in. */
  endSessions(merchantCode: string): Promise<void>
}

export function createMemberService(deps: MemberDeps): MemberService {
  const { db } = deps
  return {
    list: (merchantCode) => listMembers(db, merchantCode, MEMBERS_MAX),
    add: (merchantCode, wanted) => db.transaction((tx) => add(tx, deps, merchantCode, wanted)),
    invite: (merchantCode, code, madeBy) =>
      db.transaction(async (tx) => {
        const account = await claim(tx, merchantCode, code)
        return { account, invitation: await inviteIn(tx, deps, { code, madeBy }) }
      }),
    async setRole(merchantCode, code, role) {
      return (await updateMemberRole(db, merchantCode, { code, role })) ?? unknown(merchantCode, code)
    },
    setStatus: (merchantCode, code, status) =>
      db.transaction(async (tx) => {
        await claim(tx, merchantCode, code)
        return setStatusIn(tx, code, status)
      }),
    endSessions: (merchantCode) => updateMemberSessionsEnded(db, merchantCode),
  }
}

async function add(
  tx: Tx,
  deps: MemberDeps,
  merchantCode: string,
  { person, name, role, madeBy }: WantedMember,
): Promise<Invited> {
  if (name.trim() === '') throw new OperatorProblem('A name has 1 to 140 characters.').about('name')
  const code = memberCodeOf(person, merchantCode)
  const account = await insertMember(tx, { code, name, merchantCode, role }, MEMBERS_MAX)
  if (account === undefined)
    throw new OperatorProblem(
      `${code} is taken, or ${merchantCode} has ${MEMBERS_MAX} people already.`,
      'CONFLICT',
    )
  return { account, invitation: await inviteIn(tx, deps, { code, madeBy }) }
}

const claim = async (tx: Tx, merchantCode: string, code: string): Promise<OperatorAccount> =>
  (await claimMember(tx, merchantCode, code)) ?? unknown(merchantCode, code)

function unknown(merchantCode: string, code: string): never {
  throw new OperatorProblem(`${merchantCode} has no person ${code}.`, 'NOT_FOUND')
}
