import { answers, RetentionListSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import type { RetentionStatus } from './model.ts'
import type { RetentionService } from './service.ts'

/** Retention for operators: for how long what is kept, and how much of it is over. */
export function retentionOperatorRoutes(app: App, retention: RetentionService): void {
  app.get(
    '/operator/retention',
    {
      config: { permission: 'retention.read' },
      schema: {
        operationId: 'listRetention',
        summary: 'For how long what is kept, and how much of it is over',
        tags: ['Retention'],
        response: answers({ 200: RetentionListSchema }, 401, 403, 429, 500),
      },
    },
    async () => ({ data: (await retention.list()).map(present) }),
  )
}

const present = ({ oldestAt, removedUntil, ...status }: RetentionStatus) => ({
  ...status,
  ...(oldestAt !== undefined && { oldestAt: oldestAt.toISOString() }),
  ...(removedUntil !== undefined && { removedUntil: removedUntil.toISOString() }),
})
