import { timingSafeEqual } from 'node:crypto'
import { readableFrom } from '@tollgate/runtime'
import type { Tx } from '../../platform/database.ts'
import { hashKey } from './authenticator.ts'
import { OperatorProblem } from './errors.ts'
import {
  deleteAttempt,
  findIdentity,
  findInvitedOperator,
  findOperatorBySubject,
  insertAttempt,
  insertIdentity,
  listIdentities,
  updateIdentityConfirmed,
  updateIdentityRemoved,
  updateIdentityUsed,
} from './identity-store.ts'
import { updateInvitationUsed } from './invitation-store.ts'
import type { Operator, OperatorAccount, OperatorIdentity } from './model.ts'
import type { AttemptSecrets, Provider, ProviderAccount, ProviderAnswer } from './provider.ts'
import { drawSecret, known } from './service.ts'
import { type FreshSession, openSession, type SessionDeps } from './sessions.ts'
import { claimOperator, findOperatorByCode } from './store.ts'

interface IdentityDeps extends SessionDeps {
  readonly provider: Provider
}

/** Where the browser is sent, and what it keeps until it comes back. */
interface AttemptBegun {
  readonly authorizationUrl: string
  readonly browserSecret: string
}

/** What the browser came back with. */
interface BroughtBack extends ProviderAnswer {
  readonly state: string
  readonly browserSecret: string
}

/** An account that was linked just now. */
interface LinkedIdentity extends OperatorIdentity {
  /** Told to who links it, and to nobody else: by it they show another ADMIN that it is theirs. */
  readonly fingerprint: string
}

/** How it went. `operatorCode` is set where it is known whose account, or whose invitation, it is. */
export type Outcome<Value> =
  | { readonly isRight: true; readonly value: Value }
  | { readonly isRight: false; readonly operatorCode: string | undefined; readonly reason: string }

/** Told who it is about before anything is done. */
type Note = (operatorCode: string, invitationId?: string) => Promise<void>

/** Accounts of operators at the provider of identities. */
export interface IdentityService {
  /** To sign in, or to link an account by an invitation. Throws ProviderAway. */
  begin(invitation?: { readonly invitationId: string }): Promise<AttemptBegun>
  signIn(brought: BroughtBack, note: Note): Promise<Outcome<FreshSession>>
  /** Throws OperatorProblem for an account that is somebody's already. */
  link(brought: BroughtBack, note: Note): Promise<Outcome<LinkedIdentity>>
}

/** Looking after linked accounts, with or without a provider. */
export interface IdentityDesk {
  list(operatorCode: string): Promise<readonly OperatorIdentity[]>
  find(identityId: string): Promise<OperatorIdentity & { readonly operatorCode: string }>
  /** Another ADMIN vouches that it is the operator's: the fingerprint comes from the operator. */
  confirm(identityId: string, by: string, fingerprint: string): Promise<OperatorIdentity>
  /** The account and its sessions open nothing any more: one of this operator, or of anybody. */
  remove(identityId: string, of: Pick<Operator, 'operatorId'> | 'ANYBODY'): Promise<void>
}

export function createIdentityService(deps: IdentityDeps): IdentityService {
  return {
    begin: (invitation) => begin(deps, invitation?.invitationId),
    signIn: (brought, note) => signIn(deps, brought, note),
    link: (brought, note) => link(deps, brought, note),
  }
}

type DeskDeps = Pick<SessionDeps, 'db' | 'secrets'>

export function createIdentityDesk(deps: DeskDeps): IdentityDesk {
  const { db } = deps
  return {
    async list(code) {
      const { operatorId } = known(await findOperatorByCode(db, code), code)
      return listIdentities(db, operatorId)
    },
    find: async (identityId) => (await findIdentity(db, identityId)) ?? noIdentity(identityId),
    confirm: (identityId, by, fingerprint) => confirm(deps, { identityId, by, fingerprint }),
    async remove(identityId, of) {
      if (await updateIdentityRemoved(db, identityId, of === 'ANYBODY' ? undefined : of.operatorId)) return
      noIdentity(identityId)
    },
  }
}

/** Nothing that is stored opens anything: state and browser are hashes, and the rest follows from the browser's secret. */
const secretsOf = (
  { secrets }: Pick<IdentityDeps, 'secrets'>,
  { state, browserSecret }: Pick<BroughtBack, 'state' | 'browserSecret'>,
): AttemptSecrets => {
  const derived = (what: string): string =>
    secrets.digest('operator-keys', `oidc ${what} ${browserSecret}`).toString('base64url')
  return { state, nonce: derived('nonce'), verifier: derived('verifier') }
}

async function begin(deps: IdentityDeps, invitationId: string | undefined): Promise<AttemptBegun> {
  const { db, secrets, provider } = deps
  const [state, browserSecret] = [drawSecret(deps), drawSecret(deps)]
  const authorizationUrl = await provider.authorizationUrl(secretsOf(deps, { state, browserSecret }))
  await insertAttempt(db, {
    stateHash: hashKey(secrets, state),
    browserHash: hashKey(secrets, browserSecret),
    invitationId,
  })
  return { authorizationUrl, browserSecret }
}

/** The account of who came back, by an attempt of this browser and for this purpose. */
async function accountOf(
  deps: IdentityDeps,
  brought: BroughtBack,
  purpose: 'SIGN_IN' | 'LINK',
): Promise<Outcome<{ readonly account: ProviderAccount; readonly invitationId: string }>> {
  const { db, secrets, provider } = deps
  const refused = (reason: string) => ({ isRight: false, operatorCode: undefined, reason }) as const
  const attempt = await deleteAttempt(db, hashKey(secrets, brought.state))
  if (attempt === undefined) return refused('The state is unknown or was used.')
  if (!timingSafeEqual(attempt.browserHash, hashKey(secrets, brought.browserSecret)))
    return refused('The state is of another browser.')
  if (!attempt.isInTime) return refused('It took too long.')
  const { invitationId = '' } = attempt
  if ((invitationId === '') !== (purpose === 'SIGN_IN')) return refused('It was begun for something else.')
  const verdict = await provider.check(brought, secretsOf(deps, brought))
  if (!verdict.isRight) return refused(verdict.reason)
  return { isRight: true, value: { account: verdict.account, invitationId } }
}

async function signIn(deps: IdentityDeps, brought: BroughtBack, note: Note): Promise<Outcome<FreshSession>> {
  const came = await accountOf(deps, brought, 'SIGN_IN')
  if (!came.isRight) return came
  const found = await findOperatorBySubject(deps.db, came.value.account)
  const operatorCode = found?.operator.code
  const refused = (reason: string) => ({ isRight: false, operatorCode, reason }) as const
  if (found === undefined || operatorCode === undefined)
    return refused('The account is linked to no operator.')
  await note(operatorCode)
  return deps.db.transaction(async (tx) => {
    const { identityId, operator } = found
    if (!(await updateIdentityUsed(tx, identityId))) return refused('The link was removed.')
    const by = { method: 'OIDC', identityId } as const
    const session = await openSession(deps, tx, { code: operatorCode, by })
    return session === undefined
      ? refused('The operator is disabled.')
      : { isRight: true, value: { session, operator } }
  })
}

async function link(deps: IdentityDeps, brought: BroughtBack, note: Note): Promise<Outcome<LinkedIdentity>> {
  const came = await accountOf(deps, brought, 'LINK')
  if (!came.isRight) return came
  const { account, invitationId } = came.value
  const invited = await findInvitedOperator(deps.db, invitationId)
  if (invited === undefined) throw new Error('an invitation is of an operator')
  await note(invited.code, invitationId)
  const value = await deps.db.transaction((tx) => linked(deps, tx, { invited, account, invitationId }))
  return { isRight: true, value }
}

/** The invitation is used up. One of the command line is as good as who has the database and the master key. */
async function linked(
  { ids, secrets }: IdentityDeps,
  tx: Tx,
  {
    invited: { code },
    account,
    invitationId,
  }: {
    readonly invited: OperatorAccount
    readonly account: ProviderAccount
    readonly invitationId: string
  },
): Promise<LinkedIdentity> {
  const { operatorId, status } = known(await claimOperator(tx, code), code)
  const used = status === 'ACTIVE' ? await updateInvitationUsed(tx, invitationId) : undefined
  if (used === undefined)
    throw new OperatorProblem('This invitation was used already, or has ended.', 'CONFLICT')
  const identity = await insertIdentity(tx, operatorId, {
    ...account,
    identityId: `oid_${ids.readable(10)}`,
    isHalf: used.madeBy !== undefined,
    invitedBy: used.madeBy,
  })
  if (identity === undefined)
    throw new OperatorProblem(
      `This account is linked to an operator already, or ${code} has another one: an ADMIN removes that link first.`,
      'CONFLICT',
    )
  return { ...identity, fingerprint: fingerprintOf(secrets, identity) }
}

const FINGERPRINT_CHARACTERS = 12

/** By what two people know that they speak of the same account. No list shows it, and only the root key makes it. */
function fingerprintOf(
  secrets: DeskDeps['secrets'],
  { identityId, issuer, subject }: Pick<OperatorIdentity, 'identityId' | 'issuer' | 'subject'>,
): string {
  const hash = secrets.digest('operator-keys', `identity ${identityId} ${issuer} ${subject}`)
  return readableFrom(hash.subarray(0, FINGERPRINT_CHARACTERS)).replace(/(.{4})(?=.)/g, '$1-')
}

async function confirm(
  { db, secrets }: DeskDeps,
  {
    identityId,
    by,
    fingerprint,
  }: { readonly identityId: string; readonly by: string; readonly fingerprint: string },
): Promise<OperatorIdentity> {
  const found = (await findIdentity(db, identityId)) ?? noIdentity(identityId)
  if (fingerprintOf(secrets, found) !== fingerprint)
    throw new OperatorProblem(
      `This is not the fingerprint of ${identityId}. Ask the operator for the one that was shown to them; if it is another one, somebody else has linked this account: remove it.`,
      'CONFLICT',
    )
  const confirmed = await updateIdentityConfirmed(db, identityId, by)
  if (confirmed !== undefined) return confirmed
  throw new OperatorProblem(`${identityId} needs no confirmation from you: ${whyNot(found)}.`, 'CONFLICT')
}

function whyNot({ isHalf, confirmedBy }: OperatorIdentity): string {
  if (confirmedBy !== undefined) return `${confirmedBy} has confirmed it`
  return isHalf ? 'you invited the operator, so another ADMIN confirms it' : 'it carries everything already'
}

function noIdentity(identityId: string): never {
  throw new OperatorProblem(`There is no linked account ${identityId}.`, 'NOT_FOUND')
}
