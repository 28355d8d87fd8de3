import { answers, OperatorPayoutParams, OperatorPayoutQuery, PayeeSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import type { ApprovalService } from './approvals.ts'
import { kindOf } from './operator-routes.ts'
import { presentPayee } from './present.ts'

const operation = operatorOperationsOf('Payouts')

/** Whom a payout pays, for approvers. */
export function payeeOperatorRoutes(app: App, approvals: ApprovalService): void {
  app.get(
    '/operator/payouts/:merchantCode/:idPayout/payee',
    operation('readPayee', 'payouts.unmask', {
      summary: 'Read whom a payout pays, in full; who has read it is noted',
      params: OperatorPayoutParams,
      querystring: OperatorPayoutQuery,
      response: answers({ 200: PayeeSchema }, 410),
    }),
    async (request) => {
      const { merchantCode, idPayout } = request.params
      const order = { kind: kindOf(request.query.kind), merchantCode, idPayment: idPayout }
      return presentPayee(await approvals.showPayee({ ...order, operatorCode: operatorOf(request).code }))
    },
  )
}
