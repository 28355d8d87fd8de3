import {
  type Answer,
  answers,
  CONTENT_HASH_DIGITS,
  ID_PATTERN,
  OperatorPayoutListSchema,
  OperatorPayoutParams,
  OperatorPayoutQuery,
  OperatorPayoutSchema,
  OperatorPayoutsQuery,
  PAGE_LIMIT_DEFAULT,
  PayoutApproveSchema,
  PayoutRejectSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { invalidField } from '../../platform/refusal.ts'
import { type OutgoingPosition, presentMoney, presentProcess } from '../payments/index.ts'
import type { ApprovalService, DecisionOrder } from './approvals.ts'
import { APPROVALS_NEEDED } from './model.ts'
import type { OutgoingView } from './views.ts'

const operation = operatorOperationsOf('Payouts')

/** Payouts for operators: what waits for them, and their decisions. */
export function payoutOperatorRoutes(app: App, approvals: ApprovalService): void {
  listRoute(app, approvals)
  app.post(
    '/operator/payouts/:merchantCode/:idPayout/!approve',
    operation(
      'approvePayout',
      'payouts.approve',
      {
        summary: 'Approve a payout as it is now; the second operator’s approval sends it off',
        params: OperatorPayoutParams,
        querystring: OperatorPayoutQuery,
        body: PayoutApproveSchema,
        response: answers({ 200: OperatorPayoutSchema }, 406, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { contentHash, reason } = request.body
      const order = { ...orderOf(request), operatorCode: operatorOf(request).code, contentHash, reason }
      return present(await approvals.approve(order))
    },
  )
  app.post(
    '/operator/payouts/:merchantCode/:idPayout/!reject',
    operation(
      'rejectPayout',
      'payouts.approve',
      {
        summary: 'Call a payout off that waits for approval; its money is released',
        params: OperatorPayoutParams,
        querystring: OperatorPayoutQuery,
        body: PayoutRejectSchema,
        response: answers({ 200: OperatorPayoutSchema }, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { contentHash, reason } = request.body
      const order = { ...orderOf(request), operatorCode: operatorOf(request).code, contentHash, reason }
      return present(await approvals.reject(order))
    },
  )
}

function listRoute(app: App, approvals: ApprovalService): void {
  app.get(
    '/operator/payouts',
    operation('listOperatorPayouts', 'payouts.read', {
      summary: 'List payouts, the newest first',
      querystring: OperatorPayoutsQuery,
      response: answers({ 200: OperatorPayoutListSchema }, 410),
    }),
    async (request) => {
      const { kind, status, merchantCode, idPayout, cursor, limit } = request.query
      if (idPayout !== undefined && merchantCode === undefined)
        throw invalidField('merchantCode', 'is needed with idPayout: ids belong to merchants')
      const { items, next } = await approvals.list({
        kind: kindOf(kind),
        merchantCode,
        idPayment: idPayout,
        waiting: status === 'ON_HOLD' || status === 'AWAITING_APPROVAL' ? status : undefined,
        after: cursor === undefined ? undefined : readAfter(cursor),
        limit: limit === undefined ? PAGE_LIMIT_DEFAULT : Number(limit),
      })
      return { data: items.map(present), ...(next !== undefined && { nextCursor: cursorAfter(next) }) }
    },
  )
}

/** PAYOUT unless it says SETTLEMENT. */
export const kindOf = (kind: string | undefined): DecisionOrder['kind'] =>
  kind === 'SETTLEMENT' ? 'SETTLEMENT' : 'PAYOUT'

const orderOf = ({
  params,
  query,
}: {
  readonly params: { readonly merchantCode: string; readonly idPayout: string }
  readonly query: { readonly kind?: string }
}) => ({ kind: kindOf(query.kind), merchantCode: params.merchantCode, idPayment: params.idPayout })

/** A payment that is paid out, as operators see it. */
export function present(view: OutgoingView): Answer<typeof OperatorPayoutSchema> {
  const { payment, account } = view
  return {
    merchantCode: view.merchantCode,
    kind: payment.kind,
    idPayout: payment.idPayment,
    ...(payment.instructions.refundOf !== undefined && { refundOf: payment.instructions.refundOf }),
    money: presentMoney(payment.money),
    fee: presentMoney(payment.fee),
    paymentMethodCode: payment.methodCode,
    ...(payment.operatorCode !== undefined && { paymentOperatorCode: payment.operatorCode }),
    ...(account !== undefined && { account }),
    process: presentProcess(payment),
    expireAt: payment.expireAt.toISOString(),
    contentHash: view.contentHash.slice(0, CONTENT_HASH_DIGITS),
    waitsBecause: view.waitsBecause,
    ...(view.requestedBy !== undefined && { requestedBy: view.requestedBy }),
    approvals: view.approvals.map(({ operatorCode, reason, decidedAt }) => ({
      operatorCode,
      ...(reason !== undefined && { reason }),
      decidedAt: decidedAt.toISOString(),
    })),
    approvalsNeeded: APPROVALS_NEEDED,
    holds: view.holds.map(({ event, cause, operatorCode, reason, happenedAt }) => ({
      event,
      ...(cause !== undefined && { cause }),
      ...(operatorCode !== undefined && { operatorCode }),
      reason,
      happenedAt: happenedAt.toISOString(),
    })),
  }
}

/** The place after which the next page begins, as callers carry it about. */
function cursorAfter({ createdAtUs, merchantId, idPayment }: OutgoingPosition): string {
  return Buffer.from(`${createdAtUs} ${merchantId} ${idPayment}`).toString('base64url')
}

const MICROSECONDS = /^\d{1,17}$/
const MERCHANT_ID = /^\d{1,18}$/
const ID = new RegExp(ID_PATTERN)

/** Reads a cursor of ours; throws the 400 for anything else. */
function readAfter(cursor: string): OutgoingPosition {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const [createdAtUs = '', merchantId = '', idPayment = '', ...rest] = text.split(' ')
  const isOurs = MICROSECONDS.test(createdAtUs) && MERCHANT_ID.test(merchantId) && ID.test(idPayment)
  if (!isOurs || rest.length > 0) throw invalidField('cursor', 'is not a nextCursor of this list')
  return { createdAtUs, merchantId, idPayment }
}
