import type { Database } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { OutgoingFiles } from '../bank-channels/index.ts'
import { nameInFolder, readBytes } from './content.ts'
import { beginPut, findPut, listOpenPuts, movePut } from './put-store.ts'
import { insertFileEvent } from './store.ts'

/** So many are looked at in one conversation; the others follow in the next. */
const PER_LOOK = 100

/**
 * Files of payouts for the channels of banks. What may follow what is in the rows: an attempt that another one replaced, or
 * that a person took over, goes no further.
 */
export function createOutgoingFiles(deps: {
  readonly db: Database
  readonly secrets: Secrets
}): OutgoingFiles {
  const { db } = deps
  return {
    list: (channelCode) => listOpenPuts(db, channelCode, PER_LOOK),
    async begin(fileId) {
      const bytes = await readBytes(deps, fileId)
      const attempt = await beginPut(db, fileId)
      return attempt === undefined ? undefined : { name: nameInFolder(fileId), attempt, bytes }
    },
    releasing: (fileId, attempt, sentByteCount) =>
      movePut(db, fileId, { attempt, from: ['STAGING', 'RELEASING'], to: 'RELEASING', sentByteCount }),
    async read(fileId) {
      const found = await findPut(db, fileId)
      if (found === undefined) throw new Error(`the file ${fileId} goes over no channel`)
      if (found.state !== 'RELEASING') return undefined
      const { attempt, sentByteCount } = found
      const bytes = await readBytes(deps, fileId)
      return { name: nameInFolder(fileId), attempt, bytes, byteCount: sentByteCount ?? bytes.length }
    },
    released: (fileId, attempt, channelCode) =>
      db.transaction(async (tx) => {
        // A person may have said so meanwhile.
        if (!(await movePut(tx, fileId, { attempt, from: ['RELEASING', 'UNCLEAR'], to: 'PUT' }))) return
        await insertFileEvent(tx, fileId, { event: 'SUBMITTED', actor: `channel:${channelCode}` })
      }),
    async unclear(fileId, attempt, why) {
      await movePut(db, fileId, { attempt, from: ['RELEASING'], to: 'UNCLEAR', why })
    },
  }
}
