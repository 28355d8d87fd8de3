import { type Answer, SystemHealthSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'

const operation = operatorOperationsOf('Health')

/** How the gateway is, for operators. `read` puts it together from what the rooms know. */
export function systemHealthRoutes(app: App, read: () => Promise<Answer<typeof SystemHealthSchema>>): void {
  app.get(
    '/operator/health',
    operation('readHealth', 'health.read', {
      summary: 'How the gateway is: versions, queues, the last ledger check, what is stale or failed',
      description: 'Facts that this process or its database has, and nothing that would take long to find.',
      response: { 200: SystemHealthSchema },
    }),
    read,
  )
}
