import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Database } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { insertUnmasking } from '../operators/index.ts'
import { FailedDocumentProblem } from './errors.ts'
import { type FailedChannel, type FailedDocument, STORED_BYTES_MAX } from './model.ts'
import { type DocumentPage, findDocument, insertDocument, listDocuments } from './store.ts'

interface FailedDocumentDeps {
  readonly db: Database
  readonly secrets: Secrets
}

interface PutAside {
  readonly channel: FailedChannel
  /** Where it lies, or what is in it. */
  readonly from: string | Buffer
  readonly fileName: string
  readonly reason: string
}

/** Files of watched folders that could not be taken. Throws FailedDocumentProblem. */
export interface FailedDocuments {
  /** Lists the file, with its bytes unless they are too many. To be called before it is moved. */
  putAside(file: PutAside): Promise<void>
  /** The newest first. */
  list(page: DocumentPage): Promise<readonly FailedDocument[]>
  /** The bytes as they came. Who reads them is noted first: names and accounts are in them. */
  fetch(documentId: string, operatorCode: string): Promise<FailedDocument & { readonly bytes: Buffer }>
}

export function createFailedDocuments(deps: FailedDocumentDeps): FailedDocuments {
  return {
    putAside: (file) => putAside(deps, file),
    list: (page) => listDocuments(deps.db, page),
    fetch: (documentId, operatorCode) => fetchDocument(deps, documentId, operatorCode),
  }
}

const sealContext = (sha256: string): string => `failed-document ${sha256}`

const NAME_CHARACTERS_MAX = 255
const REASON_CHARACTERS_MAX = 1_000
const NOTHING = Buffer.alloc(0)

async function putAside(
  { db, secrets }: FailedDocumentDeps,
  { channel, from, fileName, reason }: PutAside,
): Promise<void> {
  const found = typeof from === 'string' ? await readAt(from) : digested(from)
  // Another worker on the same folder has listed and moved it.
  if (found === undefined) return
  const { bytes, contentHash, byteCount } = found
  const { dataKey, sealed } =
    bytes === undefined || bytes.length === 0
      ? { dataKey: NOTHING, sealed: NOTHING }
      : secrets.sealApart(sealContext(contentHash.toString('hex')), bytes)
  await insertDocument(db, {
    channel,
    contentHash,
    dataKey,
    sealed,
    fileName: fileName.replace(/[^\x20-\x7e]/g, '?').slice(-NAME_CHARACTERS_MAX),
    byteCount,
    reason: reason.replaceAll('\0', '�').slice(0, REASON_CHARACTERS_MAX),
  })
}

interface Content {
  /** Undefined when they are too many. */
  readonly bytes: Buffer | undefined
  readonly contentHash: Buffer
  readonly byteCount: number
}

const digested = (all: Buffer): Content => ({
  bytes: all.length > STORED_BYTES_MAX ? undefined : all,
  contentHash: createHash('sha256').update(all).digest(),
  byteCount: all.length,
})

async function readAt(path: string): Promise<Content | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return undefined
  if (found.size <= STORED_BYTES_MAX) return digested(await readFile(path))
  return { bytes: undefined, contentHash: await hashOf(path), byteCount: found.size }
}

async function hashOf(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest()
}

async function fetchDocument(
  { db, secrets }: FailedDocumentDeps,
  documentId: string,
  operatorCode: string,
): Promise<FailedDocument & { readonly bytes: Buffer }> {
  const found = await findDocument(db, documentId)
  if (found === undefined)
    throw new FailedDocumentProblem(
      `There is no document ${documentId} that could not be taken.`,
      'NOT_FOUND',
    )
  const { dataKey, sealed, ...document } = found
  if (!document.isStored)
    throw new FailedDocumentProblem(
      `The bytes of the document ${documentId} are not in the database: it is empty, too large, or older than documents are kept. The folder may still have it in failed/ as ${document.fileName}.`,
      'NOT_FOUND',
    )
  await insertUnmasking(db, operatorCode, { subject: 'FAILED_DOCUMENT', documentId })
  return { ...document, bytes: secrets.openApart(sealContext(document.sha256), dataKey, sealed) }
}
