import { Readable } from 'node:stream'
import { CatalogueYamlSchema } from '@tollgate/contract'
import type { OperatorPermission } from '@tollgate/contract/words'
import type { FastifyInstance } from 'fastify'
import type { Query } from './operator-api.ts'
import { auditQuery } from './screens/audit-filters.ts'
import { journalQuery } from './screens/journal-export.ts'
import { ownMerchantOf } from './screens/member-parts.ts'
import { paymentQuery } from './screens/payment-filters.ts'
import { forbiddenPage } from './trouble.ts'
import { type Deps, enter, queryOf, sendPage, toSignIn } from './visit.ts'

/** A list that can be had as a file. */
interface Exported {
  readonly name: string
  readonly permission: OperatorPermission
  readonly query: (query: URLSearchParams, nowMs: number) => Query
  /** Merchants' people may have it, of their own merchant. */
  readonly forMembers?: true
}

const EXPORTED: readonly Exported[] = [
  { name: 'payments', permission: 'payouts.read', query: paymentQuery, forMembers: true },
  { name: 'audit', permission: 'operators.read', query: auditQuery },
  { name: 'journal', permission: 'ledger.read', query: journalQuery },
]

/** Lists as files, by the filters of their screens; passed on as they come, so that nothing has to be held. */
export function exportRoutes(app: FastifyInstance, deps: Deps): void {
  for (const exported of EXPORTED) exportRoute(app, deps, exported)
}

function exportRoute(app: FastifyInstance, deps: Deps, exported: Exported): void {
  const { name, permission } = exported
  app.get(`/${name}/export`, async (request, reply) => {
    const exchange = { request, reply }
    const visit = await enter(deps, exchange)
    if (visit === undefined) return toSignIn(deps, exchange)
    const isOpen = exported.forMembers === true || ownMerchantOf(visit) === undefined
    if (!isOpen || !visit.may(permission)) return sendPage(deps, exchange, forbiddenPage(permission), visit)
    const query = queryOf(request)
    const format = query.get('format') === 'jsonl' ? 'jsonl' : 'csv'
    const response = await visit.api.stream(`/operator/${name}/export`, {
      ...exported.query(query, visit.nowMs),
      format,
    })
    const day = new Date(visit.nowMs).toISOString().slice(0, 10)
    return reply
      .header('content-type', response.headers.get('content-type') ?? 'application/octet-stream')
      .header('content-disposition', `attachment; filename="${name}-${day}.${format}"`)
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
