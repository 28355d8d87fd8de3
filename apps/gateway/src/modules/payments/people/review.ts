import type { Database, Tx } from '../../../platform/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import {
  decide,
  isFinal,
  OPERATOR_ACTOR_PREFIX,
  type Payment,
  type PaymentKey,
  type PaymentStatus,
  type ProcessorStatus,
  type Proposal,
} from '../model.ts'
import {
  insertDecision,
  listDecisions,
  REVIEW_OUTCOMES,
  type ReviewOutcome,
} from '../progress/inquiry-store.ts'
import { deleteReview, reopenInquiries } from '../progress/task-store.ts'
import { type TransitionDeps, transition } from '../progress/transitions.ts'
import { listPaymentsForUpdate, updatePhase } from '../store.ts'
import { unknownPayment } from '../unknown-payment.ts'

/** An operator's word about what became of a payment. */
export interface ReviewOrder {
  readonly operatorCode: string
  readonly outcome: ReviewOutcome
  /** For the record; the merchant does not read it. */
  readonly reason: string
}

/** What follows from it. */
export interface ReviewVerdict {
  /** Whether it was carried out, or another operator has to say the same. */
  readonly isCarriedOut: boolean
  /** The payment as it was before. */
  readonly payment: Payment
  /** The status that the payment has got; undefined when it keeps its own. */
  readonly changedTo: PaymentStatus | undefined
}

/** Those of the operators who may not decide any more: what they said before does not count. */
export type ListPowerless = (tx: Tx, operatorCodes: readonly string[]) => Promise<ReadonlySet<string>>

/** What other rooms know about a payment that is decided. */
export interface ReviewRules {
  readonly listPowerless: ListPowerless
  /** Whether a transaction of the payment can still come into a block of its chain. */
  readonly canStillBePaid: (tx: Tx, payment: Payment) => Promise<boolean>
}

const NO_RULES: ReviewRules = { listPowerless: async () => new Set(), canStillBePaid: async () => false }

/** What moves money, or says that it did not move, takes two: their word books, where nobody else's does. */
export const DECISIONS_NEEDED: Readonly<Record<ReviewOutcome, number>> = {
  EXECUTED: 2,
  NOT_EXECUTED: 2,
  RETURNED: 2,
  STILL_WAITING: 1,
  UNCHANGED: 1,
}

/** Phases of a payment that has not ended, in which people may know more than the gateway does. */
const PHASES_OPEN: readonly ProcessorStatus[] = ['SUBMITTED', 'UNKNOWN', 'IN_REVIEW']

/**
 * Takes an operator's word about a payment, under the lock of its row. It is kept whatever follows; with the last one
 * that is needed it is carried out in the same transaction. A word counts for the payment as it was then: after any
 * change of it, people start anew, and as long as the operator may still decide. Throws ENTITY_NOT_FOUND, REVIEW_NOT_OPEN, and REVIEW_REPEATED for the second word of
 * one operator.
 */
export function decideReview(
  deps: TransitionDeps & { readonly db: Database },
  key: PaymentKey,
  order: ReviewOrder,
  { listPowerless, canStillBePaid }: ReviewRules = NO_RULES,
): Promise<ReviewVerdict> {
  return deps.db.transaction(async (tx) => {
    const [payment] = await listPaymentsForUpdate(tx, [key])
    if (payment === undefined) throw unknownPayment(key)
    requireOpen(payment, order)
    if (GIVES_MONEY_BACK.has(order.outcome) && (await canStillBePaid(tx, payment))) throw onItsWay(order)
    const { operatorCode, outcome, reason } = order
    const agreeing = await agreeingOperators(tx, payment, outcome)
    if (agreeing.includes(operatorCode)) throw new Refusal('REVIEW_REPEATED')
    await insertDecision(tx, {
      ...keyOf(payment),
      outcome,
      operatorCode,
      reason,
      timelineEntryNo: payment.timelineCount,
    })
    const powerless = await listPowerless(tx, agreeing)
    const deciders = [...agreeing.filter((code) => !powerless.has(code)), operatorCode]
    if (deciders.length < DECISIONS_NEEDED[outcome])
      return { isCarriedOut: false, payment, changedTo: undefined }
    const changedTo = await carryOut(deps, tx, { payment, order, deciders })
    return { isCarriedOut: true, payment, changedTo }
  })
}

async function agreeingOperators(
  tx: Tx,
  payment: Payment,
  outcome: ReviewOutcome,
): Promise<readonly string[]> {
  const decisions = await listDecisions(tx, payment, payment.timelineCount)
  const codes = decisions.flatMap(({ answer, operatorCode }) =>
    answer === outcome && operatorCode !== undefined ? [operatorCode] : [],
  )
  return [...new Set(codes)]
}

/** The merchant has its money again, and may pay it out once more. */
const GIVES_MONEY_BACK: ReadonlySet<ReviewOutcome> = new Set(['NOT_EXECUTED', 'RETURNED'])

const onItsWay = ({ outcome }: ReviewOrder): Refusal =>
  new Refusal('REVIEW_NOT_OPEN', {
    message: `The payment cannot be decided to be ${outcome}: a transaction of it was signed, and the chain may still carry it out. Wait for the chain, or use its number up by an empty transaction of the wallet.`,
  })

/** What operators can decide about a payment as it is now. */
export const openOutcomes = (payment: Payment, canStillBePaid: boolean): readonly ReviewOutcome[] =>
  REVIEW_OUTCOMES.filter(
    (outcome) =>
      isOpenFor(payment, { outcome, operatorCode: '!', reason: '' }) &&
      !(canStillBePaid && GIVES_MONEY_BACK.has(outcome)),
  )

function requireOpen(payment: Payment, order: ReviewOrder): void {
  if (isOpenFor(payment, order)) return
  const { status, processorStatus } = payment
  throw new Refusal('REVIEW_NOT_OPEN', {
    message: `A payment that is ${status} (${processorStatus}) cannot be decided to be ${order.outcome}.`,
  })
}

function isOpenFor(payment: Payment, order: ReviewOrder): boolean {
  const { status, processorStatus } = payment
  if (order.outcome === 'UNCHANGED') return isFinal(status) && processorStatus === 'IN_REVIEW'
  if (!isFinal(status) && !PHASES_OPEN.includes(processorStatus)) return false
  if (order.outcome === 'STILL_WAITING') return !isFinal(status)
  // Whether it could be carried out, once as many agree as are needed: that is counted when it is.
  const deciders = [order.operatorCode, ...OTHERS]
  return decide(payment, proposalOf(payment, order, deciders)).kind === 'CHANGE'
}

/** Stands for those who have not decided yet; a code of nobody. */
const OTHERS = ['?']

/** What the outcome says should become of the payment. */
function proposalOf(
  payment: Payment,
  { operatorCode, outcome, reason }: ReviewOrder,
  deciders: readonly string[],
): Proposal {
  const evidence = { class: 'PEOPLE', operators: deciders } as const
  const by = { actor: `${OPERATOR_ACTOR_PREFIX}${operatorCode}`, evidence, reason }
  switch (outcome) {
    case 'EXECUTED':
      return { ...by, status: 'SUCCESS', received: payment.money }
    case 'RETURNED':
      return { ...by, status: 'REVERSED', failure: { code: 'RETURNED', message: 'The money came back.' } }
    case 'NOT_EXECUTED':
      return {
        ...by,
        status: 'FAILED',
        failure: { code: 'NOT_EXECUTED', message: 'The institution did not carry the payment out.' },
      }
    case 'STILL_WAITING':
    case 'UNCHANGED':
      throw new Error(`${outcome} proposes nothing`)
  }
}

interface Decided {
  readonly payment: Payment
  readonly order: ReviewOrder
  /** Everybody who said so, the last one last. */
  readonly deciders: readonly string[]
}

async function carryOut(
  deps: TransitionDeps,
  tx: Tx,
  { payment, order, deciders }: Decided,
): Promise<PaymentStatus | undefined> {
  const key = keyOf(payment)
  const reason = `decided by ${deciders.join(' and ')}: ${order.reason}`
  if (order.outcome === 'UNCHANGED') {
    await deleteReview(tx, key)
    return undefined
  }
  if (order.outcome === 'STILL_WAITING') {
    const actor = `${OPERATOR_ACTOR_PREFIX}${order.operatorCode}`
    const { status } = payment
    await updatePhase(tx, { ...key, status, processorStatus: 'UNKNOWN', isOfPeople: true, actor, reason })
    await reopenInquiries(tx, key)
    return undefined
  }
  const proposal = proposalOf(payment, { ...order, reason }, deciders)
  const [outcome] = await transition(deps, tx, [{ key, proposal }])
  if (outcome?.kind !== 'CHANGED') throw new Error('a payment that was open for a decision did not change')
  return outcome.status
}

function keyOf({ merchantId, kind, idPayment }: Payment): PaymentKey {
  return { merchantId, kind, idPayment }
}
