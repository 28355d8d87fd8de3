import type { Log } from '@tollgate/runtime'
import type { Metrics } from '../../platform/metrics.ts'
import type { ChannelFault } from './errors.ts'
import { isOfOne } from './fetching.ts'
import type { Asked, BankChannel, BankLink, Put } from './link.ts'

/** A file that is to go over a channel, and how far it is. */
interface OpenPut {
  readonly fileId: string
  readonly state: 'WAITING' | 'STAGING' | 'RELEASING'
}

/** What is kept of files on their way: the room of the files has it, and decides what may follow what. */
export interface OutgoingFiles {
  /** The oldest first. */
  list(channelCode: string): Promise<readonly OpenPut[]>
  /** Begins an attempt: nobody has asked the bank to take the file before. Undefined when a person carries it meanwhile. */
  begin(fileId: string): Promise<Put | undefined>
  /**
   * From here on the bank may have it, so long as it was sent. Said before each release, also of the same attempt. False when
   * the attempt is no longer the one that counts, or a person carries the file.
   */
  releasing(fileId: string, attempt: number, byteCount: number): Promise<boolean>
  /** What is being released, and how long it was as it was sent. Undefined when it no longer is: a person carries it meanwhile. */
  read(fileId: string): Promise<(Put & Asked) | undefined>
  /** The bank has it. */
  released(fileId: string, attempt: number, channelCode: string): Promise<void>
  /** Nobody can tell: a person finds out. */
  unclear(fileId: string, attempt: number, why: string): Promise<void>
}

interface PuttingDeps {
  readonly outgoing: OutgoingFiles
  readonly log: Log
  readonly metrics: Pick<Metrics, 'payoutFilesUnclear'>
  /** Before it is asked a second time where a file is; 2 s unless a test is in a hurry. */
  readonly askAgainMs?: number
}

const ASK_AGAIN_MS = 2_000

/**
 * Puts what waits. A file is released once: what is done next is decided by what is in the database and by what the bank
 * says, never by what was not answered. Gives the first fault of a single file; throws ChannelFault when the conversation is over.
 */
export async function putFiles(
  deps: PuttingDeps,
  channel: BankChannel,
  link: BankLink,
): Promise<ChannelFault | undefined> {
  if (channel.target === undefined) return undefined
  let fault: ChannelFault | undefined
  for (const open of await deps.outgoing.list(channel.code)) {
    try {
      await putFile(deps, channel, { open, link })
    } catch (error) {
      if (!isOfOne(error)) throw error
      fault ??= error
    }
  }
  return fault
}

async function putFile(
  deps: PuttingDeps,
  channel: BankChannel,
  { open: { fileId, state }, link }: { readonly open: OpenPut; readonly link: BankLink },
): Promise<void> {
  const { outgoing } = deps
  if (state === 'RELEASING') {
    const releasing = await outgoing.read(fileId)
    return releasing && finish(deps, channel, { fileId, link, put: releasing })
  }
  const put = await outgoing.begin(fileId)
  if (put === undefined) return
  const byteCount = await link.stage(put)
  if (!(await outgoing.releasing(fileId, put.attempt, byteCount))) return
  await link.release(put)
  await noteReleased(deps, channel, fileId, put)
}

/** Asks where a file is that was being released when the answer was lost. */
async function finish(
  deps: PuttingDeps,
  channel: BankChannel,
  { fileId, link, put }: { readonly fileId: string; readonly link: BankLink; readonly put: Put & Asked },
): Promise<void> {
  let found = await link.ask(put)
  if (found.kind === 'UNKNOWN') {
    // What the bank was doing at that moment may have come between the questions.
    await new Promise((resolve) => setTimeout(resolve, deps.askAgainMs ?? ASK_AGAIN_MS))
    found = await link.ask(put)
  }
  if (found.kind === 'UNKNOWN') {
    await deps.outgoing.unclear(fileId, put.attempt, found.why)
    deps.metrics.payoutFilesUnclear.inc({ channel: channel.code })
    deps.log.error(
      { channel: channel.code, fileId, why: found.why },
      'nobody can tell whether the bank has a file of payouts: ask the bank, then say so by hand',
    )
    return
  }
  if (found.kind === 'STAGED') {
    // While the bank was asked, a person may have taken the file.
    if (!(await deps.outgoing.releasing(fileId, put.attempt, put.byteCount))) return
    await link.release(put)
  }
  await noteReleased(deps, channel, fileId, put)
}

async function noteReleased(
  { outgoing, log }: PuttingDeps,
  { code }: BankChannel,
  fileId: string,
  { attempt }: Put,
): Promise<void> {
  await outgoing.released(fileId, attempt, code)
  log.info({ channel: code, fileId }, 'a file of payouts was put at the bank')
}
