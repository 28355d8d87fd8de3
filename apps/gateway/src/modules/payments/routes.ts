import {
  type AnswerItem,
  answers,
  CustomerParams,
  CustomerPaymentListSchema,
  ID_PATTERN,
  PAGE_LIMIT_DEFAULT,
  PageQuery,
} from '@tollgate/contract'
import { rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/gate.ts'
import { operationsOf } from '../../http/operation.ts'
import { invalidField } from '../../platform/refusal.ts'
import { PAYMENT_KINDS } from './model.ts'
import type { CustomerPayment, CustomerPaymentService, PaymentPosition } from './privacy/customer-payments.ts'

const operation = operationsOf('Customers')

/** What a customer paid and was paid, of every kind. */
export function customerPaymentRoutes(app: App, service: CustomerPaymentService): void {
  app.get(
    '/customers/:idCustomer/payments',
    operation('listCustomerPayments', {
      summary: 'List the payments of a customer, the newest first',
      params: CustomerParams,
      querystring: PageQuery,
      response: answers({ 200: CustomerPaymentListSchema }, 410),
    }),
    async (request) => {
      const { cursor, limit } = request.query
      const customer = {
        merchantId: callerOf(request).merchantId,
        idCustomer: request.params.idCustomer,
      }
      const { payments, hasMore } = await service.list(customer, {
        after: cursor === undefined ? undefined : readAfter(cursor),
        limit: limit === undefined ? PAGE_LIMIT_DEFAULT : Number(limit),
      })
      const last = payments.at(-1)
      return {
        data: payments.map(present),
        ...(hasMore && last !== undefined && { nextCursor: cursorAfter(last) }),
      }
    },
  )
}

function present(payment: CustomerPayment): AnswerItem<typeof CustomerPaymentListSchema> {
  const { money } = payment
  return {
    kind: payment.kind,
    id: payment.idPayment,
    status: payment.status,
    money: { amount: rawAmount(money.amount), currencyCode: money.currencyCode },
    paymentMethodCode: payment.methodCode,
    createdAt: payment.createdAt.toISOString(),
  }
}

/** The place after which the next page begins, as callers carry it about. */
function cursorAfter({ createdAtUs, kind, idPayment }: PaymentPosition): string {
  return Buffer.from(`${createdAtUs} ${kind} ${idPayment}`).toString('base64url')
}

const MICROSECONDS = /^\d{1,17}$/
const ID = new RegExp(ID_PATTERN)

/** Reads a cursor of ours; throws the 400 for anything else. */
function readAfter(cursor: string): PaymentPosition {
  const [createdAtUs = '', kindText, idPayment = '', ...rest] = Buffer.from(cursor, 'base64url')
    .toString('utf8')
    .split(' ')
  const kind = PAYMENT_KINDS.find((each) => each === kindText)
  const isOurs = MICROSECONDS.test(createdAtUs) && ID.test(idPayment) && rest.length === 0
  if (kind === undefined || !isOurs) throw invalidField('cursor', 'is not a nextCursor of this list')
  return { createdAtUs, kind, idPayment }
}
