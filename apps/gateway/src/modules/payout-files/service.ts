import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@tollgate/runtime'
import type { Tx } from '../../platform/database.ts'
import { type BankAccount, listBankAccounts } from '../bank-accounts/index.ts'
import { insertUnmasking } from '../operators/index.ts'
import { PayoutFileProblem } from './errors.ts'
import { type MakingDeps, type MakingOrder, makeFiles, sealContext } from './making.ts'
import { FILES_PER_RUN_MAX, type FilePayment, type LeftOut, type PayoutFile } from './model.ts'
import {
  findFile,
  findFileContent,
  insertFileEvent,
  type ListedFile,
  listFilePayments,
  listFiles,
  listFilesToLay,
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

/** What operators do with files of payouts. Throws PayoutFileProblem. */
export interface PayoutFileService {
  /**
   * Collects what waits, in one currency or in all, into files of the default account of each. A payment is in one file:
   * it is handed over in the transaction that stores the bytes. Files are laid into the folder, if there is one.
   */
  create(order: { readonly currencyCode: string | undefined; readonly actor: string }): Promise<PayoutRun>
  /** The newest first. */
  list(page: { readonly after: string | undefined; readonly limit: number }): Promise<readonly ListedFile[]>
  show(fileId: string): Promise<{ readonly file: PayoutFile; readonly payments: readonly FilePayment[] }>
  /** The bytes, and a note of who has them. */
  fetch(fileId: string, operatorCode: string): Promise<FetchedFile>
  /** Notes that the bank has the file. True when nobody had said so before. */
  markSubmitted(fileId: string, actor: string): Promise<boolean>
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
      const actor = `operator:${operatorCode}`
      const bytes = await readBytes(deps, fileId)
      await insertUnmasking(deps.db, operatorCode, { subject: 'PAYOUT_FILE', fileId })
      await insertFileEvent(deps.db, fileId, { event: 'FETCHED', actor })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return { name: nameInFolder(fileId), bytes, sha256 }
    },
    async markSubmitted(fileId, actor) {
      await requireFile(deps.db, fileId)
      return insertFileEvent(deps.db, fileId, { event: 'SUBMITTED', actor })
    },
  }
}

async function create(
  deps: PayoutFileDeps,
  { currencyCode, actor }: { readonly currencyCode: string | undefined; readonly actor: string },
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
    const made = await makeFiles(deps, { account, actor, isForFolder: deps.folder !== undefined })
    fileIds.push(...made.fileIds)
    leftOut.push(...made.leftOut)
  }
  await layFiles(deps, actor)
  const files: PayoutFile[] = []
  for (const fileId of fileIds) files.push(await requireFile(deps.db, fileId))
  return { files, leftOut }
}

const isPaying = (account: BankAccount): account is MakingOrder['account'] =>
  account.isDefault && account.payoutFormat !== undefined

/**
 * Lays into the folder what was made for it, also what an earlier run left. That it is being laid there is noted before:
 * after a crash in between, a person looks whether the bank has taken it, and nothing is laid there twice.
 */
async function layFiles(deps: PayoutFileDeps, actor: string): Promise<void> {
  const { db, folder, log } = deps
  if (folder === undefined) return
  for (const fileId of await listFilesToLay(db, FILES_PER_RUN_MAX * FILES_PER_RUN_MAX)) {
    const bytes = await readBytes(deps, fileId)
    if (!(await insertFileEvent(db, fileId, { event: 'LAYING', actor }))) continue
    try {
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

async function requireFile(tx: Tx, fileId: string): Promise<PayoutFile> {
  const file = await findFile(tx, fileId)
  if (file === undefined) throw noFile(fileId)
  return file
}

const noFile = (fileId: string): PayoutFileProblem =>
  new PayoutFileProblem(`There is no file ${fileId}: \`tollgate payout-files list\` shows them.`, 'NOT_FOUND')

/** The bytes, which must be those that were stored. */
async function readBytes({ db, secrets }: PayoutFileDeps, fileId: string): Promise<Buffer> {
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

/** The name of a file in the folder for the bank. */
const nameInFolder = (fileId: string): string => `${fileId}.xml`

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
