import { createHash } from 'node:crypto'
import type { Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { PayoutFileProblem } from './errors.ts'
import { findFileContent } from './store.ts'

/** What binds sealed bytes to their file. */
export const sealContext = (fileId: string): string => `payout-file ${fileId}`

/** There is no such file. */
export const noFile = (fileId: string): PayoutFileProblem =>
  new PayoutFileProblem(`There is no file ${fileId}: \`tollgate payout-files list\` shows them.`, 'NOT_FOUND')

/** The bytes, which must be those that were stored. */
export async function readBytes(
  { db, secrets }: { readonly db: Tx; readonly secrets: Pick<Secrets, 'openApart'> },
  fileId: string,
): Promise<Buffer> {
  const stored = await findFileContent(db, fileId)
  if (stored === undefined) throw noFile(fileId)
  if (stored.sealed.length === 0)
    throw new PayoutFileProblem(
      `The bytes of the file ${fileId} were removed, because its payments have ended: its digest, sum and references are kept.`,
      'NOT_FOUND',
    )
  const bytes = secrets.openApart(sealContext(fileId), stored.dataKey, stored.sealed)
  if (!createHash('sha256').update(bytes).digest().equals(stored.contentHash))
    throw new Error(`the bytes of the file ${fileId} are not those that were stored`)
  return bytes
}

/** The name of a file for the bank. */
export const nameInFolder = (fileId: string): string => `${fileId}.xml`
