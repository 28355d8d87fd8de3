import type { Money } from '@tollgate/money'
import { confirmWithin } from '../../platform/confirm-seen.ts'
import type { Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type Act, type NewAct, needsSecondPerson, type SecondPersonPolicy } from './model.ts'
import { findWaiting, insertAct, listActsOfLines, listAlone, lockActor, updateExpired } from './store.ts'

/** Whether an act may be done at once, or waits. */
type Admission =
  | { readonly kind: 'ALONE' }
  /** `isNew` is false for a file that waits already: the act is the one that was there. */
  | { readonly kind: 'WAITS'; readonly act: Act; readonly isNew: boolean }

/** What rooms ask before they do what one operator may not do alone. */
export interface SecondPerson {
  readonly isOn: boolean
  readonly isFolderChannel: boolean
  /**
   * Stores the act: as one that waits, or as one that its operator does alone. To be called in the transaction in which the
   * caller does it, if it may.
   */
  admit(tx: Tx, act: NewAct): Promise<Admission>
  /** Acts that wait and are about one of these statement lines. */
  listOfLines(tx: Tx, lineIds: readonly string[]): Promise<readonly Act[]>
  /** By which this operator is told beforehand: whether an act about so much money would wait. */
  waitingRule(tx: Tx, actor: string): Promise<(sums: readonly Money[]) => boolean>
}

const EXPIRED_AT_ONCE_MAX = 100

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
  return {
    isOn,
    isFolderChannel,
    async admit(tx, act) {
      await lockActor(tx, act.actor)
      const waits =
        (isOn && act.needsSecond === true) ||
        needsSecondPerson(policy, act.sums, await listAlone(tx, act.actor))
      if (!waits) {
        await insertAct(tx, act, { state: 'ALONE', expiresAfterSeconds, content: undefined })
        return { kind: 'ALONE' }
      }
      // What is over and not marked yet would stand in the way.
      await updateExpired(tx, EXPIRED_AT_ONCE_MAX)
      const digest = act.digest.toString('hex')
      const content = secrets.sealApart(sealContext({ kind: act.kind, digest }), act.bytes)
      const inserted = await insertAct(tx, act, { state: 'WAITING', expiresAfterSeconds, content })
      const waiting = await findWaiting(tx, act.kind, act.digest)
      if (waiting === undefined) throw new Error('an act was stored, and does not wait')
      // Who hears that it waits does not hand it in again.
      if (inserted === undefined) await confirmWithin(tx)
      return { kind: 'WAITS', act: waiting, isNew: inserted !== undefined }
    },
    listOfLines: (tx, lineIds) => listActsOfLines(tx, lineIds),
    async waitingRule(tx, actor) {
      const alone = await listAlone(tx, actor)
      return (sums) => needsSecondPerson(policy, sums, alone)
    },
  }
}
