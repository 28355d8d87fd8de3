import { createHash } from 'node:crypto'
import { sumAmounts } from '@tollgate/money'
import type { Clock, Ids } from '@tollgate/runtime'
import type { Database, Tx } from '../../platform/database.ts'
import type { BankAccount } from '../bank-accounts/index.ts'
import { executionDay } from '../bank-accounts/index.ts'
import {
  type CollectDeps,
  type CollectedPayment,
  handOver,
  lockCollectable,
  OPERATOR_ACTOR_PREFIX,
  textOf,
} from '../payments/index.ts'
import { listDecisions } from '../payouts/index.ts'
import { sealContext } from './content.ts'
import { creditorOf } from './creditor.ts'
import {
  FILES_PER_RUN_MAX,
  type FileChannels,
  type FileContent,
  type FileTransfer,
  type LeftOut,
  PAYMENTS_PER_FILE_MAX,
} from './model.ts'
import { pain001 } from './pain001.ts'
import { insertPut } from './put-store.ts'
import { sepaText } from './sepa-text.ts'
import { insertFile } from './store.ts'

export interface MakingDeps extends CollectDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  /** The rail whose payments go by files. */
  readonly rail: string
  /** Whether who approved a payment may not make the file that it leaves in. */
  readonly separatesPersons?: boolean
  /** Payments in a file; PAYMENTS_PER_FILE_MAX unless a test wants few. */
  readonly paymentsPerFileMax?: number
  /** Undefined: no file goes over a channel of a bank. */
  readonly channels?: FileChannels
}

/** What a run is to make, and for whom. */
export interface MakingOrder {
  readonly account: BankAccount & { readonly payoutFormat: NonNullable<BankAccount['payoutFormat']> }
  readonly actor: string
  /** Files that go over a channel are laid into no folder. */
  readonly isForFolder: boolean
  /** The channel of the bank that takes the account's files, if there is one. */
  readonly channelCode: string | undefined
}

/** What a run has made. */
interface Made {
  readonly fileIds: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

const FILE_ID_PREFIX = 'TG'
const FILE_ID_LENGTH = 16
const NAME_MAX = 70

/** Makes files of all payments in the account's currency that wait for one, each file in a transaction of its own. */
export async function makeFiles(deps: MakingDeps, order: MakingOrder): Promise<Made> {
  const fileIds: string[] = []
  const leftOut = new Map<string, LeftOut>()
  for (let round = 0; round < FILES_PER_RUN_MAX; round += 1) {
    const made = await deps.db.transaction((tx) =>
      makeFile(deps, tx, { ...order, except: [...leftOut.keys()] }),
    )
    for (const each of made.leftOut) leftOut.set(textOf(each), each)
    if (made.fileId !== undefined) fileIds.push(made.fileId)
    if (made.fileId === undefined && made.leftOut.length === 0) break
  }
  return { fileIds, leftOut: [...leftOut.values()] }
}

/** One file, stored together with the note that its payments are handed over; or none, when nothing waits. */
async function makeFile(
  deps: MakingDeps,
  tx: Tx,
  order: MakingOrder & { readonly except: readonly string[] },
): Promise<{ readonly fileId: string | undefined; readonly leftOut: readonly LeftOut[] }> {
  const { payments, stopped } = await lockCollectable(deps, tx, {
    rail: deps.rail,
    currencyCode: order.account.currencyCode,
    except: order.except,
    limit: deps.paymentsPerFileMax ?? PAYMENTS_PER_FILE_MAX,
  })
  const { own, others } = await apart(deps, tx, { actor: order.actor, collected: payments })
  const { transfers, leftOut: unfit } = sort(others)
  const leftOut = [...stopped, ...own, ...unfit]
  if (transfers.length === 0) return { fileId: undefined, leftOut }
  const content = contentOf(deps, order, transfers)
  const bytes = Buffer.from(pain001(content))
  await insertFile(tx, {
    fileId: content.fileId,
    accountCode: order.account.code,
    format: content.format,
    controlSum: { amount: content.controlSum, currencyCode: content.currencyCode },
    executionOn: executionDay(content.createdAt, content.currencyCode),
    createdBy: order.actor,
    createdAt: content.createdAt,
    ...deps.secrets.sealApart(sealContext(content.fileId), bytes),
    byteCount: bytes.length,
    contentHash: createHash('sha256').update(bytes).digest(),
    isForFolder: order.isForFolder,
    payments: transfers,
  })
  if (order.channelCode !== undefined) {
    await insertPut(tx, content.fileId, order.channelCode)
    await deps.channels?.wake(tx, order.channelCode)
  }
  await handOver(tx, transfers, { actor: order.actor, reason: `in the file ${content.fileId}` })
  return { fileId: content.fileId, leftOut }
}

/** Who approved that money leaves does not also hand it over: those payments wait for somebody else's file. */
async function apart(
  { separatesPersons }: MakingDeps,
  tx: Tx,
  { actor, collected }: { readonly actor: string; readonly collected: readonly CollectedPayment[] },
): Promise<{ readonly own: readonly LeftOut[]; readonly others: readonly CollectedPayment[] }> {
  if (separatesPersons !== true || collected.length === 0) return { own: [], others: collected }
  const decisions = await listDecisions(
    tx,
    collected.map(({ payment }) => payment),
  )
  const approved = new Set(
    decisions
      .filter(({ operatorCode }) => `${OPERATOR_ACTOR_PREFIX}${operatorCode}` === actor)
      .map((decision) => textOf(decision)),
  )
  return {
    others: collected.filter(({ payment }) => !approved.has(textOf(payment))),
    own: collected
      .filter(({ payment }) => approved.has(textOf(payment)))
      .map(({ payment: { merchantId, kind, idPayment } }) => ({
        ...{ merchantId, kind, idPayment },
        why: 'You approved it yourself, so somebody else has to make the file that it leaves in.',
      })),
  }
}

function sort(collected: readonly CollectedPayment[]): {
  readonly transfers: readonly FileTransfer[]
  readonly leftOut: readonly LeftOut[]
} {
  const transfers: FileTransfer[] = []
  const leftOut: LeftOut[] = []
  for (const each of collected) {
    const { merchantId, kind, idPayment, reference, money } = each.payment
    const found = creditorOf(each)
    if ('why' in found) leftOut.push({ merchantId, kind, idPayment, why: found.why })
    else {
      const { creditor } = found
      transfers.push({
        merchantId,
        kind,
        idPayment,
        reference,
        money,
        creditor,
        position: transfers.length + 1,
      })
    }
  }
  return { transfers, leftOut }
}

function contentOf(
  { ids, clock }: MakingDeps,
  { account }: MakingOrder,
  transfers: readonly FileTransfer[],
): FileContent {
  return {
    fileId: `${FILE_ID_PREFIX}${ids.readable(FILE_ID_LENGTH)}`,
    format: account.payoutFormat,
    currencyCode: account.currencyCode,
    createdAt: new Date(clock.nowMs()),
    debtor: { ...account, holder: sepaText(account.holder, NAME_MAX) },
    transfers,
    controlSum: sumAmounts(transfers.map(({ money }) => money.amount)),
  }
}
