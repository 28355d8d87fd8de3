import {
  answers,
  FailedDocumentContentSchema,
  FailedDocumentListSchema,
  FailedDocumentParams,
  FailedDocumentsQuery,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { answerPage, NUMBER_PLACE } from '../../http/paging.ts'
import { Refusal } from '../../platform/refusal.ts'
import { FailedDocumentProblem } from './errors.ts'
import { type FailedDocument, maskReason } from './model.ts'
import type { FailedDocuments } from './service.ts'

const operation = operatorOperationsOf('Statements')

/** Files of watched folders that could not be taken. */
export function failedDocumentOperatorRoutes(
  app: App,
  failed: Pick<FailedDocuments, 'list' | 'fetch'>,
): void {
  app.get(
    '/operator/failed-documents',
    operation('listFailedDocuments', 'statements.read', {
      summary: 'List files of watched folders that could not be taken, the newest first',
      querystring: FailedDocumentsQuery,
      response: { 200: FailedDocumentListSchema },
    }),
    ({ query: { channel, ...page } }) =>
      answerPage(page, {
        place: NUMBER_PLACE,
        list: (order) => failed.list({ ...order, channel }),
        placeOf: ({ documentId }) => documentId,
        present: presentDocument,
      }),
  )
  app.get(
    '/operator/failed-documents/:documentId/content',
    operation('fetchFailedDocument', 'statements.unmask', {
      summary: 'Fetch the bytes of such a file, and its reason in full; who has fetched them is noted',
      params: FailedDocumentParams,
      response: answers({ 200: FailedDocumentContentSchema }, 410),
    }),
    async (request) => {
      const { documentId } = request.params
      const { bytes, fileName, sha256, reason } = await orRefuse(
        failed.fetch(documentId, operatorOf(request).code),
      )
      return { name: fileName, sha256, reason, contentBase64: bytes.toString('base64') }
    },
  )
}

function presentDocument({ reason, putAsideAt, ...document }: FailedDocument) {
  return { ...document, reason: maskReason(reason), putAsideAt: putAsideAt.toISOString() }
}

async function orRefuse<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof FailedDocumentProblem)) throw error
    throw new Refusal('ENTITY_NOT_FOUND', { message: error.message })
  }
}
