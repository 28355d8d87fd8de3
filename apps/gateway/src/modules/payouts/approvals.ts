import type { Database, Tx } from '../../platform/database.ts'
import { Refusal, rejection } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { MerchantDirectory } from '../merchants/index.ts'
import {
  type HeldPayment,
  type HoldOrder,
  type ListPowerless,
  listOutgoing,
  OPERATOR_ACTOR_PREFIX,
  type OutgoingPosition,
  type Payment,
  type PaymentKey,
  type PaymentKind,
  type PaymentService,
} from '../payments/index.ts'
import { findBlocked } from './block-store.ts'
import { APPROVALS_NEEDED, contentHashOf } from './model.ts'
import { keyOf, merchantIdOf } from './names.ts'
import { type PayeeOrder, type PayeeView, showPayee, type Verifications } from './payees.ts'
import type { PayoutPolicies } from './policies.ts'
import { insertDecision, listDecisions, listRequests, updateApproved } from './store.ts'
import { codesIn, countingApprovals, type OutgoingView, reasonsOf, viewsOf } from './views.ts'

export interface ApprovalDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly payments: Pick<PaymentService, 'decideApproval' | 'find' | 'hold' | 'release' | 'cancelHeld'>
  readonly policies: PayoutPolicies
  readonly merchants: Pick<MerchantDirectory, 'find'>
  /** The public code of a merchant. */
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  /** What banks reported of whom the payment pays. */
  readonly verificationsOf: (payment: Payment) => Promise<Verifications>
  /** Those of the operators who may not approve any more. */
  readonly listPowerless: ListPowerless
  /** Tells the worker of this process that there is work: others find it by polling. */
  readonly wakeWorker: () => void
}

/** What an operator decides about one payment. */
export interface DecisionOrder {
  readonly kind: PaymentKind
  readonly merchantCode: string
  readonly idPayment: string
  readonly operatorCode: string
  /** Twelve or more hex digits of the hash of the content that the operator has seen. */
  readonly contentHash: string
}

/** What an operator says about a hold of one payment. */
export interface HoldOrderByCode
  extends Pick<DecisionOrder, 'kind' | 'merchantCode' | 'idPayment'>,
    HoldOrder {}

/** Which payments a list of operators is to have. */
interface ListOrder {
  readonly kind: PaymentKind
  readonly merchantCode: string | undefined
  /** Only this one of the merchant. */
  readonly idPayment?: string | undefined
  /** Only those that wait for their approval, or only those on hold. */
  readonly waiting: 'AWAITING_APPROVAL' | 'ON_HOLD' | undefined
  readonly after: OutgoingPosition | undefined
  readonly limit: number
}

/** A part of a list, and the place after which the next one begins. */
interface OutgoingPage {
  readonly items: readonly OutgoingView[]
  readonly next: OutgoingPosition | undefined
}

/** Money that waits for people: payouts, and settlements that are paid out. Refusals are thrown. */
export interface ApprovalService {
  /** The newest first. Throws ENTITY_NOT_FOUND for a merchant that does not exist. */
  list(order: ListOrder): Promise<OutgoingPage>
  /**
   * Approves the content, and hands the payment over to its rail once two different operators have who still may. Throws ENTITY_NOT_FOUND,
   * APPROVAL_NOT_OPEN, APPROVAL_CONTENT_CHANGED, APPROVAL_OWN_REQUEST, BENEFICIARY_BLOCKED and APPROVAL_REPEATED.
   */
  approve(order: DecisionOrder & { readonly reason: string | undefined }): Promise<OutgoingView>
  /**
   * Ends the payment: CANCELLED, its money is released, and the merchant reads the reason. One operator is enough.
   * Throws ENTITY_NOT_FOUND, APPROVAL_NOT_OPEN and APPROVAL_CONTENT_CHANGED.
   */
  reject(order: DecisionOrder & { readonly reason: string }): Promise<OutgoingView>
  /** Whom one pays, in full; see `showPayee`. Throws ENTITY_NOT_FOUND. */
  showPayee(order: PayeeOrder): Promise<PayeeView>
  /** Stops one that no institution has. Throws ENTITY_NOT_FOUND and HOLD_NOT_OPEN. */
  hold(order: HoldOrderByCode): Promise<OutgoingView>
  /** Lets it go on where it was; another operator does so. Throws ENTITY_NOT_FOUND, HOLD_NOT_OPEN and HOLD_OWN. */
  release(order: HoldOrderByCode): Promise<OutgoingView>
  /** Ends it while it is on hold: CANCELLED, its money is released. Throws ENTITY_NOT_FOUND and HOLD_NOT_OPEN. */
  cancel(order: HoldOrderByCode): Promise<OutgoingView>
}

export function createApprovalService(deps: ApprovalDeps): ApprovalService {
  return {
    list: (order) => outgoingPage(deps, order),
    async approve(order) {
      const key = await keyOf(deps, order)
      const decision = await deps.payments.decideApproval(key, (tx, held) => approve(deps, tx, held, order))
      if (decision.kind === 'RELEASE') deps.wakeWorker()
      return readView(deps, key)
    },
    async reject(order) {
      const key = await keyOf(deps, order)
      await deps.payments.decideApproval(key, (tx, held) => reject(tx, held, order))
      return readView(deps, key)
    },
    showPayee: (order) => showPayee(deps, order),
    async hold(order) {
      const key = await keyOf(deps, order)
      await deps.payments.hold(key, order)
      return readView(deps, key)
    },
    async release(order) {
      const key = await keyOf(deps, order)
      await deps.payments.release(key, order)
      deps.wakeWorker()
      return readView(deps, key)
    },
    async cancel(order) {
      const key = await keyOf(deps, order)
      await deps.payments.cancelHeld(key, order)
      return readView(deps, key)
    },
  }
}

async function outgoingPage(deps: ApprovalDeps, order: ListOrder): Promise<OutgoingPage> {
  const { kind, merchantCode, idPayment, limit } = order
  const merchantId = merchantCode === undefined ? undefined : await merchantIdOf(deps, merchantCode)
  if (merchantId !== undefined && idPayment !== undefined)
    return onlyOf(deps, { merchantId, kind, idPayment }, order)
  const found = await listOutgoing(deps.db, { ...order, merchantId, limit: limit + 1 })
  const page = found.slice(0, limit)
  return {
    items: await viewsOf(
      deps,
      page.map(({ payment }) => payment),
    ),
    next: found.length > limit ? page.at(-1)?.position : undefined,
  }
}

async function onlyOf(deps: ApprovalDeps, key: PaymentKey, { waiting }: ListOrder): Promise<OutgoingPage> {
  const payment = await deps.payments.find(key)
  const isListed =
    waiting === undefined || (payment?.status === 'CREATED' && payment.processorStatus === waiting)
  return {
    items: payment !== undefined && isListed ? await viewsOf(deps, [payment]) : [],
    next: undefined,
  }
}

async function readView(deps: ApprovalDeps, key: PaymentKey): Promise<OutgoingView> {
  const payment = await deps.payments.find(key)
  const [view] = payment === undefined ? [] : await viewsOf(deps, [payment])
  if (view === undefined) throw new Error('a payment was decided about, and is gone')
  return view
}

async function approve(
  deps: ApprovalDeps,
  tx: Tx,
  held: HeldPayment,
  order: DecisionOrder & { readonly reason: string | undefined },
) {
  const { operatorCode, reason } = order
  const contentHash = requireContent(held, order)
  const key = keyIn(held.payment)
  const [request] = await listRequests(tx, [key])
  if (request?.requestedBy === operatorCode) {
    const message = 'You requested this payment, so other operators have to approve it.'
    throw rejection([{ code: 'APPROVAL_OWN_REQUEST', message }])
  }
  await refuseBlocked(tx, held.payment)
  const isNew = await insertDecision(tx, { ...key, operatorCode, decision: 'APPROVED', contentHash, reason })
  if (!isNew) throw new Refusal('APPROVAL_REPEATED')
  const decisions = await listDecisions(tx, [key])
  const powerless = await deps.listPowerless(tx, codesIn(decisions))
  const approvers = codesIn(countingApprovals(decisions, contentHash, powerless))
  const actor = `${OPERATOR_ACTOR_PREFIX}${operatorCode}`
  const remark = reason === undefined ? '' : `: ${reason}`
  if (approvers.length < APPROVALS_NEEDED) {
    return {
      kind: 'WAIT',
      actor,
      reason: `approved, ${approvers.length} of ${APPROVALS_NEEDED}${remark}`,
    } as const
  }
  const policy = await deps.policies.of(key.merchantId)
  await updateApproved(tx, key, reasonsOf(held.payment, request, policy.rules))
  return { kind: 'RELEASE', actor, reason: `approved by ${approvers.join(' and ')}${remark}` } as const
}

async function reject(tx: Tx, held: HeldPayment, order: DecisionOrder & { readonly reason: string }) {
  const { operatorCode, reason } = order
  const contentHash = requireContent(held, order)
  await insertDecision(tx, {
    ...keyIn(held.payment),
    operatorCode,
    decision: 'REJECTED',
    contentHash,
    reason,
  })
  const actor = `${OPERATOR_ACTOR_PREFIX}${operatorCode}`
  return { kind: 'REJECT', actor, operatorCode, message: reason } as const
}

/** The whole hash of the content as it is under the lock. Throws APPROVAL_CONTENT_CHANGED when the operator saw another one. */
function requireContent(held: HeldPayment, order: DecisionOrder): Buffer {
  const contentHash = contentHashOf(held)
  if (contentHash.toString('hex').startsWith(order.contentHash)) return contentHash
  throw new Refusal('APPROVAL_CONTENT_CHANGED')
}

/** The list in the database counts, not the one in memory: the money leaves after this. */
async function refuseBlocked(tx: Tx, { merchantId, beneficiaryDigest }: Payment): Promise<void> {
  if (beneficiaryDigest === undefined || !(await findBlocked(tx, merchantId, beneficiaryDigest))) return
  const message = 'The account to pay to has been put on the block-list since. Reject the payment.'
  throw rejection([{ code: 'BENEFICIARY_BLOCKED', message }])
}

const keyIn = ({ merchantId, kind, idPayment }: Payment): PaymentKey => ({ merchantId, kind, idPayment })
