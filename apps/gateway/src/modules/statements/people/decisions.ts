import { isPositive, type Money, subtractAmounts } from '@tollgate/money'
import type { Ids } from '@tollgate/runtime'
import type { Database, Tx } from '../../../platform/database.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { bookEntries } from '../../ledger/index.ts'
import {
  isOutgoing,
  lockPayment,
  OPERATOR_ACTOR_PREFIX,
  type PaymentKey,
  type TransitionOutcome,
  transition,
} from '../../payments/index.ts'
import { StatementProblem } from '../errors.ts'
import type { PartDetails } from '../formats/parsed.ts'
import { changeLines } from '../lines/line-changes.ts'
import { listLinesForUpdate, lockMatching, type SealedLine } from '../lines/line-store.ts'
import { openDetails } from '../lines/sealed-details.ts'
import { suspenseEntry } from '../lines/suspense.ts'
import { type Deciders, evidenceOfDecision } from '../matching/evidence.ts'
import { CLAIMED, type LineDecision, payerOf } from '../model.ts'
import { type Decided, insertDecisions } from './decision-store.ts'
import { againstSameMoney, ownMoney } from './same-money.ts'
import {
  endReturn,
  note,
  paymentNamedBy,
  requireWaitingMoney,
  type Step,
  startReturn,
  stepsToPay,
} from './steps.ts'

interface DecideDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
  readonly metrics?: Pick<Metrics, 'payments'> | undefined
  /** What a payment is for; undefined when there is none. */
  readonly findMoney: (payment: PaymentKey) => Promise<Money | undefined>
}

/** What an operator wants done with a line. */
export interface DecideOrder extends Deciders {
  readonly lineId: string
  readonly decision: LineDecision
  /** Further lines that together make the money of one payment; for ACCEPT and COVER. */
  readonly withLineIds?: readonly string[] | undefined
  /** The payment, where the line does not name the right one; for ACCEPT and COVER. */
  readonly payment?: PaymentKey | undefined
  readonly reason: string
}

const LINES_TOGETHER_MAX = 20
const REASON_CHARACTERS_MAX = 500

/**
 * Does what an operator decided about money whose place was not clear; all of it or nothing. Throws StatementProblem with
 * the sentence that says why it cannot be done. Answers what became of the payment, where the money is for one.
 */
export async function decideLine(
  deps: DecideDeps,
  order: DecideOrder,
): Promise<TransitionOutcome | undefined> {
  const full = readOrder(order)
  const outcome = await deps.db.transaction((tx) => decideIn(deps, tx, full))
  if (outcome?.kind !== 'CHANGED') return outcome
  const { kind, methodCode } = outcome.payment
  deps.metrics?.payments.inc({ kind, method: methodCode, status: outcome.status })
  return outcome
}

type FullOrder = DecideOrder & { readonly lineIds: readonly string[] }

function readOrder(order: DecideOrder): FullOrder {
  const reason = order.reason.trim()
  if (reason === '' || reason.length > REASON_CHARACTERS_MAX)
    throw new StatementProblem(
      `A decision needs a reason of 1 to ${REASON_CHARACTERS_MAX} characters.`,
      'INVALID',
      'reason',
    )
  const lineIds = [...new Set([order.lineId, ...(order.withLineIds ?? [])])]
  if (lineIds.length > LINES_TOGETHER_MAX)
    throw new StatementProblem(
      `At most ${LINES_TOGETHER_MAX} lines make one payment.`,
      'INVALID',
      'withLineIds',
    )
  const isForPayment = order.decision === 'ACCEPT' || order.decision === 'COVER'
  if (!isForPayment && (lineIds.length > 1 || order.payment !== undefined))
    throw new StatementProblem(
      `${order.decision} is about one line, and names no payment.`,
      'INVALID',
      order.payment === undefined ? 'withLineIds' : 'payment',
    )
  return { ...order, reason, lineIds }
}

async function decideIn(deps: DecideDeps, tx: Tx, order: FullOrder): Promise<TransitionOutcome | undefined> {
  await lockMatching(tx)
  const lines = await listLinesForUpdate(tx, order.lineIds)
  const missing = order.lineIds.find((lineId) => !lines.some((line) => line.lineId === lineId))
  if (missing !== undefined) throw new StatementProblem(`There is no statement line ${missing}.`, 'NOT_FOUND')
  const [line] = lines
  if (line === undefined) throw new Error('a decision without a line')
  switch (order.decision) {
    case 'ACCEPT':
    case 'COVER':
      return payWith(deps, tx, { order, lines })
    case 'SAME_MONEY':
      await write(deps, tx, order, [await sameMoney(tx, line)])
      return undefined
    case 'RETURN':
      await write(deps, tx, order, [startReturn(line, deps.ids.reference())])
      return undefined
    case 'RETURNED':
      await write(deps, tx, order, [endReturn(line)])
      return undefined
    case 'NOTE':
      await write(deps, tx, order, [note(line)])
      return undefined
  }
}

/** The lines' money becomes the payment's. */
async function payWith(
  deps: DecideDeps,
  tx: Tx,
  { order, lines }: { readonly order: FullOrder; readonly lines: readonly SealedLine[] },
): Promise<TransitionOutcome> {
  for (const line of lines) requireWaitingMoney(line)
  const payment = order.payment ?? paymentNamedBy(lines)
  const money = await deps.findMoney(payment)
  if (money === undefined)
    throw new StatementProblem(`There is no ${payment.kind} ${payment.idPayment}.`, 'NOT_FOUND')
  if (isOutgoing(payment.kind))
    throw new StatementProblem(
      `${payment.kind} ${payment.idPayment} is money that leaves, so money that came cannot pay it.`,
      'CONFLICT',
    )
  const steps = stepsToPay({ lines, payment, money, covers: order.decision === 'COVER' })
  const outcome = await succeed(deps, tx, { order, payment, money, lines })
  await write(deps, tx, order, steps)
  return outcome
}

interface Success {
  readonly order: FullOrder
  readonly payment: PaymentKey
  readonly money: Money
  readonly lines: readonly SealedLine[]
}

async function succeed(
  deps: DecideDeps,
  tx: Tx,
  { order, payment, money, lines }: Success,
): Promise<TransitionOutcome> {
  // Who only claims to have paid learns nothing of who did.
  const isClaimed = lines.some(({ reasons }) => reasons.includes(CLAIMED))
  const payer = isClaimed ? undefined : onlyPayer(lines.map((line) => openDetails(deps.secrets, line)))
  const proposal = {
    status: 'SUCCESS',
    received: money,
    actor: `${OPERATOR_ACTOR_PREFIX}${order.operatorCode}`,
    evidence: await evidenceOfDecision(tx, lines, order),
    reason: order.reason,
    ...(payer !== undefined && { payer }),
  } as const
  const [outcome] = await transition(deps, tx, [{ key: payment, proposal }])
  if (outcome?.kind === 'CHANGED') return outcome
  throw new StatementProblem(
    outcome?.kind === 'REFUSED'
      ? `The payment cannot take it: ${outcome.why}. The money can be sent back (RETURN).`
      : 'The payment has got its money already. Send this back (RETURN), or say that it is the same (SAME_MONEY).',
    'CONFLICT',
  )
}

/** Money of several accounts has no payer to whom a refund of all of it could go. */
function onlyPayer(details: readonly PartDetails[]): ReturnType<typeof payerOf> {
  const [first, ...others] = details.map(payerOf)
  const isSame = (other: typeof first): boolean =>
    other?.accountNumber === first?.accountNumber && other?.bankCode === first?.bankCode
  return others.every(isSame) ? first : undefined
}

/** The books have this money already: an institution or people had said before that it was paid, or that it came back. */
async function sameMoney(tx: Tx, line: SealedLine): Promise<Step> {
  requireWaitingMoney(line)
  const payment = line.payment && (await lockPayment(tx, line.payment))
  const against = await againstSameMoney(tx, line, payment)
  if (against !== undefined) throw new StatementProblem(against, 'CONFLICT')
  const amount = ownMoney(line, payment)
  const rest = subtractAmounts(line.openAmount, amount)
  return {
    line,
    amount,
    change: { state: isPositive(rest) ? 'OVER' : 'SAME_MONEY', openAmount: rest },
    events: [{ event: 'SUSPENSE_APPLIED', amount }],
  }
}

async function write(deps: DecideDeps, tx: Tx, order: FullOrder, steps: readonly Step[]): Promise<void> {
  const decided = steps.map(({ line, amount, change }): Decided => {
    const decisionNo = line.decisionCount + 1
    return {
      lineId: line.lineId,
      decisionNo,
      amount,
      decision: order.decision,
      actor: `${OPERATOR_ACTOR_PREFIX}${order.operatorCode}`,
      confirmedBy: order.confirmedBy,
      reason: order.reason,
      payment: change.payment ?? line.payment,
    }
  })
  await insertDecisions(tx, decided)
  await bookEntries(
    tx,
    steps.flatMap(({ line, events }) =>
      events.map(({ event, amount }) =>
        suspenseEntry(deps.ids, event, {
          lineId: line.lineId,
          decisionNo: line.decisionCount + 1,
          amount,
          currencyCode: line.currencyCode,
        }),
      ),
    ),
  )
  await changeLines(
    tx,
    steps.map(({ line, change }) => ({ ...line, ...change, decisionCount: line.decisionCount + 1 })),
  )
}
