import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@tollgate/runtime'
import type { Tx } from '../../platform/database.ts'
import { type BankAccount, listBankAccounts } from '../bank-accounts/index.ts'
import { insertUnmasking } from '../operators/index.ts'
import { nameInFolder, noFile, readBytes } from './content.ts'
import { PayoutFileProblem } from './errors.ts'
import { type MakingDeps, type MakingOrder, makeFiles } from './making.ts'
import {
  FILES_PER_RUN_MAX,
  type FilePayment,
  type LeftOut,
  type PayoutFile,
  type TransferSpeed,
} from './model.ts'
import { settlePutByWord, takePutByHand } from './put-store.ts'
import {
  findFile,
  insertFileEvent,
  insertLaying,
  type ListedFile,
  listFilePayments,
  listFiles,
  listFilesToLay,
  lockFile,
} from './store.ts'

interface PayoutFileDeps extends MakingDeps {
  readonly log: Log
  /** Where files are laid for the bank; undefined: nowhere. */
  readonly folder: string | undefined
}

/** What a run has made. */
export interface PayoutRun {
  readonly files: readonly PayoutFile[]
  /** Payments that no file can carry: they wait, and their time may run out. */
  readonly leftOut: readonly LeftOut[]
}

/** The bytes of a file, as they were when it was made. */
interface FetchedFile {
  readonly name: string
  readonly bytes: Buffer
  /** In hexadecimal. */
  readonly sha256: string
}

/** Whose run it is, and what it is about. */
interface RunOrder {
  /** Undefined: all. */
  readonly currencyCode: string | undefined
  readonly actor: string
  /** Undefined: at whichever. */
  readonly speed?: TransferSpeed
}

/** What operators do with files of payouts. Throws PayoutFileProblem. */
export interface PayoutFileService {
  /**
   * Collects what waits, in one currency or in all, into files of the default account of each. A payment is in one file:
   * it is handed over in the transaction that stores the bytes. Files are laid into the folder, if there is one.
   */
  create(order: RunOrder): Promise<PayoutRun>
  /** The newest first. */
  list(page: { readonly after: string | undefined; readonly limit: number }): Promise<readonly ListedFile[]>
  show(fileId: string): Promise<{ readonly file: PayoutFile; readonly payments: readonly FilePayment[] }>
  /** The bytes, and a note of who has them. */
  fetch(fileId: string, operatorCode: string): Promise<FetchedFile>
  /** Notes that the bank has the file. True when nobody had said so before. */
  markSubmitted(fileId: string, actor: string): Promise<boolean>
  /** Takes a file from its channel: a person carries it. Not while the bank may be getting it. */
  takeByHand(fileId: string, order: { readonly actor: string; readonly reason: string }): Promise<void>
}

export function createPayoutFileService(deps: PayoutFileDeps): PayoutFileService {
  return {
    create: (order) => create(deps, order),
    list: (page) => listFiles(deps.db, page),
    async show(fileId) {
      const file = await requireFile(deps.db, fileId)
      return { file, payments: await listFilePayments(deps.db, fileId) }
    },
    async fetch(fileId, operatorCode) {
      const bytes = await deps.db.transaction(async (tx) => {
        await lockFile(tx, fileId)
        await requireNotUnderWay(tx, fileId)
        await insertUnmasking(tx, operatorCode, { subject: 'PAYOUT_FILE', fileId })
        await insertFileEvent(tx, fileId, { event: 'FETCHED', actor: `operator:${operatorCode}` })
        return readBytes({ db: tx, secrets: deps.secrets }, fileId)
      })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return { name: nameInFolder(fileId), bytes, sha256 }
    },
    async markSubmitted(fileId, actor) {
      await requireFile(deps.db, fileId)
      return deps.db.transaction(async (tx) => {
        await lockFile(tx, fileId)
        await settlePutByWord(tx, fileId)
        return insertFileEvent(tx, fileId, { event: 'SUBMITTED', actor })
      })
    },
    takeByHand: (fileId, order) => takeByHand(deps, fileId, order),
  }
}

/** What a channel carries, nobody else does: a file that is brought twice may be paid twice. */
async function requireNotUnderWay(tx: Tx, fileId: string): Promise<void> {
  const { put } = await requireFile(tx, fileId)
  if (put === undefined || put.state === 'PUT' || put.state === 'BY_HAND') return
  throw new PayoutFileProblem(
    put.state === 'UNCLEAR'
      ? `Nobody can tell whether the bank has the file ${fileId}. Ask the bank. If it has it: \`tollgate payout-files submitted ${fileId}\`; if not: \`tollgate payout-files by-hand ${fileId} --reason …\`, then fetch it.`
      : `The file ${fileId} goes to the bank over the channel ${put.channelCode}. To carry it yourself, take it from there first: \`tollgate payout-files by-hand ${fileId} --reason …\`.`,
    'CONFLICT',
  )
}

/** A conversation of a channel is over after so long. */
const QUIET_SECONDS = 900

async function takeByHand(
  { db, log }: PayoutFileDeps,
  fileId: string,
  { actor, reason }: { readonly actor: string; readonly reason: string },
): Promise<void> {
  const { put } = await requireFile(db, fileId)
  if (put === undefined)
    throw new PayoutFileProblem(`The file ${fileId} goes over no channel: fetch it.`, 'CONFLICT')
  if (put.state === 'BY_HAND') return
  if (!(await takePutByHand(db, fileId, `${actor}: ${reason}`, QUIET_SECONDS)))
    throw new PayoutFileProblem(
      put.state === 'PUT'
        ? `The bank has the file ${fileId} since ${put.changedAt.toISOString()}, over the channel ${put.channelCode}.`
        : `The bank is getting the file ${fileId} over the channel ${put.channelCode} at this moment. Look again in a minute.`,
      'CONFLICT',
    )
  log.info({ fileId, actor }, 'a file of payouts was taken from its channel, to be carried by hand')
}

async function create(
  deps: PayoutFileDeps,
  { currencyCode, actor, speed: wanted }: RunOrder,
): Promise<PayoutRun> {
  const accounts = (await listBankAccounts(deps.db)).filter(isPaying)
  const meant = accounts.filter(
    (account) => currencyCode === undefined || account.currencyCode === currencyCode,
  )
  if (meant.length === 0)
    throw new PayoutFileProblem(
      `No account pays ${currencyCode ?? 'anything'} out by files: \`tollgate accounts list\` shows them.`,
      'NOT_FOUND',
    )
  const fileIds: string[] = []
  const leftOut: LeftOut[] = []
  for (const account of meant) {
    const channelCode = deps.channels?.codeFor(account.code)
    const isForFolder = deps.folder !== undefined && channelCode === undefined
    for (const speed of speedsOf(account, wanted)) {
      const made = await makeFiles(deps, { account, actor, speed, isForFolder, channelCode })
      fileIds.push(...made.fileIds)
      leftOut.push(...made.leftOut)
    }
  }
  await layFiles(deps, actor)
  const files: PayoutFile[] = []
  for (const fileId of fileIds) files.push(await requireFile(deps.db, fileId))
  return { files, leftOut }
}

/** What goes at once goes first. */
function speedsOf({ instantMax }: BankAccount, wanted: TransferSpeed | undefined): readonly TransferSpeed[] {
  const speeds: readonly TransferSpeed[] = instantMax === undefined ? ['NORMAL'] : ['INSTANT', 'NORMAL']
  return speeds.filter((speed) => wanted === undefined || speed === wanted)
}

const isPaying = (account: BankAccount): account is MakingOrder['account'] =>
  account.isDefault && account.payoutFormat !== undefined

/**
 * Lays into the folder what was made for it, also what an earlier run left. That it is being laid there is noted before:
 * after a crash in between, a person looks whether the bank has taken it, and nothing is laid there twice. What a person fetched
 * before is left to that person.
 */
async function layFiles(deps: PayoutFileDeps, actor: string): Promise<void> {
  const { db, folder, log } = deps
  if (folder === undefined) return
  for (const fileId of await listFilesToLay(db, FILES_PER_RUN_MAX * FILES_PER_RUN_MAX)) {
    try {
      const bytes = await readBytes(deps, fileId)
      if (!(await beginLaying(db, fileId, actor))) continue
      await layInto(folder, nameInFolder(fileId), bytes)
      await insertFileEvent(db, fileId, { event: 'LAID', actor })
    } catch (error) {
      log.error(
        { err: error, fileId },
        'a file of payouts could not be laid into the folder; fetch it by hand',
      )
    }
  }
}

const beginLaying = (db: PayoutFileDeps['db'], fileId: string, actor: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    await lockFile(tx, fileId)
    return insertLaying(tx, fileId, actor)
  })

async function requireFile(tx: Tx, fileId: string): Promise<PayoutFile> {
  const file = await findFile(tx, fileId)
  if (file === undefined) throw noFile(fileId)
  return file
}

/**
 * Lays bytes into a folder, whole or not at all, readable by the owner alone. What lies there under the name already is
 * left alone: the same bytes are fine, others are an error.
 */
async function layInto(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const target = join(folder, name)
  const temporary = join(folder, `.${name}.new`)
  await rm(temporary, { force: true })
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(temporary, target)
  } catch (error) {
    if (!existsSync(target)) throw error
    if (!readFileSync(target).equals(bytes))
      throw new PayoutFileProblem(`${target} is there already, with other content.`, 'CONFLICT')
  } finally {
    await rm(temporary, { force: true })
  }
}
