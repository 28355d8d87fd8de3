import { type Answer, AttentionSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { type OperatorCaller, operatorOf } from '../../http/operator-authentication.ts'

const operation = operatorOperationsOf('Health')

/** What waits for people, of what the operator may see. `read` puts it together from what the rooms know. */
export function attentionRoutes(
  app: App,
  read: (operator: OperatorCaller) => Promise<Answer<typeof AttentionSchema>>,
): void {
  app.get(
    '/operator/attention',
    operation('readAttention', 'self.read', {
      summary: 'What waits for people, the most urgent first: how much, since when, what it is about',
      description: 'Of what the operator’s roles let them see; nothing is said of the rest.',
      response: { 200: AttentionSchema },
    }),
    (request) => read(operatorOf(request)),
  )
}
