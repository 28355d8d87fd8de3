import { generateKeyPairSync } from 'node:crypto'
import type { Tx } from '../../platform/database.ts'
import { type ChallengeUse, deleteChallenge, insertChallenge } from './challenge-store.ts'
import { OperatorProblem } from './errors.ts'
import { updateInvitationUsed } from './invitation-store.ts'
import { merchantInCode, type Operator, type OperatorPasskey, PASSKEYS_ACTIVE_MAX } from './model.ts'
import {
  findOperatorByCredential,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type StoredCredential,
  updatePasskeyConfirmed,
  updatePasskeyRemoved,
  updatePasskeyUsed,
} from './passkey-store.ts'
import { known } from './service.ts'
import { findSessionOrigin, type SessionOrigin } from './session-store.ts'
import { type FreshSession, openSession, type SessionDeps } from './sessions.ts'
import { claimOperator, findOperatorByCode } from './store.ts'
import {
  type AssertionAnswer,
  checkAssertion,
  checkRegistration,
  fingerprintOf,
  type RegistrationAnswer,
  type RelyingParty,
} from './webauthn.ts'

export interface PasskeyDeps extends SessionDeps {
  readonly relyingParty: RelyingParty
  /** Whether one ADMIN of the house is not enough for who administers a merchant. */
  readonly needsSecondPerson: boolean
}

/** What a browser is to ask a device for. */
export interface Begun {
  readonly challengeId: string
  readonly challenge: Buffer
}

export interface RegistrationBegun extends Begun {
  /** Ours for the operator, which the device keeps: it says nothing about them. */
  readonly userId: Buffer
  /** A device that has one of these registers no other. */
  readonly credentialIds: readonly Buffer[]
}

interface RegisteredPasskey extends OperatorPasskey {
  /** Told to who registers it, and to nobody else: by it they show another ADMIN that it is theirs. */
  readonly fingerprint: string
}

/** Who registers a passkey: an operator in a session, or one who was invited. */
interface Registrar extends Pick<Operator, 'operatorId' | 'code' | 'invitation' | 'member'> {
  readonly session?: { readonly sessionId: string }
}

/** How signing in went. `operatorCode` is set where the credential is known. */
type SignIn =
  | { readonly isRight: true; readonly fresh: FreshSession }
  | { readonly isRight: false; readonly operatorCode: string | undefined; readonly reason: string }

/** Passkeys of operators. */
export interface PasskeyService {
  beginRegistration(by: Registrar): Promise<RegistrationBegun>
  /** Throws OperatorProblem for an answer that cannot be taken. */
  register(
    by: Registrar,
    answer: {
      readonly challengeId: string
      readonly name: string
      readonly credential: RegistrationAnswer
    },
  ): Promise<RegisteredPasskey>
  beginSignIn(): Promise<Begun>
  /** `note` is told whose passkey it is before anything is done with it. */
  signIn(
    answer: { readonly challengeId: string; readonly credential: AssertionAnswer },
    note: (operatorCode: string) => Promise<void>,
  ): Promise<SignIn>
  list(operatorCode: string): Promise<readonly OperatorPasskey[]>
  find(passkeyId: string): Promise<OperatorPasskey & { readonly operatorCode: string }>
  /** Another ADMIN vouches that it is the operator's: the fingerprint comes from the operator. */
  confirm(passkeyId: string, by: string, fingerprint: string): Promise<OperatorPasskey>
  /** The passkey and its sessions open nothing any more: one of this operator, or of anybody. */
  remove(passkeyId: string, of: Pick<Operator, 'operatorId'> | 'ANYBODY'): Promise<void>
}

export function createPasskeyService(deps: PasskeyDeps): PasskeyService {
  const { db } = deps
  const unknownKey = decoyKey()
  return {
    beginRegistration: (by) => beginRegistration(deps, by),
    register: (by, answer) => register(deps, by, answer),
    beginSignIn: () => begin(deps, { purpose: 'SIGN_IN' }),
    signIn: (answer, note) => signIn(deps, unknownKey, answer, note),
    async list(code) {
      const { operatorId } = known(await findOperatorByCode(db, code), code)
      return listPasskeys(db, operatorId)
    },
    find: async (passkeyId) => (await findPasskey(db, passkeyId)) ?? noPasskey(passkeyId),
    confirm: (passkeyId, by, fingerprint) => confirm(deps, { passkeyId, by, fingerprint }),
    async remove(passkeyId, of) {
      const isRemoved = await updatePasskeyRemoved(
        db,
        passkeyId,
        of === 'ANYBODY' ? undefined : of.operatorId,
      )
      if (!isRemoved) noPasskey(passkeyId)
    },
  }
}

const CHALLENGE_BYTES = 32

/** Stores a challenge, for one use within some minutes. */
export async function begin(
  { db, ids }: Pick<PasskeyDeps, 'db' | 'ids'>,
  use: ChallengeUse,
  request?: { readonly method: string; readonly path: string },
): Promise<Begun> {
  const begun = { challengeId: `chl_${ids.readable(20)}`, challenge: ids.bytes(CHALLENGE_BYTES) }
  await insertChallenge(db, use, { ...begun, ...(request && { request }) })
  return begun
}

const registrationOf = ({ operatorId, session, invitation }: Registrar): ChallengeUse => ({
  purpose: 'REGISTER',
  operatorId,
  sessionId: session?.sessionId,
  invitationId: invitation?.invitationId,
})

async function beginRegistration(deps: PasskeyDeps, by: Registrar): Promise<RegistrationBegun> {
  const { db, secrets } = deps
  const passkeys = await listPasskeys(db, by.operatorId)
  const begun = await begin(deps, registrationOf(by))
  const userId = secrets.digest('operator-keys', `passkey user ${by.operatorId}`)
  return { ...begun, userId, credentialIds: passkeys.map(({ credentialId }) => credentialId) }
}

async function register(
  deps: PasskeyDeps,
  by: Registrar,
  answer: Parameters<PasskeyService['register']>[1],
): Promise<RegisteredPasskey> {
  const { db, ids, relyingParty } = deps
  const { challengeId, name, credential } = answer
  const taken = await deleteChallenge(db, registrationOf(by), challengeId)
  if (taken === undefined)
    throw new OperatorProblem(
      'This registration has expired or was finished before: begin again.',
      'CONFLICT',
    )
  const verdict = await checkRegistration({ relyingParty, challenge: taken.challenge }, credential)
  if (!verdict.isRight)
    throw new OperatorProblem(`The device's answer cannot be taken: ${verdict.reason}`).about('credential')
  return db.transaction(async (tx) => {
    const { operatorId } = known(await claimOperator(tx, by.code), by.code)
    if ((await listPasskeys(tx, operatorId)).length >= PASSKEYS_ACTIVE_MAX)
      throw new OperatorProblem(
        `${by.code} has ${PASSKEYS_ACTIVE_MAX} passkeys; remove one first.`,
        'CONFLICT',
      )
    const passkey = await insertPasskey(tx, operatorId, {
      passkeyId: `pk_${ids.readable(10)}`,
      name,
      ...verdict.value,
      ...(await originOf(tx, deps, by)),
    })
    if (passkey === undefined) throw new OperatorProblem('This passkey is registered already.', 'CONFLICT')
    return { ...passkey, fingerprint: fingerprintOf(verdict.value) }
  })
}

/**
 * An invitation is used up. One of the command line is as good as who has the database and the master key, and one of a merchant's
 * ADMIN is whole for their colleague: a half ADMIN of a merchant invites nobody.
 */
async function originOf(
  tx: Tx,
  { needsSecondPerson }: Pick<PasskeyDeps, 'needsSecondPerson'>,
  { session, invitation, member }: Registrar,
): Promise<SessionOrigin> {
  if (invitation !== undefined) {
    const used = await updateInvitationUsed(tx, invitation.invitationId)
    if (used === undefined)
      throw new OperatorProblem('This invitation was used already, or has expired.', 'CONFLICT')
    return {
      isHalf:
        used.madeBy !== undefined &&
        (member === undefined || (needsSecondPerson && merchantInCode(used.madeBy) === undefined)),
      keyId: undefined,
      invitedBy: used.madeBy,
    }
  }
  const origin = session && (await findSessionOrigin(tx, session.sessionId))
  if (origin === undefined) throw new Error('a passkey is registered by a session or an invitation')
  return origin
}

/** An unknown credential is checked as a known one is, against a key that nobody has. */
async function signIn(
  deps: PasskeyDeps,
  unknownKey: Buffer,
  { challengeId, credential }: Parameters<PasskeyService['signIn']>[0],
  note: (operatorCode: string) => Promise<void>,
): Promise<SignIn> {
  const { db, relyingParty } = deps
  const taken = await deleteChallenge(db, { purpose: 'SIGN_IN' }, challengeId)
  const found = await findOperatorByCredential(db, Buffer.from(credential.id, 'base64url'))
  const operatorCode = found?.operator.code
  const refused = (reason: string): SignIn => ({ isRight: false, operatorCode, reason })
  if (operatorCode !== undefined) await note(operatorCode)
  const verdict = await checkAssertion(
    {
      relyingParty,
      challenge: taken?.challenge ?? deps.ids.bytes(CHALLENGE_BYTES),
      publicKey: found?.credential.publicKey ?? unknownKey,
    },
    credential,
  )
  if (taken === undefined) return refused('The challenge is unknown, used or expired.')
  if (found === undefined) return refused('The passkey is unknown.')
  if (!verdict.isRight) return refused(verdict.reason)
  return db.transaction(async (tx) => {
    const isUsed = await noteUse(tx, found, verdict.value)
    if (!isUsed) return refused(COUNTER_WENT_BACK)
    const by = { method: 'PASSKEY', passkeyId: found.passkeyId } as const
    const session = await openSession(deps, tx, { code: found.operator.code, by })
    return session === undefined
      ? refused('The operator is disabled.')
      : { isRight: true, fresh: { session, operator: found.operator } }
  })
}

export const COUNTER_WENT_BACK =
  'The counter of the passkey did not go up: it may have been copied, or was used twice at once.'

/** Notes that a passkey was used; false when its counter has not gone up. */
export const noteUse = (
  tx: Tx,
  { passkeyId, credential }: { readonly passkeyId: string; readonly credential: StoredCredential },
  use: Extract<Awaited<ReturnType<typeof checkAssertion>>, { readonly isRight: true }>['value'],
): Promise<boolean> => updatePasskeyUsed(tx, passkeyId, { before: credential.counter, ...use })

async function confirm(
  { db }: PasskeyDeps,
  {
    passkeyId,
    by,
    fingerprint,
  }: { readonly passkeyId: string; readonly by: string; readonly fingerprint: string },
): Promise<OperatorPasskey> {
  const found = (await findPasskey(db, passkeyId)) ?? noPasskey(passkeyId)
  if (fingerprintOf(found) !== fingerprint)
    throw new OperatorProblem(
      `This is not the fingerprint of ${passkeyId}. Ask the operator for the one that was shown to them; if it is another one, somebody else has registered this passkey: remove it.`,
      'CONFLICT',
    )
  const confirmed = await updatePasskeyConfirmed(db, passkeyId, by)
  if (confirmed !== undefined) return confirmed
  throw new OperatorProblem(`${passkeyId} needs no confirmation from you: ${whyNot(found)}.`, 'CONFLICT')
}

function whyNot({ isHalf, confirmedBy }: OperatorPasskey): string {
  if (confirmedBy !== undefined) return `${confirmedBy} has confirmed it`
  return isHalf ? 'you invited the operator, so another ADMIN confirms it' : 'it carries everything already'
}

function noPasskey(passkeyId: string): never {
  throw new OperatorProblem(`There is no passkey ${passkeyId}.`, 'NOT_FOUND')
}

/** The beginnings of an ES256 key in COSE, and of its second coordinate. */
const COSE_ES256 = Buffer.from('a5010203262001215820', 'hex')
const COSE_Y = Buffer.from('225820', 'hex')

/** A public key whose private one is thrown away. */
function decoyKey(): Buffer {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  })
  return Buffer.concat([COSE_ES256, Buffer.from(x, 'base64url'), COSE_Y, Buffer.from(y, 'base64url')])
}
