import { type MaskedPayee, maskPayee, type PayeeIdentity, payeeIdentity } from '@tollgate/payment-codes'
import type { Database } from '../../platform/database.ts'
import { lookUp } from '../../platform/look-up.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  digestPayee,
  type HeldPayment,
  type HoldEntry,
  type ListPowerless,
  listHolds,
  openPersonalData,
  type Payment,
  type PersonalData,
  withSealedData,
} from '../payments/index.ts'
import { contentHashOf, type PayoutRule, type WaitReason, waitsForAmount } from './model.ts'
import type { PayoutPolicies } from './policies.ts'
import {
  type ApprovalRequest,
  listDecisions,
  listRequests,
  type StoredDecision,
  type StoredRequest,
} from './store.ts'

/** Money that leaves, as operators see it. */
export interface OutgoingView {
  readonly merchantCode: string
  readonly payment: Payment
  /** Undefined when there is none, or when it cannot be read any more. */
  readonly account: MaskedPayee | undefined
  /** All 64 hex digits. */
  readonly contentHash: string
  /** Why it waits or waited; empty when it never did. */
  readonly waitsBecause: readonly WaitReason[]
  readonly requestedBy: string | undefined
  /** The approvals of this very content. */
  readonly approvals: readonly StoredDecision[]
  /** What put it on hold and ended that, in order. */
  readonly holds: readonly HoldEntry[]
}

export interface ViewDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly policies: PayoutPolicies
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  /** Those of the operators who may not approve any more. */
  readonly listPowerless: ListPowerless
}

/** Gathers what operators see of the payments, in their order. */
export async function viewsOf(
  deps: ViewDeps,
  payments: readonly Payment[],
): Promise<readonly OutgoingView[]> {
  if (payments.length === 0) return []
  const requests = await listRequests(deps.db, payments)
  const decisions = await listDecisions(deps.db, payments)
  const powerless = await deps.listPowerless(deps.db, codesIn(decisions))
  const holds = await listHolds(deps.db, payments)
  const codeOf = await lookUp(
    payments.map(({ merchantId }) => merchantId),
    deps.merchantCodeOf,
  )
  const held = await withSealedData(deps.db, payments)
  return Promise.all(
    held.map(async (each) => {
      const isSame = isOf(each.payment)
      return viewOf(deps, each, {
        merchantCode: codeOf(each.payment.merchantId),
        request: requests.find(isSame),
        decisions: decisions.filter(isSame),
        // What has left keeps the names by which it left.
        powerless: isWaiting(each.payment) ? powerless : NOBODY,
        holds: holds.filter(isSame),
      })
    }),
  )
}

const isOf =
  (payment: Payment) =>
  (row: StoredRequest | StoredDecision | HoldEntry): boolean =>
    row.merchantId === payment.merchantId && row.kind === payment.kind && row.idPayment === payment.idPayment

const isWaiting = ({ processorStatus }: Payment): boolean => processorStatus === 'AWAITING_APPROVAL'

const NOBODY: ReadonlySet<string> = new Set()

export const codesIn = (decisions: readonly StoredDecision[]): readonly string[] => [
  ...new Set(decisions.map(({ operatorCode }) => operatorCode)),
]

interface Found {
  readonly merchantCode: string
  readonly request: StoredRequest | undefined
  readonly decisions: readonly StoredDecision[]
  readonly powerless: ReadonlySet<string>
  readonly holds: readonly HoldEntry[]
}

async function viewOf(deps: ViewDeps, held: HeldPayment, found: Found): Promise<OutgoingView> {
  const { payment } = held
  const contentHash = contentHashOf(held)
  const policy = await deps.policies.of(payment.merchantId)
  return {
    merchantCode: found.merchantCode,
    payment,
    account: maskedAccount(deps.secrets, held),
    contentHash: contentHash.toString('hex'),
    waitsBecause: reasonsOf(payment, found.request, policy.rules),
    requestedBy: found.request?.requestedBy,
    approvals: countingApprovals(found.decisions, contentHash, found.powerless),
    holds: found.holds,
  }
}

/** Approvals of other content do not count, nor those of operators who may not approve any more. */
export function countingApprovals(
  decisions: readonly StoredDecision[],
  contentHash: Buffer,
  powerless: ReadonlySet<string>,
): readonly StoredDecision[] {
  return decisions.filter(
    (each) =>
      each.decision === 'APPROVED' &&
      each.contentHash.equals(contentHash) &&
      !powerless.has(each.operatorCode),
  )
}

/**
 * Why a payment waits. What was decided in the transaction that accepted it is stored; an amount is judged in memory, so it
 * is judged again by the rules of now.
 */
export function reasonsOf(
  payment: Payment,
  request: ApprovalRequest | undefined,
  rules: ReadonlyMap<string, PayoutRule>,
): readonly WaitReason[] {
  if (request !== undefined) return request.reasons
  if (payment.processorStatus !== 'AWAITING_APPROVAL') return []
  return waitsForAmount(rules.get(payment.money.currencyCode), payment.money.amount) ? ['AMOUNT'] : ['OTHER']
}

function maskedAccount(secrets: Secrets, { payment, sealed }: HeldPayment): MaskedPayee | undefined {
  if (sealed === undefined) return undefined
  try {
    const payee = identityOf(secrets, payment, openPersonalData(secrets, payment, sealed))
    return payee && maskPayee(payee)
  } catch {
    // Somebody changed what is sealed: the list must show the payment all the same, and its hash tells.
    return undefined
  }
}

/**
 * Who is paid, as the bank will be told: what lists show is made of this, never of what the merchant wrote. Bank code and
 * payment operator count where they did when the payment was accepted, which its digest says.
 */
function identityOf(
  secrets: Secrets,
  { operatorCode, money, beneficiaryDigest }: Payment,
  { accountNumber, bankCode }: PersonalData,
): PayeeIdentity | undefined {
  if (accountNumber === undefined) return undefined
  const named = { accountNumber, operatorCode, currencyCode: money.currencyCode }
  const asWritten = payeeIdentity({ ...named, bankCode })
  const others = [
    payeeIdentity(named),
    ...(operatorCode === undefined
      ? []
      : [{ bankCode }, {}].map((bank) => payeeIdentity({ ...named, ...bank, operatorCode: undefined }))),
  ]
  const isKnown = (payee: PayeeIdentity | undefined): boolean =>
    payee !== undefined && beneficiaryDigest?.equals(digestPayee(secrets, payee)) === true
  return others.find(isKnown) ?? asWritten
}
