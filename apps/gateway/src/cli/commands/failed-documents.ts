import type { FailedDocumentContentSchema, FailedDocumentListSchema, Printed } from '@tollgate/contract'
import { clientCommand } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { get, type OperatorOptions } from '../operator-call.ts'
import { deliverContent, OUT, type OutOptions, requireNew } from './bank-documents.ts'
import { LIMIT } from './options.ts'

// Files of the watched folders that could not be taken: the same commands of `statements` and of `payout-files`.

const PATH = '/operator/failed-documents'
const DIGEST_SHOWN = 12

interface ListOptions extends OperatorOptions {
  readonly limit: number
}

const listFailed = (channel: 'STATEMENTS' | 'PAYOUT_REPORTS') =>
  clientCommand({
    command: 'failed',
    says: 'list files of the watched folder that could not be imported, and why, the newest first',
    options: [LIMIT],
    permission: 'statements.read',
    asks: (_typed, { limit }: ListOptions) => ({
      method: 'GET',
      path: PATH,
      query: { channel },
      upTo: limit,
    }),
    shows: ({ data }: Printed<typeof FailedDocumentListSchema>, pen) =>
      pen.table(
        ['DOCUMENT', 'TIME', 'NAME', 'BYTES', 'SHA-256', 'REASON'],
        data.map((document) => [
          document.documentId,
          pen.momentOf(document.putAsideAt),
          document.fileName,
          String(document.byteCount),
          document.sha256.slice(0, DIGEST_SHOWN),
          document.reason,
        ]),
        'No failed files.',
      ),
  })

const fetchFailed = clientCommand({
  command: 'fetch-failed <document>',
  says: 'fetch the original bytes of a file that could not be imported; each fetch is recorded',
  options: [OUT],
  permission: 'statements.unmask',
  asks({ document }, { out }: OutOptions) {
    requireNew(out)
    return get(`${PATH}/${documentId(document)}/content`)
  },
  shows: (content: Printed<typeof FailedDocumentContentSchema>, _pen, _typed, { out }) => ({
    ...deliverContent(content, out),
    notes: [content.reason],
  }),
})

export const FAILED_STATEMENTS = [listFailed('STATEMENTS'), fetchFailed]
export const FAILED_REPORTS = [listFailed('PAYOUT_REPORTS'), fetchFailed]

function documentId(text: string): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `A failed file has a number; the command \`failed\` shows them. This is ${JSON.stringify(text)}.`,
  )
}
