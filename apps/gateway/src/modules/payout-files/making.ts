import { createHash } from 'node:crypto'
import { sumAmounts } from '@tollgate/money'
import type { Clock, Ids } from '@tollgate/runtime'
import type { Database, Tx } from '../../platform/database.ts'
import type { BankAccount } from '../bank-accounts/index.ts'
import { type BankDays, executionDay, IN_UTC, localMoment } from '../bank-accounts/index.ts'
import {
  type CollectDeps,
  type CollectedPayment,
  handOver,
  lockCollectable,
  OPERATOR_ACTOR_PREFIX,
  type PaymentKey,
  textOf,
} from '../payments/index.ts'
import { listDecisions } from '../payouts/index.ts'
import { sealContext } from './content.ts'
import { creditorOf } from './creditor.ts'
import { speedOf } from './instant.ts'
import {
  FILES_PER_RUN_MAX,
  type FileChannels,
  type FileContent,
  type FileTransfer,
  type LeftOut,
  PAYMENTS_PER_FILE_MAX,
  type TransferSpeed,
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
  /** When banks move money; in UTC, and without cut-off times, where it is not said. */
  readonly days?: BankDays
  /** Methods whose payouts go at once where they can; none where it is not said. */
  readonly instantMethods?: () => readonly string[]
  /** Undefined: no file goes over a channel of a bank. */
  readonly channels?: FileChannels
}

/** What a run is to make, and for whom. */
export interface MakingOrder {
  readonly account: BankAccount & { readonly payoutFormat: NonNullable<BankAccount['payoutFormat']> }
  readonly actor: string
  readonly speed: TransferSpeed
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

/** Makes files of all payments in the account's currency that wait for one and go so fast, each in a transaction of its own. */
export async function makeFiles(deps: MakingDeps, order: MakingOrder): Promise<Made> {
  const fileIds: string[] = []
  const leftOut = new Map<string, LeftOut>()
  const others = new Set<string>()
  for (let round = 0; round < FILES_PER_RUN_MAX; round += 1) {
    const made = await deps.db.transaction((tx) =>
      makeFile(deps, tx, { ...order, except: [...leftOut.keys(), ...others] }),
    )
    for (const each of made.leftOut) leftOut.set(textOf(each), each)
    for (const each of made.others) others.add(textOf(each))
    if (made.fileId !== undefined) fileIds.push(made.fileId)
    if (made.fileId === undefined && made.leftOut.length === 0 && made.others.length === 0) break
  }
  return { fileIds, leftOut: [...leftOut.values()] }
}

/** What one transaction has made. */
interface MadeFile {
  readonly fileId: string | undefined
  readonly leftOut: readonly LeftOut[]
  /** Payments that go at another speed, so in another file. */
  readonly others: readonly PaymentKey[]
}

/** One file, stored together with the note that its payments are handed over; or none, when nothing waits. */
async function makeFile(
  deps: MakingDeps,
  tx: Tx,
  order: MakingOrder & { readonly except: readonly string[] },
): Promise<MadeFile> {
  const methods = deps.instantMethods?.() ?? []
  const { payments, stopped } = await lockCollectable(deps, tx, {
    rail: deps.rail,
    currencyCode: order.account.currencyCode,
    ...(order.speed === 'INSTANT' && { methodCodes: methods }),
    except: order.except,
    limit: deps.paymentsPerFileMax ?? PAYMENTS_PER_FILE_MAX,
  })
  const isMeant = (each: CollectedPayment): boolean =>
    speedOf(each, { account: order.account, methods }) === order.speed
  const others = payments.filter((each) => !isMeant(each)).map(({ payment }) => keyOf(payment))
  const apart = await setApart(deps, tx, { actor: order.actor, collected: payments.filter(isMeant) })
  const { transfers, leftOut: unfit } = sort(apart.rest)
  const leftOut = [...stopped, ...apart.own, ...unfit]
  if (transfers.length === 0) return { fileId: undefined, leftOut, others }
  const content = contentOf(deps, order, transfers)
  const bytes = Buffer.from(pain001(content))
  await insertFile(tx, {
    fileId: content.fileId,
    accountCode: order.account.code,
    format: content.format,
    controlSum: { amount: content.controlSum, currencyCode: content.currencyCode },
    speed: content.speed,
    executionOn: content.executionOn,
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
  return { fileId: content.fileId, leftOut, others }
}

const keyOf = ({ merchantId, kind, idPayment }: PaymentKey): PaymentKey => ({ merchantId, kind, idPayment })

/** Who approved that money leaves does not also hand it over: those payments wait for somebody else's file. */
async function setApart(
  { separatesPersons }: MakingDeps,
  tx: Tx,
  { actor, collected }: { readonly actor: string; readonly collected: readonly CollectedPayment[] },
): Promise<{ readonly own: readonly LeftOut[]; readonly rest: readonly CollectedPayment[] }> {
  if (separatesPersons !== true || collected.length === 0) return { own: [], rest: collected }
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
    rest: collected.filter(({ payment }) => !approved.has(textOf(payment))),
    own: collected
      .filter(({ payment }) => approved.has(textOf(payment)))
      .map(({ payment: { merchantId, kind, idPayment } }) => ({
        merchantId,
        kind,
        idPayment,
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
  { ids, clock, days = IN_UTC }: MakingDeps,
  { account, speed }: MakingOrder,
  transfers: readonly FileTransfer[],
): FileContent {
  const createdAt = new Date(clock.nowMs())
  const { currencyCode } = account
  return {
    fileId: `${FILE_ID_PREFIX}${ids.readable(FILE_ID_LENGTH)}`,
    format: account.payoutFormat,
    speed,
    currencyCode,
    createdAt,
    executionOn:
      speed === 'INSTANT'
        ? localMoment(createdAt.getTime(), days.zone).day
        : executionDay(createdAt, currencyCode, days),
    debtor: { ...account, holder: sepaText(account.holder, NAME_MAX) },
    transfers,
    controlSum: sumAmounts(transfers.map(({ money }) => money.amount)),
  }
}
