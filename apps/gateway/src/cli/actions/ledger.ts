import { rawAmount } from '@tollgate/money'
import {
  CHAIN_BEGINNING,
  findHead,
  type JournalEntry,
  listEntries,
  printHead,
} from '../../modules/journal/index.ts'
import { inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'

/** `tollgate ledger head`. */
export function showHead(shell: Shell): Promise<Report> {
  return inHouse(shell, async ({ db }) => {
    const found = await findHead(db)
    const head = found ?? CHAIN_BEGINNING
    const printed = printHead(head)
    return {
      json: {
        head: printed,
        entryNo: head.entryNo,
        chainHash: head.chainHash.toString('hex'),
        chainedAt: found?.chainedAt ?? null,
      },
      text: pairs([
        ['Head', printed],
        ['Entry', String(head.entryNo)],
        ['Chain hash', head.chainHash.toString('hex')],
        ['Chained', found && moment(found.chainedAt)],
      ]),
    }
  })
}

/** `tollgate ledger journal`. */
export function showJournal(
  shell: Shell,
  wish: { readonly from: number; readonly limit: number },
): Promise<Report> {
  return inHouse(shell, async ({ db }) => {
    const entries = await listEntries(db, wish.from, wish.limit)
    return {
      json: entries.map(present),
      text: table(
        ['ENTRY', 'CHAINED', 'MERCHANT', 'EVENT', 'PAYMENT', 'TRANSFER', 'CHAIN HASH'],
        entries.map(rowOf),
        'The journal has no such entries.',
      ),
    }
  })
}

const GONE = { event: null, kind: null, idPayment: null, createdAt: null, content: null }

/** A transfer that is gone has no members but its names. */
function present(entry: JournalEntry): Record<string, unknown> {
  const { transfer } = entry
  return {
    entryNo: entry.entryNo,
    merchantId: entry.merchantId,
    transferId: entry.transferId,
    ...(transfer ?? GONE),
    postings: entry.postings.map(({ account, currencyCode, amount }) => ({
      account,
      currencyCode,
      amount: rawAmount(amount),
    })),
    contentHash: entry.contentHash.toString('hex'),
    chainHash: entry.chainHash.toString('hex'),
    chainedAt: entry.chainedAt,
  }
}

const rowOf = ({ transfer, ...entry }: JournalEntry): readonly string[] => [
  String(entry.entryNo),
  moment(entry.chainedAt),
  entry.merchantId,
  transfer?.event ?? 'the transfer is gone',
  transfer === undefined ? '' : `${transfer.kind} ${transfer.idPayment}`,
  entry.transferId,
  entry.chainHash.toString('hex'),
]
