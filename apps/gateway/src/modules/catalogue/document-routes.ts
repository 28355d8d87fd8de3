import {
  answers,
  CatalogueAppliedSchema,
  CatalogueApplyQuery,
  CatalogueChangeListSchema,
  CatalogueChangesQuery,
  CatalogueDocumentSchema,
  CatalogueYamlSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { fileOf } from '../../http/operator-files.ts'
import { answerPage, NUMBER_PLACE } from '../../http/paging.ts'
import type { CatalogueDocuments } from './document/apply.ts'
import { type Change, fieldsOf } from './document/difference.ts'
import { DOCUMENT_BYTES_MAX } from './document/read.ts'
import { catalogueYaml } from './document/yaml.ts'

const operation = operatorOperationsOf('Catalogue')

/** The catalogue as one document, for operators: read, applied, and what was changed. */
export function catalogueDocumentRoutes(app: App, documents: CatalogueDocuments): void {
  app.get(
    '/operator/catalogue',
    operation('exportCatalogue', 'catalogue.read', {
      summary: 'The whole catalogue, as it can be applied',
      response: { 200: CatalogueDocumentSchema },
    }),
    () => documents.export(),
  )
  app.get(
    '/operator/catalogue/yaml',
    operation('exportCatalogueAsYaml', 'catalogue.read', {
      summary: 'The whole catalogue as YAML, for people to change and apply',
      response: { 200: CatalogueYamlSchema },
    }),
    async () => ({ yaml: `${catalogueYaml(await documents.export())}\n` }),
  )
  app.put(
    '/operator/catalogue',
    {
      ...operation('applyCatalogue', 'catalogue.apply', {
        summary: 'Make the catalogue what a document says: all of it, or nothing',
        description:
          'The body is the document itself, YAML or JSON, as application/octet-stream. Every fault is told with its line. What the document does not name stays as it is; a list inside a method replaces what the method had.',
        querystring: CatalogueApplyQuery,
        response: answers({ 200: CatalogueAppliedSchema }, 409),
      }),
      bodyLimit: DOCUMENT_BYTES_MAX,
    },
    async (request) => {
      const isDry = request.query.dryRun === 'true'
      const { code: operatorCode } = operatorOf(request)
      const { digest } = request.query
      const order = { bytes: fileOf(request), isDry, digest, operatorCode, requestId: request.id }
      const applied = await documents.apply(order)
      return { isDryRun: isDry, digest: applied.digest, changes: applied.changes.map(present) }
    },
  )
  app.get(
    '/operator/catalogue/changes',
    operation('listCatalogueChanges', 'catalogue.read', {
      summary: 'List what documents changed in the catalogue, the newest first',
      querystring: CatalogueChangesQuery,
      response: { 200: CatalogueChangeListSchema },
    }),
    ({ query }) =>
      answerPage(query, {
        place: NUMBER_PLACE,
        list: documents.changes,
        placeOf: ({ changeNo }) => changeNo,
        present: ({ changeNo: _, before, after, changedAt, ...rest }) => ({
          ...rest,
          ...(before !== null && { before }),
          ...(after !== null && { after }),
          changedAt: changedAt.toISOString(),
        }),
      }),
  )
}

function present(change: Change) {
  const { section, key: item, before, after } = change
  const action = before === undefined ? 'ADD' : after === undefined ? 'REMOVE' : 'CHANGE'
  return { section, item, action, fields: fieldsOf(change) } as const
}
