import type { Money } from '@tollgate/money'
import type { Clock } from '@tollgate/runtime'
import { confirmWithin } from '../../platform/confirm-seen.ts'
import { type Database, resolveUnknown, type Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type Act, type NewAct, needsSecondPerson, type SecondPersonPolicy } from './model.ts'
import {
  findAct,
  findWaiting,
  insertAct,
  listActsOfLines,
  listAlone,
  lockActor,
  updateExpired,
} from './store.ts'

/** What became of an order. `isNew` is false for a file that waits already: the act is the one that was there. */
type Outcome =
  | { readonly kind: 'DONE' }
  | { readonly kind: 'WAITS'; readonly act: Act; readonly isNew: boolean }

/** Whether an act may be done at once. */
type Admission = Outcome | { readonly kind: 'ALONE' }

/** What one operator wants to be done. */
interface Order {
  /** Looks at what the order is about, under the locks that doing it takes, and says what would be done. */
  readonly actOf: (tx: Tx) => Promise<NewAct>
  /** Does it, in the same transaction. */
  readonly carryOut: (tx: Tx) => Promise<unknown>
}

/** What rooms ask before they do what one operator may not do alone. */
export interface SecondPerson {
  readonly isOn: boolean
  readonly isFolderChannel: boolean
  /**
   * Stores the act: as one that waits, or as one that its operator does alone, and then carries it out, in one transaction. Where the
   * answer of COMMIT is lost it is tried again, and what an earlier try has done counts as done, once.
   */
  admit(
    deps: { readonly db: Database; readonly clock: Pick<Clock, 'monotonicMs'> },
    order: Order,
  ): Promise<Outcome>
  /** Acts that wait and are about one of these statement lines. */
  listOfLines(tx: Tx, lineIds: readonly string[]): Promise<readonly Act[]>
  /** By which this operator is told beforehand: whether an act about so much money would wait. */
  waitingRule(tx: Tx, actor: string): Promise<(sums: readonly Money[]) => boolean>
}

const EXPIRED_AT_ONCE_MAX = 100

/** The act that the latest try of an order stored; its COMMIT may have been done without an answer. */
interface Tries {
  confirmationId: string | undefined
}

/** What binds encrypted bytes to their act. */
export const sealContext = ({ kind, digest }: Pick<Act, 'kind' | 'digest'>): string =>
  `confirmation ${kind} ${digest}`

export function createSecondPerson({
  secrets,
  policy,
}: {
  readonly secrets: Secrets
  readonly policy: SecondPersonPolicy
}): SecondPerson {
  const { isOn, isFolderChannel, expiresAfterSeconds } = policy
  async function judge(tx: Tx, act: NewAct, tries: Tries): Promise<Admission> {
    await lockActor(tx, act.actor)
    const before = await findTried(tx, act, tries)
    if (before !== undefined) return before
    const waits =
      (isOn && act.needsSecond === true) ||
      needsSecondPerson(policy, act.sums, await listAlone(tx, act.actor))
    if (!waits) {
      const alone = { state: 'ALONE', expiresAfterSeconds, content: undefined } as const
      tries.confirmationId = await insertAct(tx, act, alone)
      return { kind: 'ALONE' }
    }
    // What is over and not marked yet would stand in the way.
    await updateExpired(tx, EXPIRED_AT_ONCE_MAX)
    const digest = act.digest.toString('hex')
    const content = secrets.sealApart(sealContext({ kind: act.kind, digest }), act.bytes)
    const inserted = await insertAct(tx, act, { state: 'WAITING', expiresAfterSeconds, content })
    tries.confirmationId = inserted
    const waiting = await findWaiting(tx, act.kind, act.digest)
    if (waiting === undefined) throw new Error('an act was stored, and does not wait')
    // Who hears that it waits does not hand it in again.
    if (inserted === undefined) await confirmWithin(tx)
    return { kind: 'WAITS', act: waiting, isNew: inserted !== undefined }
  }

  return {
    isOn,
    isFolderChannel,
    admit({ db, clock }, { actOf, carryOut }) {
      const tries: Tries = { confirmationId: undefined }
      return resolveUnknown(clock, () =>
        db.transaction(async (tx) => {
          const admission = await judge(tx, await actOf(tx), tries)
          if (admission.kind !== 'ALONE') return admission
          await carryOut(tx)
          return { kind: 'DONE' }
        }),
      )
    },
    listOfLines: (tx, lineIds) => listActsOfLines(tx, lineIds),
    async waitingRule(tx, actor) {
      const alone = await listAlone(tx, actor)
      return (sums) => needsSecondPerson(policy, sums, alone)
    },
  }
}

/**
 * What an earlier try of the order has done after all. Under the lock of the actor its transaction has ended. The number of an
 * act that was lost with a primary may be given again: so the act must be about the same.
 */
async function findTried(
  tx: Tx,
  { kind, actor, title }: NewAct,
  tries: Tries,
): Promise<Admission | undefined> {
  const act = tries.confirmationId === undefined ? undefined : await findAct(tx, tries.confirmationId)
  if (act === undefined || act.kind !== kind || act.actor !== actor || act.title !== title) return undefined
  await confirmWithin(tx)
  return act.state === 'ALONE' ? { kind: 'DONE' } : { kind: 'WAITS', act, isNew: true }
}
