import { createHash } from 'node:crypto'
import type { Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { ChannelFault } from './errors.ts'
import type { BankChannel, BankLink, Offered } from './link.ts'
import type { ChannelSource } from './model.ts'
import { insertFile, isKnownFile } from './store.ts'

interface FetchingDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly log: Log
}

/** What a round of fetching came to. */
interface Fetched {
  /** The first thing that kept a file or a directory at the bank, while the others went on. */
  readonly fault: ChannelFault | undefined
  /** Something may be finished soon. */
  readonly hasUnfinished: boolean
}

const NAME_CHARACTERS_MAX = 255

/** What binds sealed bytes to their file. */
export const sealContext = (sha256: string): string => `bank-channel-file ${sha256}`

/**
 * Fetches what is finished. Bytes are stored before anything becomes of the file at the bank: a crash in between fetches it
 * again, and its digest is known then. Throws ChannelFault when the conversation is over.
 */
export async function fetchFiles(deps: FetchingDeps, channel: BankChannel, link: BankLink): Promise<Fetched> {
  let fault: ChannelFault | undefined
  let hasUnfinished = false
  const tryOne = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!isOfOne(error)) throw error
      fault ??= error
    }
  }
  for (const source of channel.sources) {
    await tryOne(async () => {
      const offers = await link.offers(source)
      hasUnfinished ||= offers.hasUnfinished
      for (const offered of offers.files)
        await tryOne(() => fetchFile(deps, { channel, source, link }, offered))
    })
  }
  return { fault, hasUnfinished }
}

/** Whether only one file or directory is concerned. */
export const isOfOne = (error: unknown): error is ChannelFault =>
  error instanceof ChannelFault && (error.kind === 'FILE' || error.kind === 'REFUSED')

async function fetchFile(
  { db, secrets, log }: FetchingDeps,
  {
    channel,
    source,
    link,
  }: { readonly channel: BankChannel; readonly source: ChannelSource; readonly link: BankLink },
  offered: Offered,
): Promise<void> {
  const { holds } = source
  const bytes = await link.read(offered)
  const contentHash = createHash('sha256').update(bytes).digest()
  if (!(await isKnownFile(db, channel.code, holds, contentHash))) {
    const sealed = secrets.sealApart(sealContext(contentHash.toString('hex')), bytes)
    await insertFile(db, {
      channelCode: channel.code,
      holds,
      directory: source.directory,
      contentHash,
      byteCount: bytes.length,
      ...sealed,
      fileName: offered.name.slice(-NAME_CHARACTERS_MAX),
    })
    log.info(
      { channel: channel.code, file: offered.name, bytes: bytes.length },
      'a file of a bank was fetched',
    )
  }
  await link.clear(source, offered)
}
