import { Type } from 'typebox'
import { TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'

// The operator API: files of watched folders that could not be taken.

const ChannelSchema = Type.Union([Type.Literal('STATEMENTS'), Type.Literal('PAYOUT_REPORTS')], {
  description: 'Which folder it lay in.',
  examples: ['STATEMENTS'],
})

const DOCUMENT_EXAMPLE = {
  documentId: '3',
  channel: 'STATEMENTS',
  fileName: '2026-11-20.sta',
  sha256: '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea',
  byteCount: 5120,
  reason: 'line 14: "…" is no booking: date, C or D, amount, kind and reference are expected.',
  putAsideAt: '2026-11-20T18:04:11.093Z',
  isStored: true,
}

/** Query of GET /operator/failed-documents. */
export const FailedDocumentsQuery = Type.Object({
  channel: Type.Optional(ChannelSchema),
  ...PageQuery.properties,
})

export const FailedDocumentParams = Type.Object({
  documentId: Type.String({ pattern: '^[1-9][0-9]{0,17}$', examples: ['3'] }),
})

const FailedDocumentSchema = Type.Object(
  {
    documentId: Type.String(),
    channel: ChannelSchema,
    fileName: Type.String(),
    sha256: Type.String(),
    byteCount: Type.Integer(),
    reason: Type.String({ description: 'Why it could not be taken; words of the file are masked.' }),
    putAsideAt: TimestampSchema,
    isStored: Type.Boolean({
      description:
        'Whether the content can be fetched. Otherwise the file is empty, larger than 16 MiB, or older than documents are kept.',
    }),
  },
  { title: 'FailedDocument', examples: [DOCUMENT_EXAMPLE] },
)

export const FailedDocumentListSchema = Type.Object(
  {
    data: Type.Array(FailedDocumentSchema),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'FailedDocumentList', examples: [{ data: [DOCUMENT_EXAMPLE] }] },
)

export const FailedDocumentContentSchema = Type.Object(
  {
    name: Type.String({ description: 'As it lay in the folder.' }),
    sha256: Type.String(),
    reason: Type.String({ description: 'In full.' }),
    contentBase64: Type.String({ description: 'The bytes as they came. Names and accounts are in them.' }),
  },
  {
    title: 'FailedDocumentContent',
    examples: [
      {
        name: DOCUMENT_EXAMPLE.fileName,
        sha256: DOCUMENT_EXAMPLE.sha256,
        reason: 'line 14: "26112011" is no booking: date, C or D, amount, kind and reference are expected.',
        contentBase64: 'OjIwOg==',
      },
    ],
  },
)
