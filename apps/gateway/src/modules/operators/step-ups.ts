import { Refusal } from '../../platform/refusal.ts'
import { hashKey } from './authenticator.ts'
import { deleteChallenge, deleteStepUp, insertStepUp, type StepUpUse } from './challenge-store.ts'
import { OperatorProblem } from './errors.ts'
import { type Operator, STEP_UP_PATTERN, STEP_UP_PREFIX } from './model.ts'
import { findPasskey } from './passkey-store.ts'
import { type Begun, begin, COUNTER_WENT_BACK, noteUse, type PasskeyDeps } from './passkeys.ts'
import { drawSecret } from './service.ts'
import { type AssertionAnswer, checkAssertion } from './webauthn.ts'

/** Who touches: an operator in a session that was made by this passkey. */
export interface Toucher extends Pick<Operator, 'operatorId'> {
  readonly sessionId: string
  readonly passkeyId: string
}

/** A fresh touch of the passkey of a session, for one request of that session. */
export interface StepUpService {
  begin(
    by: Toucher,
    request: { readonly method: string; readonly path: string },
  ): Promise<Begun & { readonly credentialId: Buffer }>
  /** Throws OperatorProblem for an answer that cannot be taken. */
  finish(
    by: Toucher,
    answer: { readonly challengeId: string; readonly credential: AssertionAnswer },
  ): Promise<{ readonly secret: string; readonly expireAt: Date }>
  /** Uses it up; false for one that is unknown, used, expired, or for another request or session. */
  take(secret: string, use: StepUpUse): Promise<boolean>
}

export function createStepUpService(deps: PasskeyDeps): StepUpService {
  const { db, secrets } = deps
  return {
    async begin(by, request) {
      const { credentialId } = await passkeyOf(deps, by)
      return { ...(await begin(deps, useOf(by), request)), credentialId }
    },
    finish: (by, answer) => finish(deps, by, answer),
    take: async (secret, use) =>
      STEP_UP_PATTERN.test(secret) && (await deleteStepUp(db, hashKey(secrets, secret), use)),
  }
}

const useOf = ({ operatorId, sessionId }: Toucher) => ({ purpose: 'STEP_UP', operatorId, sessionId }) as const

/** The session would have ended with it. */
async function passkeyOf({ db }: PasskeyDeps, { passkeyId }: Toucher) {
  const found = await findPasskey(db, passkeyId)
  if (found === undefined)
    throw new Refusal('TOKEN_INVALID', { message: 'The passkey was removed: sign in again.' })
  return found
}

async function finish(
  deps: PasskeyDeps,
  by: Toucher,
  { challengeId, credential }: Parameters<StepUpService['finish']>[1],
): Promise<{ secret: string; expireAt: Date }> {
  const { db, ids, secrets, relyingParty } = deps
  const taken = await deleteChallenge(db, useOf(by), challengeId)
  if (taken?.request === undefined)
    throw new OperatorProblem('This touch has expired or was used before: begin again.', 'CONFLICT')
  const { challenge, request } = taken
  const found = await passkeyOf(deps, by)
  const { publicKey, credentialId, passkeyId } = found
  if (credential.id !== credentialId.toString('base64url'))
    throw refused('It is another passkey than the one that you signed in with.')
  const verdict = await checkAssertion({ relyingParty, challenge, publicKey }, credential)
  if (!verdict.isRight) throw refused(verdict.reason)
  const secret = `${STEP_UP_PREFIX}${drawSecret({ ids })}`
  return db.transaction(async (tx) => {
    if (!(await noteUse(tx, { passkeyId, credential: found }, verdict.value)))
      throw refused(COUNTER_WENT_BACK)
    const use = { sessionId: by.sessionId, ...request }
    return { secret, expireAt: await insertStepUp(tx, hashKey(secrets, secret), use) }
  })
}

const refused = (reason: string): OperatorProblem =>
  new OperatorProblem(`The device's answer cannot be taken: ${reason}`).about('credential')
