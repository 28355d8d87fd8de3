import type { Database } from '../../platform/database.ts'
import { lookUp } from '../../platform/look-up.ts'
import { rejection } from '../../platform/refusal.ts'
import { type MerchantDirectory, requireMerchantId } from '../merchants/index.ts'
import {
  DECISIONS_NEEDED,
  type Inquiry,
  listReviews,
  OPERATOR_ACTOR_PREFIX,
  type Payment,
  type PaymentKey,
  type PaymentService,
  type ReviewedPayment,
  type ReviewOrder,
  type ReviewPosition,
  type ReviewRules,
  unknownPayment,
} from '../payments/index.ts'

export interface ReviewDeps extends ReviewRules {
  readonly db: Database
  readonly payments: Pick<PaymentService, 'find' | 'decideReview' | 'listTimeline' | 'listInquiries'>
  readonly merchants: Pick<MerchantDirectory, 'find'>
  /** The public code of a merchant. */
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  /** The payout file that a payment leaves in, and who made it. */
  readonly findPayoutFile: (
    key: PaymentKey,
  ) => Promise<{ readonly fileId: string; readonly createdBy: string } | undefined>
  /** Up to when answers of institutions may have been removed. */
  readonly findRemovedUntil: () => Promise<Date | undefined>
  /** Tells the worker of this process that there is work: others find it by polling. */
  readonly wakeWorker: () => void
}

/** Names a payment as operators do. */
export interface NamedPayment {
  readonly kind: Payment['kind']
  readonly merchantCode: string
  readonly idPayment: string
}

interface ReviewsOrder {
  readonly merchantCode: string | undefined
  readonly after: ReviewPosition | undefined
  readonly limit: number
}

/** A payment that waits for people, with the code of its merchant. */
export interface WaitingPayment extends ReviewedPayment {
  readonly merchantCode: string
}

/** A part of the list, and the place after which the next one begins. */
interface ReviewPage {
  readonly items: readonly WaitingPayment[]
  readonly next: ReviewPosition | undefined
}

/** A payment with all that is known of how it came to be as it is. */
export interface ReviewView {
  readonly merchantCode: string
  readonly payment: Payment
  readonly timeline: Awaited<ReturnType<PaymentService['listTimeline']>>
  /** `counts`: a decision about the payment as it is now, of an operator who may still decide. */
  readonly inquiries: readonly (Inquiry & { readonly counts: boolean })[]
  /** Up to when answers of institutions may have been removed. */
  readonly removedUntil: Date | undefined
  /** Whether its chain can still carry it out. */
  readonly canStillBePaid: boolean
}

/** What people have to find out about payments, and their word. Refusals are thrown. */
export interface ReviewService {
  /**
   * Payments in review, and those of which nobody knows for long what became of them; the longest waiting first. Throws
   * ENTITY_NOT_FOUND for a merchant that does not exist.
   */
  list(order: ReviewsOrder): Promise<ReviewPage>
  /** Throws ENTITY_NOT_FOUND. */
  show(named: NamedPayment): Promise<ReviewView>
  /** Throws ENTITY_NOT_FOUND, REVIEW_NOT_OPEN, REVIEW_REPEATED, and CONFIRMATION_OTHER_PERSON to who made its payout file. */
  decide(named: NamedPayment, order: ReviewOrder): Promise<ReviewView>
}

export function createReviewService(deps: ReviewDeps): ReviewService {
  return {
    list: (order) => reviewsPage(deps, order),
    async show(named) {
      return view(deps, named, await keyOf(deps, named))
    },
    async decide(named, order) {
      const key = await keyOf(deps, named)
      if ((await deps.payments.find(key)) === undefined) throw unknownPayment(named, named.merchantCode)
      await requireOtherThanMaker(deps, key, order)
      const verdict = await deps.payments.decideReview(key, order, deps)
      if (verdict.isCarriedOut && order.outcome === 'STILL_WAITING') deps.wakeWorker()
      return view(deps, named, key)
    },
  }
}

/** Who made the file that a payout left in does not say what became of it. Whether it goes on waiting, anybody may say. */
async function requireOtherThanMaker(
  { findPayoutFile }: ReviewDeps,
  key: PaymentKey,
  { operatorCode, outcome }: ReviewOrder,
): Promise<void> {
  if (DECISIONS_NEEDED[outcome] < 2) return
  const file = await findPayoutFile(key)
  if (file?.createdBy !== `${OPERATOR_ACTOR_PREFIX}${operatorCode}`) return
  throw rejection([
    {
      code: 'CONFIRMATION_OTHER_PERSON',
      message: `You made the payout file ${file.fileId} that this payment is in, so other operators must decide its outcome.`,
    },
  ])
}

async function reviewsPage(
  deps: ReviewDeps,
  { merchantCode, after, limit }: ReviewsOrder,
): Promise<ReviewPage> {
  const merchantId = merchantCode === undefined ? undefined : await merchantIdOf(deps, merchantCode)
  const query = { merchantId, after, limit: limit + 1 }
  const found = await listReviews(deps.db, query)
  const page = found.slice(0, limit)
  const codeOf = await lookUp(
    page.map(({ payment }) => payment.merchantId),
    deps.merchantCodeOf,
  )
  return {
    items: page.map((item) => ({ ...item, merchantCode: codeOf(item.payment.merchantId) })),
    next: found.length > limit ? page.at(-1)?.position : undefined,
  }
}

async function view(deps: ReviewDeps, named: NamedPayment, key: PaymentKey): Promise<ReviewView> {
  const [payment, timeline, inquiries, removedUntil] = await Promise.all([
    deps.payments.find(key),
    deps.payments.listTimeline(key),
    deps.payments.listInquiries(key),
    deps.findRemovedUntil(),
  ])
  if (payment === undefined) throw unknownPayment(named, named.merchantCode)
  const deciders = inquiries.flatMap(({ operatorCode }) => operatorCode ?? [])
  const powerless = await deps.listPowerless(deps.db, deciders)
  const canStillBePaid = await deps.canStillBePaid(deps.db, payment)
  return {
    merchantCode: named.merchantCode,
    payment,
    timeline,
    inquiries: inquiries.map((inquiry) => ({
      ...inquiry,
      counts: inquiry.timelineEntryNo === payment.timelineCount && !powerless.has(inquiry.operatorCode ?? ''),
    })),
    removedUntil,
    canStillBePaid,
  }
}

async function keyOf(deps: ReviewDeps, { kind, merchantCode, idPayment }: NamedPayment): Promise<PaymentKey> {
  return { merchantId: await merchantIdOf(deps, merchantCode), kind, idPayment }
}

const merchantIdOf = ({ merchants }: ReviewDeps, merchantCode: string): Promise<string> =>
  requireMerchantId(merchants, merchantCode)
