import type {
  Answer,
  MoneySchema,
  PayinAcceptedSchema,
  PayinDetailSchema,
  PaymentAccountsSchema,
  TimelineEntrySchema,
  TriggeredSchema,
} from '@tollgate/contract'
import type { TriggerOutcome } from '@tollgate/contract/words'
import { type Money, parsePlainAmount, rawAmount } from '@tollgate/money'
import { rejection } from '../../platform/refusal.ts'
import type { Instructions } from '../../rails/rail.ts'
import type { Accepted } from './accept/intake.ts'
import type { Payment } from './model.ts'
import type { Triggered } from './progress/trigger.ts'
import type { CollectedData } from './service.ts'
import type { TimelineEntry } from './store.ts'

type Detail = Answer<typeof PayinDetailSchema>
type Instructed = Omit<Detail['paymentMethodResponse'], 'idPayin'>

/** Money as it goes out: a number with all its digits. */
export const presentMoney = (money: Money): Answer<typeof MoneySchema> => ({
  amount: rawAmount(money.amount),
  currencyCode: money.currencyCode,
})

interface InstructedParts {
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly instructions: Instructions
  readonly money: Money
  readonly expireAt: Date
  readonly reference: string
  readonly returnUrl: string | undefined
  readonly acceptedAt: Date
}

/** `paymentMethodResponse`, but for the id. */
function presentInstructed(parts: InstructedParts): Instructed {
  const { instructions } = parts
  return {
    paymentMethodCode: parts.methodCode,
    ...(parts.operatorCode !== undefined && { paymentOperatorCode: parts.operatorCode }),
    ...(instructions.account !== undefined && { account: instructions.account }),
    ...(instructions.wallet !== undefined && { wallet: instructions.wallet }),
    money: presentMoney(parts.money),
    expireAt: parts.expireAt.toISOString(),
    reference: instructions.reference ?? parts.reference,
    ...(parts.returnUrl !== undefined && { returnUrl: parts.returnUrl }),
    acceptedAt: parts.acceptedAt.toISOString(),
    ...(instructions.redirectUrl !== undefined && { redirectUrl: instructions.redirectUrl }),
    ...(instructions.qr !== undefined && { qr: instructions.qr }),
    ...(instructions.deepLinks !== undefined && { deepLinks: instructions.deepLinks }),
  }
}

const presentRequested = (money: Money, segmentCode: string | undefined) => ({
  money: presentMoney(money),
  ...(segmentCode !== undefined && { segmentCode }),
})

/** What is answered of a payment whose id is called as in `Id`. */
type Named<Shape extends { readonly paymentMethodResponse: object }, Id> = Omit<
  Shape,
  'paymentMethodResponse'
> & { readonly paymentMethodResponse: Id & Instructed }

/** The 201 (specification 2.3, 2.5). `id` is the id under its name: `{ idPayin }`. */
export function presentAccepted<Id extends object>(
  { payment, money, expireAt, acceptedAt }: Accepted,
  id: Id,
): Named<Answer<typeof PayinAcceptedSchema>, Id> {
  const instructed = presentInstructed({ ...payment, money, expireAt, acceptedAt })
  return {
    paymentRequested: presentRequested(money, payment.segmentCode),
    paymentMethodResponse: { ...id, ...instructed },
  }
}

/** The detail. The fee appears once it has been charged, which is with the success. */
export function presentDetail<Id extends object>(payment: Payment, id: Id): Named<Detail, Id> {
  const isCharged = payment.status === 'SUCCESS' || payment.status === 'REVERSED'
  return {
    paymentRequested: presentRequested(payment.money, payment.segmentCode),
    paymentMethodResponse: { ...id, ...presentInstructed({ ...payment, acceptedAt: payment.createdAt }) },
    ...(isCharged && { fee: presentMoney(payment.fee), ...presentConversion(payment) }),
    ...(payment.idCustomer !== undefined && { customer: { idCustomer: payment.idCustomer } }),
    process: presentProcess(payment),
    ...presentMoved(payment),
    ...(payment.externalReference !== undefined && { externalReference: payment.externalReference }),
  }
}

/** The money that arrived and stayed, or went back. Money that is not the money asked for is no reason for a merchant to deliver. */
function presentMoved({
  status,
  received,
  failure,
}: Payment): Pick<Detail, 'paymentReceived' | 'paymentReversed'> {
  if (received === undefined) return {}
  const money = presentMoney(received)
  if (status === 'SUCCESS') return { paymentReceived: { money } }
  // A reversal says why, and when.
  if (status === 'REVERSED' && failure !== undefined)
    return { paymentReversed: { money, reversedAt: failure.failedAt.toISOString() } }
  return {}
}

function presentConversion({ feeConversion }: Payment): Pick<Detail, 'feeConversion'> {
  if (feeConversion === undefined) return {}
  const { listCode: rateListCode, priced, ...how } = feeConversion
  const amount = rawAmount(parsePlainAmount(priced.amount))
  return { feeConversion: { rateListCode, ...how, priced: { ...priced, amount } } }
}

/** `process` of a detail (specification 2.6). */
export function presentProcess(payment: Payment): Detail['process'] {
  const { failure } = payment
  return {
    status: payment.status,
    processorStatus: payment.processorStatus,
    createdAt: payment.createdAt.toISOString(),
    ...(payment.processedAt !== undefined && { processedAt: payment.processedAt.toISOString() }),
    isTest: payment.isTest,
    ...(failure !== undefined && {
      failureReasons: {
        failedAt: failure.failedAt.toISOString(),
        failureReasonCode: failure.code,
        message: failure.message,
      },
    }),
  }
}

/** GET /payins/{idPayin}/accounts. */
export function presentAccounts(
  payment: Payment,
  collected: readonly CollectedData[],
): Answer<typeof PaymentAccountsSchema> {
  return {
    data: collected.map(({ source, collectedAt, data }) => ({
      source,
      ...data,
      ...(payment.operatorCode !== undefined && { paymentOperatorCode: payment.operatorCode }),
      collectedAt: collectedAt.toISOString(),
    })),
  }
}

/** An entry of the timeline, for operators. */
export function presentTimelineEntry({ reason, evidence, happenedAt, ...entry }: TimelineEntry): ShownEntry {
  return {
    ...entry,
    ...(evidence !== undefined && {
      evidence: {
        class: evidence.class,
        ...(evidence.operators.length > 0 && { operators: evidence.operators }),
      },
    }),
    ...(reason !== undefined && { reason }),
    happenedAt: happenedAt.toISOString(),
  }
}

type ShownEntry = Answer<typeof TimelineEntrySchema>

/** What became of a payment that was triggered. Throws 406 when that is not possible. */
export function presentTriggered(
  payment: Payment,
  triggered: Triggered,
  outcome: TriggerOutcome,
): Omit<Answer<typeof TriggeredSchema>, 'merchantCode' | 'kind' | 'idPayment'> {
  if (triggered.kind === 'REFUSED')
    throw rejection([
      {
        code: 'OUTCOME_NOT_POSSIBLE',
        message: `The payment cannot become ${outcome}: ${triggered.why}.`,
        field: 'outcome',
      },
    ])
  const { status, processorStatus } = payment
  return {
    outcome,
    result: triggered.kind,
    status,
    processorStatus,
    ...(triggered.kind === 'IN_REVIEW' && { why: triggered.why }),
  }
}
