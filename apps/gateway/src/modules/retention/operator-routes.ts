import { RetentionListSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import type { RetentionStatus } from './model.ts'
import type { RetentionService } from './service.ts'

const operation = operatorOperationsOf('Retention')

/** Retention for operators: for how long what is kept, and how much of it is over. */
export function retentionOperatorRoutes(app: App, retention: RetentionService): void {
  app.get(
    '/operator/retention',
    operation('listRetention', 'retention.read', {
      summary: 'For how long what is kept, and how much of it is over',
      response: { 200: RetentionListSchema },
    }),
    async () => ({ data: (await retention.list()).map(present) }),
  )
}

const present = ({ oldestAt, removedUntil, ...status }: RetentionStatus) => ({
  ...status,
  ...(oldestAt !== undefined && { oldestAt: oldestAt.toISOString() }),
  ...(removedUntil !== undefined && { removedUntil: removedUntil.toISOString() }),
})
