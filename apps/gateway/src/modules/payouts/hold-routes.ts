import { answers, HeldPaymentParams, HoldSchema, OperatorPayoutSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import type { ApprovalService, HoldOrderByCode } from './approvals.ts'
import { kindOf, present } from './operator-routes.ts'

const operation = operatorOperationsOf('Payouts')
const PATH = '/operator/payments/:kind/:merchantCode/:idPayment'

/** Stopping one outgoing payment before an institution has it, and what becomes of it then. */
export function holdOperatorRoutes(app: App, approvals: ApprovalService): void {
  app.post(
    `${PATH}/!hold`,
    operation('holdPayment', 'payments.hold', {
      summary: 'Put an outgoing payment on hold, as long as no institution has it',
      params: HeldPaymentParams,
      body: HoldSchema,
      response: answers({ 200: OperatorPayoutSchema }, 409, 410),
    }),
    async (request) => present(await approvals.hold(orderOf(request))),
  )
  app.post(
    `${PATH}/!release`,
    operation(
      'releasePayment',
      'payments.release',
      {
        summary: 'Release a payment that is on hold; another operator than the one who stopped it does so',
        params: HeldPaymentParams,
        body: HoldSchema,
        response: answers({ 200: OperatorPayoutSchema }, 406, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => present(await approvals.release(orderOf(request))),
  )
  app.post(
    `${PATH}/!cancel`,
    operation(
      'cancelHeldPayment',
      'payments.release',
      {
        summary: 'Cancel a payment that is on hold; its money is released',
        params: HeldPaymentParams,
        body: HoldSchema,
        response: answers({ 200: OperatorPayoutSchema }, 409, 410),
      },
      { stepUp: true },
    ),
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
