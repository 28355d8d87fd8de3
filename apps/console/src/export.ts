import { Readable } from 'node:stream'
import { CatalogueYamlSchema } from '@tollgate/contract'
import type { FastifyInstance } from 'fastify'
import { paymentQuery } from './screens/payment-filters.ts'
import { forbiddenPage } from './trouble.ts'
import { type Deps, enter, queryOf, sendPage, toSignIn } from './visit.ts'

/** Payments as a file, by the filters of the list; passed on as it comes, so that nothing has to be held. */
export function exportRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/payments/export', async (request, reply) => {
    const exchange = { request, reply }
    const visit = await enter(deps, exchange)
    if (visit === undefined) return toSignIn(deps, exchange)
    if (!visit.may('payouts.read')) return sendPage(deps, exchange, forbiddenPage('payouts.read'), visit)
    const query = queryOf(request)
    const format = query.get('format') === 'jsonl' ? 'jsonl' : 'csv'
    const response = await visit.api.stream('/operator/payments/export', {
      ...paymentQuery(query, visit.nowMs),
      format,
    })
    const day = new Date(visit.nowMs).toISOString().slice(0, 10)
    return reply
      .header('content-type', response.headers.get('content-type') ?? 'application/octet-stream')
      .header('content-disposition', `attachment; filename="payments-${day}.${format}"`)
      .send(response.body === null ? '' : Readable.from(response.body))
  })
}

/** The catalogue as the file that can be applied. */
export function catalogueExportRoute(app: FastifyInstance, deps: Deps): void {
  app.get('/catalogue/export', async (request, reply) => {
    const exchange = { request, reply }
    const visit = await enter(deps, exchange)
    if (visit === undefined) return toSignIn(deps, exchange)
    if (!visit.may('catalogue.read')) return sendPage(deps, exchange, forbiddenPage('catalogue.read'), visit)
    const { yaml } = await visit.api.get('/operator/catalogue/yaml', CatalogueYamlSchema)
    const day = new Date(visit.nowMs).toISOString().slice(0, 10)
    return reply
      .header('content-type', 'application/yaml; charset=utf-8')
      .header('content-disposition', `attachment; filename="catalogue-${day}.yaml"`)
      .send(yaml)
  })
}
