import {
  answers,
  RecordedRequestListSchema,
  RecordedRequestsQuery,
  SandboxTriggerParams,
  TriggeredSchema,
  TriggerSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/gate.ts'
import { operationsOf } from '../../http/operation.ts'
import { kindWord, presentTriggered } from '../payments/index.ts'
import type { SandboxService } from './service.ts'

const operation = operationsOf('Sandbox')

const KINDS = [
  ['payins', 'PAYIN'],
  ['payouts', 'PAYOUT'],
  ['topups', 'TOPUP'],
] as const
const LIMIT_DEFAULT = 20

/** For merchants' developers, with tokens of their own. Live has none of these routes. */
export function sandboxRoutes(app: App, sandbox: SandboxService): void {
  app.get(
    '/sandbox/requests',
    {
      config: { isUnrecorded: true },
      ...operation('listSandboxRequests', {
        summary: 'The latest requests of the merchant, and what was wrong with them. In the sandbox only',
        querystring: RecordedRequestsQuery,
        response: answers({ 200: RecordedRequestListSchema }),
      }),
    },
    async (request) => {
      const { after, limit } = request.query
      const found = await sandbox.listRequests({
        merchantCode: callerOf(request).merchantCode,
        after,
        limit: limit === undefined ? LIMIT_DEFAULT : Number(limit),
      })
      return {
        data: found.map(({ answeredAt, code, ...rest }) => ({
          ...rest,
          ...(code !== undefined && { code }),
          answeredAt: answeredAt.toISOString(),
        })),
      }
    },
  )

  for (const [plural, kind] of KINDS)
    app.post(
      `/sandbox/${plural}/:idPayment/!trigger`,
      operation(`triggerSandbox${kind.charAt(0)}${kind.slice(1).toLowerCase()}`, {
        summary: `Simulate an outcome of a ${kindWord(kind)}. In the sandbox only`,
        params: SandboxTriggerParams,
        body: TriggerSchema,
        response: answers({ 200: TriggeredSchema }, 406, 410),
      }),
      async (request) => {
        const { merchantId, merchantCode } = callerOf(request)
        const { idPayment } = request.params
        const { outcome } = request.body
        const { payment, triggered } = await sandbox.trigger({ merchantId, kind, idPayment }, outcome)
        return { merchantCode, kind, idPayment, ...presentTriggered(payment, triggered, outcome) }
      },
    )
}
