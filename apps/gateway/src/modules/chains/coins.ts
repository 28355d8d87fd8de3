import { createHash } from 'node:crypto'
import { fromMinorUnits, negateAmount, toMinorUnits } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import type { Database, Tx } from '../../platform/database.ts'
import { listPaymentsByWallet, listWalletsInTurn, type WalletPayment } from '../payments/index.ts'
import type { Agreement } from './agreement.ts'
import { BALANCES_AT_ONCE } from './balances-program.ts'
import { ChainFault } from './errors.ts'
import { type Departure, listHeldBy } from './holdings/holdings-store.ts'
import type { Chain, NumberedTransfer, WatchedAsset } from './model.ts'
import type { BlockRange, BlockTransaction, TokenTransfer } from './node.ts'
import { countInternal, type Point } from './store.ts'

// The chain's own coin at addresses of payments. No contract logs it: what a transaction gives is in the block itself, and what a
// contract gives in the middle of one shows only in what an address has.

/** What blocks say of the coin, as far as it is of payments. */
interface CoinMoves {
  /** What transactions gave to addresses of payments, or took from them. */
  readonly transfers: readonly TokenTransfer[]
  /** What transactions of such addresses cost, and what they were given to pay for that. */
  readonly departures: readonly Departure[]
}

const NOTHING: CoinMoves = { transfers: [], departures: [] }
/** Whole blocks are long. */
export const COIN_RANGE_BLOCKS = 50

interface Reading {
  readonly db: Database
  readonly chain: Chain
  readonly agreement: Agreement
}

/** The chain's own coin, where customers pay with it. */
export const coinOf = ({ assets }: Pick<Chain, 'assets'>): WatchedAsset | undefined =>
  assets.find(({ token }) => token === EVM_COIN)

/** What the blocks' transactions did; undefined when it is too much at once. */
export async function readCoins(
  { db, chain, agreement }: Reading,
  range: BlockRange,
): Promise<CoinMoves | undefined> {
  const coin = coinOf(chain)
  if (coin === undefined) return NOTHING
  const paymentsIn = (transactions: readonly BlockTransaction[]) =>
    paymentsOf(
      db,
      transactions.flatMap((each) => [each.from, payeeOf(each)]),
    )
  const ours = await agreement.transactions(range, async (all) => {
    const found = await paymentsIn(all)
    return (each) => found.has(each.from) || found.has(payeeOf(each))
  })
  if (ours === undefined) return undefined
  const payments = await paymentsIn(ours)
  const moves: CoinMoves[] = []
  for (const [index, transaction] of ours.entries()) {
    const [payer, payee] = [payments.get(transaction.from), payments.get(payeeOf(transaction))]
    const { isDone, cost } = await agreement.receipt(transaction)
    if (payer !== undefined)
      moves.push({ transfers: [], departures: [costOf(coin, transaction, { cost, payment: payer })] })
    if (isDone)
      moves.push(given(coin, { transaction, index, payee, isOurs: transaction.from === chain.gasAddress }))
  }
  return {
    transfers: moves.flatMap(({ transfers }) => transfers),
    departures: moves.flatMap(({ departures }) => departures),
  }
}

interface Given {
  readonly transaction: BlockTransaction
  readonly index: number
  readonly payee: WalletPayment | undefined
  /** By the address that pays for what leaves those of payments. */
  readonly isOurs: boolean
}

/** What a transaction that was carried out gave. */
function given(coin: WatchedAsset, { transaction, index, payee, isOurs }: Given): CoinMoves {
  if (payeeOf(transaction) === '') return NOTHING
  return isOurs && payee !== undefined
    ? { transfers: [], departures: [givenToPay(coin, transaction, payee)] }
    : { transfers: [toTransfer(transaction, index)], departures: [] }
}

/** To whom a transaction gives coins by itself; '' for one that gives none. */
const payeeOf = ({ to, units }: BlockTransaction): string => (units === 0n ? '' : (to ?? ''))

const toTransfer = (
  { txHash, from, to = '', units, blockNumber, blockHash }: BlockTransaction,
  index: number,
): TokenTransfer => ({
  token: EVM_COIN,
  from,
  to,
  units,
  txHash,
  blockNumber,
  blockHash,
  logIndex: index,
})

interface Cost {
  readonly cost: bigint
  readonly payment: WalletPayment
}

/** Behind what the transaction itself took. */
const COST_ORDINAL = 1

const costOf = (
  { currencyCode, decimals }: WatchedAsset,
  { txHash, blockNumber, from }: BlockTransaction,
  { cost, payment: { reference } }: Cost,
): Departure => ({
  txHash,
  blockNumber,
  currencyCode,
  reference,
  ordinal: COST_ORDINAL,
  amount: fromMinorUnits(cost, decimals),
  address: from,
  toAddress: undefined,
})

/** Our own, for the network: it came to no payment, and what is left of it is no coin of a payer's. */
const givenToPay = (
  { currencyCode, decimals }: WatchedAsset,
  { txHash, blockNumber, from, units }: BlockTransaction,
  { address, reference }: WalletPayment,
): Departure => ({
  txHash,
  blockNumber,
  currencyCode,
  reference,
  ordinal: 0,
  address,
  toAddress: from,
  amount: negateAmount(fromMinorUnits(units, decimals)),
})

const ADDRESSES_AT_ONCE = 5_000

/** Payments by their addresses; the first one, should two have one address. */
export async function paymentsOf(
  db: Tx,
  repeated: readonly string[],
): Promise<ReadonlyMap<string, WalletPayment & { readonly isOneOfTwo: boolean }>> {
  const addresses = [...new Set(repeated)]
  const byAddress = new Map<string, WalletPayment & { readonly isOneOfTwo: boolean }>()
  for (let start = 0; start < addresses.length; start += ADDRESSES_AT_ONCE)
    for (const payment of await listPaymentsByWallet(db, addresses.slice(start, start + ADDRESSES_AT_ONCE)))
      byAddress.set(payment.address, { ...payment, isOneOfTwo: byAddress.has(payment.address) })
  return byAddress
}

/** So long a payment may wait (`expiresAfterSeconds` of a method); for so long it is looked for what contracts gave. */
const WATCHED_DAYS = 30

/** A look asks one question, however many wait: the newest payments, which are mostly those that are paid, and others in turn. */
const NEWEST = BALANCES_AT_ONCE / 2

/**
 * What came to addresses of payments without a transaction of its own: an address that has more at the block than blocks told of. Each such
 * finding is a transfer, named by its address and its place among them, so that the same coins have the same name when the block is another one.
 */
export async function readInternal(
  { db, chain, agreement, leaseNo }: Reading & { readonly leaseNo: string },
  { number, hash }: Point,
): Promise<readonly NumberedTransfer[]> {
  const coin = coinOf(chain)
  if (coin === undefined) return []
  const addresses = await listWalletsInTurn(db, {
    chainId: String(chain.chainId),
    currencyCode: coin.currencyCode,
    days: WATCHED_DAYS,
    newest: NEWEST,
    others: BALANCES_AT_ONCE - NEWEST,
    turn: leaseNo,
  })
  if (addresses.length === 0) return []
  const balances = await agreement.balances(EVM_COIN, addresses, number)
  if ((await agreement.block(number))?.hash !== hash)
    throw new ChainFault(
      'DISAGREE',
      `The block ${number} is another one than the one that was read. It is read again.`,
    )
  const held = new Map(
    (
      await listHeldBy(db, chain.code, { blockNumber: number, currencyCode: coin.currencyCode, addresses })
    ).map(({ address, amount }) => [address, toMinorUnits(amount, coin.decimals)]),
  )
  const more = addresses.flatMap((address, index) => {
    const units = (balances[index] ?? 0n) - (held.get(address) ?? 0n)
    return units > 0n ? [{ address, units }] : []
  })
  const ordinals = await countInternal(
    db,
    chain.code,
    more.map(({ address }) => internalHash(address)),
  )
  return more.map(({ address, units }) => {
    const txHash = internalHash(address)
    return {
      token: EVM_COIN,
      from: '',
      to: address,
      units,
      txHash,
      logIndex: 0,
      blockNumber: number,
      blockHash: hash,
      asset: coin,
      ordinal: ordinals.get(txHash) ?? 0,
      amount: fromMinorUnits(units, coin.decimals),
    }
  })
}

/** In place of the hash of a transaction, which nobody knows. @param address in any case */
const internalHash = (address: string): string =>
  `0x${createHash('sha256').update(`coins without a transaction of their own ${address.toLowerCase()}`).digest('hex')}`

/** Whether a transfer is one that no transaction of a block tells of. */
export const isInternal = ({
  txHash,
  address,
}: {
  readonly txHash: string
  readonly address: string
}): boolean => txHash === internalHash(address)
