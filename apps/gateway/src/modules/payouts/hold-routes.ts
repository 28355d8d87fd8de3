import { answers, HeldPaymentParams, HoldSchema, OperatorPayoutSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import type { ApprovalService, HoldOrderByCode } from './approvals.ts'
import { kindOf, present } from './operator-routes.ts'

const TAGS = ['Payouts']
const PATH = '/operator/payments/:kind/:merchantCode/:idPayment'

/** Stopping one outgoing payment before an institution has it, and what becomes of it then. */
export function holdOperatorRoutes(app: App, approvals: ApprovalService): void {
  app.post(
    `${PATH}/!hold`,
    {
      config: { permission: 'payments.hold' },
      schema: {
        operationId: 'holdPayment',
        summary: 'Put an outgoing payment on hold, as long as no institution has it',
        tags: TAGS,
        params: HeldPaymentParams,
        body: HoldSchema,
        response: answers({ 200: OperatorPayoutSchema }, 400, 401, 403, 409, 410, 429, 500),
      },
    },
    async (request) => present(await approvals.hold(orderOf(request))),
  )
  app.post(
    `${PATH}/!release`,
    {
      config: { permission: 'payments.release' },
      schema: {
        operationId: 'releasePayment',
        summary: 'Release a payment that is on hold; another operator than the one who stopped it does so',
        tags: TAGS,
        params: HeldPaymentParams,
        body: HoldSchema,
        response: answers({ 200: OperatorPayoutSchema }, 400, 401, 403, 406, 409, 410, 429, 500),
      },
    },
    async (request) => present(await approvals.release(orderOf(request))),
  )
  app.post(
    `${PATH}/!cancel`,
    {
      config: { permission: 'payments.release' },
      schema: {
        operationId: 'cancelHeldPayment',
        summary: 'Cancel a payment that is on hold; its money is released',
        tags: TAGS,
        params: HeldPaymentParams,
        body: HoldSchema,
        response: answers({ 200: OperatorPayoutSchema }, 400, 401, 403, 409, 410, 429, 500),
      },
    },
    async (request) => present(await approvals.cancel(orderOf(request))),
  )
}

interface HoldRequest {
  readonly params: { readonly kind: string; readonly merchantCode: string; readonly idPayment: string }
  readonly body: { readonly reason: string }
}

function orderOf(request: HoldRequest & Parameters<typeof operatorOf>[0]): HoldOrderByCode {
  const { kind, merchantCode, idPayment } = request.params
  const operatorCode = operatorOf(request).code
  return { kind: kindOf(kind), merchantCode, idPayment, operatorCode, reason: request.body.reason }
}
