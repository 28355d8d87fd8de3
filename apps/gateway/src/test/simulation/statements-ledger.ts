import { addAmounts, isNegative, isPositive, isZero, parsePlainAmount, sumAmounts } from '@tollgate/money'
import type { BalanceRecord, Disk, PostingRecord, TransferRecord } from './disk.ts'
import { Violation } from './disk.ts'
import { dateOf, element, type Session, type Statements, type Texts } from './statements.ts'

export const balanceText = (merchantId: string, currencyCode: string): string =>
  `${merchantId} ${currencyCode}`

type NewPosting = Pick<PostingRecord, 'account' | 'currency_code' | 'amount'>

/** A transfer with all of its postings. Throws when it does not balance, or its payment has had its event. */
export function insertTransfer(disk: Disk, transfer: TransferRecord, postings: readonly NewPosting[]): void {
  const { merchant_id, kind, id_payment, event, transfer_id } = transfer
  if (!isZero(sumAmounts(postings.map(({ amount }) => parsePlainAmount(amount)))))
    throw new Violation('23514', `transfer ${transfer_id} does not balance`)
  // The key is what must be unique; the id of a transfer is made by chance.
  disk.transfers.insert([merchant_id, kind, id_payment, event].join(' '), transfer)
  postings.forEach((posting, index) => {
    if (isZero(parsePlainAmount(posting.amount))) throw new Violation('23514', 'a posting of nothing')
    const posting_no = index + 1
    disk.postings.insert(`${merchant_id} ${transfer_id} ${posting_no}`, {
      merchant_id,
      transfer_id,
      posting_no,
      ...posting,
    })
  })
}

type TransferValues = [
  merchantIds: Texts,
  transferIds: Texts,
  events: Texts,
  kinds: Texts,
  ids: Texts,
  lineMerchantIds: Texts,
  lineTransferIds: Texts,
  lineNumbers: readonly number[],
  accounts: Texts,
  currencies: Texts,
  amounts: Texts,
]

function insertTransfers({ disk }: Session, ...values: TransferValues): readonly object[] {
  const [merchantIds, transferIds, events, kinds, ids, , lineTransferIds, , accounts, currencies, amounts] =
    values
  transferIds.forEach((transfer_id, i) => {
    const lines = lineTransferIds.flatMap((of, line) =>
      of === transfer_id
        ? [
            {
              account: element(accounts, line),
              currency_code: element(currencies, line),
              amount: element(amounts, line),
            },
          ]
        : [],
    )
    const named = { kind: element(kinds, i), id_payment: element(ids, i), event: element(events, i) }
    insertTransfer(disk, { merchant_id: element(merchantIds, i), transfer_id, ...named }, lines)
  })
  return []
}

const HELD = ['available', 'not_settled', 'reserved', 'receivable'] as const

function judge(balance: BalanceRecord): BalanceRecord {
  for (const member of HELD) {
    const amount = parsePlainAmount(balance[member])
    if (member === 'receivable' ? isPositive(amount) : isNegative(amount))
      throw new Violation('23514', `${member} of ${balance.merchant_id} would be ${amount}`)
  }
  return balance
}

function sumOf(before: BalanceRecord, delta: BalanceRecord): BalanceRecord {
  const added = (member: (typeof HELD)[number]): string =>
    addAmounts(parsePlainAmount(before[member]), parsePlainAmount(delta[member]))
  return {
    ...delta,
    available: added('available'),
    not_settled: added('not_settled'),
    reserved: added('reserved'),
    receivable: added('receivable'),
  }
}

type Deltas = [
  merchantIds: Texts,
  currencies: Texts,
  available: Texts,
  notSettled: Texts,
  reserved: Texts,
  receivable: Texts,
]

const deltasOf = ({ at }: Session, deltas: Deltas): readonly BalanceRecord[] =>
  deltas[0].map((merchant_id, i) => ({
    merchant_id,
    currency_code: element(deltas[1], i),
    updated_at: at,
    available: element(deltas[2], i),
    not_settled: element(deltas[3], i),
    reserved: element(deltas[4], i),
    receivable: element(deltas[5], i),
  }))

/** The row to insert is judged first, even where there is one to add it to. */
function upsertBalances(session: Session, ...values: Deltas): readonly object[] {
  for (const delta of deltasOf(session, values)) {
    const key = balanceText(delta.merchant_id, delta.currency_code)
    const before = session.disk.balances.get(key)
    judge(delta)
    session.disk.balances.put(key, before === undefined ? delta : judge(sumOf(before, delta)))
  }
  return []
}

function updateBalances(session: Session, ...values: Deltas): readonly object[] {
  let updated = 0
  for (const delta of deltasOf(session, values)) {
    const key = balanceText(delta.merchant_id, delta.currency_code)
    const before = session.disk.balances.get(key)
    if (before === undefined) continue
    updated += 1
    session.disk.balances.put(key, judge(sumOf(before, delta)))
  }
  return [{ updated }]
}

const read = (balance: BalanceRecord): object => ({ ...balance, updated_at: dateOf(balance.updated_at) })

function lockBalances({ disk, at }: Session, merchantIds: Texts, currencies: Texts): readonly object[] {
  return merchantIds.map((merchant_id, i) => {
    const currency_code = element(currencies, i)
    const key = balanceText(merchant_id, currency_code)
    const empty = { available: '0', not_settled: '0', reserved: '0', receivable: '0' }
    const balance = disk.balances.get(key) ?? { merchant_id, currency_code, ...empty, updated_at: at }
    disk.balances.put(key, balance)
    return read(balance)
  })
}

function listBalances({ disk }: Session, merchantId: string, currencies: Texts | null): readonly object[] {
  return [...disk.balances.values()]
    .filter(({ merchant_id }) => merchant_id === merchantId)
    .filter(({ currency_code }) => currencies?.includes(currency_code) ?? true)
    .sort((a, b) => (a.currency_code < b.currency_code ? -1 : 1))
    .map(read)
}

/** The statements of the room of the ledger. */
export const LEDGER_STATEMENTS: Statements = {
  ledger_insert_transfers: insertTransfers,
  ledger_upsert_balances: upsertBalances,
  ledger_update_balances: updateBalances,
  ledger_lock_balances: lockBalances,
  ledger_list_balances: listBalances,
}
