import type { Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { sealContext } from './fetching.ts'
import type { ChannelFile, ChannelHolds } from './model.ts'
import { endFile, findSealed, listWaitingFiles } from './store.ts'

/** A file as it is handed on. */
interface HandedFile extends Pick<ChannelFile, 'channelCode' | 'directory'> {
  readonly fileName: string
  readonly bytes: Buffer
  /** `channel:MYBANK`. */
  readonly actor: string
}

/** The room that takes documents of a kind. */
export interface Taker {
  /** Taking the same bytes twice changes nothing. */
  take(file: HandedFile): Promise<unknown>
  /** Whether the file itself is what is wrong: it is put aside then. */
  isOfFile(error: unknown): error is Error
  /** Lists it, with its bytes and the reason. */
  putAside(file: HandedFile, reason: string): Promise<void>
}

export type Takers = Readonly<Record<ChannelHolds, Taker>>

interface HandingDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly log: Log
  readonly takers: Takers
}

const PER_LOOK = 100

/**
 * Hands on what was fetched, in the order in which it came. A crash before it is noted hands it on again. What cannot be
 * taken for another reason than itself waits, and holds up none of the others.
 */
export async function handOn(deps: HandingDeps, signal: AbortSignal): Promise<void> {
  let afterNo = '0'
  for (;;) {
    const files = await listWaitingFiles(deps.db, afterNo, PER_LOOK)
    for (const file of files) {
      if (signal.aborted) return
      await handOnOne(deps, file).catch((error: unknown) => {
        deps.log.warn(
          { err: error, channel: file.channelCode, fileNo: file.fileNo },
          'a fetched file could not be handed on; it is tried again',
        )
      })
      afterNo = file.fileNo
    }
    if (files.length < PER_LOOK) return
  }
}

async function handOnOne({ db, secrets, log, takers }: HandingDeps, file: ChannelFile): Promise<void> {
  const { fileNo, fileName, holds, channelCode, directory } = file
  const found = await findSealed(db, fileNo)
  // Another process was faster.
  if (found === undefined) return
  const bytes = secrets.openApart(sealContext(file.sha256), found.dataKey, found.sealed)
  const handed = { fileName, bytes, channelCode, directory, actor: actorOf(channelCode) }
  const taker = takers[holds]
  try {
    await taker.take(handed)
    await endFile(db, fileNo, 'TAKEN')
  } catch (error) {
    if (!taker.isOfFile(error)) throw error
    await taker.putAside(handed, error.message)
    await endFile(db, fileNo, 'ASIDE')
    log.warn(
      { channel: channelCode, file: fileName, problem: error.message },
      'a file of a bank cannot be taken',
    )
  }
}

/** Who brings what a channel brings. */
const actorOf = (channelCode: string): string => `channel:${channelCode}`
