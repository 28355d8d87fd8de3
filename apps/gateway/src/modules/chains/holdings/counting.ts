import { type Amount, fromMinorUnits, sumAmounts, toMinorUnits, ZERO } from '@tollgate/money'
import { EVM_COIN, toEvmAddress } from '@tollgate/payment-codes'
import type { Database } from '../../../platform/database.ts'
import type { Agreement } from '../agreement.ts'
import { ChainFault } from '../errors.ts'
import type { Chain, WatchedAsset } from '../model.ts'
import { findMark, type Point } from '../store.ts'
import { type HeldAtAddress, listHeld, listStrayed, sumHoldings } from './holdings-store.ts'
import type { HeldAsset, Holdings } from './model.ts'

interface Count {
  readonly db: Database
  readonly chain: Chain
  readonly agreement: Agreement
}

const FINDINGS_MAX = 100

/**
 * Counts what a chain says that is ours there, at the last block that was read, and compares it with our rows: address by address, so that a
 * transfer that was never seen shows as well as coins that somebody took. Throws ChainFault, also for a block that is another one meanwhile.
 */
export async function countHoldings({ db, chain, agreement }: Count): Promise<Holdings> {
  const block = (await findMark(db, chain.code))?.scanned
  if (block === undefined) throw new ChainFault('UNREACHABLE', `${chain.code} was not read yet.`)
  await requireStill(agreement, block)
  const home = homeOf(chain)
  const held = await listHeld(db, chain.code, block.number)
  const sums = await sumHoldings(db, chain.code, { blockNumber: block.number, home })
  const strayed = await listStrayed(db, chain.code, {
    blockNumber: block.number,
    home,
    limit: FINDINGS_MAX + 1,
  })
  const counted: CountedAsset[] = []
  for (const asset of chain.assets) {
    const own = held.filter(({ currencyCode }) => currencyCode === asset.currencyCode)
    const balances = await balancesOf({ chain, agreement, block }, asset, own)
    counted.push(compare(asset, own, { balances, sums: sums.get(asset.currencyCode), chain }))
  }
  const coin = chain.payouts && (await coinOf(agreement, chain.payouts, block))
  await requireStill(agreement, block)
  const findings = [
    ...strayed.map(sayStrayed),
    ...counted.flatMap(({ findings: ofAsset }) => ofAsset),
    ...lostOf(chain, held),
  ]
  return {
    blockNumber: block.number,
    assets: counted.map(({ asset }) => asset),
    coin,
    findings: findings.length > FINDINGS_MAX ? [...findings.slice(0, FINDINGS_MAX), 'And more.'] : findings,
  }
}

/** Where coins of payments may go to, in lower case. */
const homeOf = ({ treasury, payouts }: Chain): readonly string[] => [
  ...treasury,
  ...(payouts === undefined ? [] : [payouts.wallet]),
]

/** What is read at the block, and what our rows say of it, must be of one chain. */
async function requireStill(agreement: Agreement, { number, hash }: Point): Promise<void> {
  if ((await agreement.block(number))?.hash === hash) return
  throw new ChainFault(
    'DISAGREE',
    `The block ${number} is another one than the one that was read. It is counted again.`,
  )
}

interface CountedAsset {
  readonly asset: HeldAsset
  readonly findings: readonly string[]
}

/** In the token's smallest units, by address. */
async function balancesOf(
  {
    chain,
    agreement,
    block,
  }: { readonly chain: Chain; readonly agreement: Agreement; readonly block: Point },
  { token }: WatchedAsset,
  held: readonly HeldAtAddress[],
): Promise<ReadonlyMap<string, bigint>> {
  const addresses = [...new Set([...held.map(({ address }) => address), ...homeOf(chain)])]
  const balances = await agreement.balances(token, addresses, block.number)
  return new Map(addresses.map((address, index) => [address, balances[index] ?? 0n]))
}

interface Compared {
  readonly chain: Chain
  readonly balances: ReadonlyMap<string, bigint>
  readonly sums: Readonly<Record<'booked' | 'waiting' | 'swept', Amount>> | undefined
}

function compare(
  { currencyCode, decimals }: WatchedAsset,
  held: readonly HeldAtAddress[],
  { chain, balances, sums }: Compared,
): CountedAsset {
  const amountAt = (address: string): Amount => fromMinorUnits(balances.get(address) ?? 0n, decimals)
  const wrong = held.filter(({ address, amount }) => toMinorUnits(amount, decimals) !== balances.get(address))
  return {
    asset: {
      currencyCode,
      booked: ZERO,
      waiting: ZERO,
      swept: ZERO,
      ...sums,
      addressCount: held.length,
      atAddresses: sumAmounts(held.map(({ address }) => amountAt(address))),
      inWallet: chain.payouts && amountAt(chain.payouts.wallet),
      inTreasury: chain.treasury.length === 0 ? undefined : sumAmounts(chain.treasury.map(amountAt)),
    },
    findings: wrong.map(
      ({ address, reference, amount }) =>
        `The address ${toEvmAddress(address.slice(2))} of the payment ${reference} has ${amountAt(address)} ${currencyCode}; by the blocks that were read it should be ${amount}.`,
    ),
  }
}

async function coinOf(
  agreement: Agreement,
  { wallet, coin }: NonNullable<Chain['payouts']>,
  block: Point,
): Promise<NonNullable<Holdings['coin']>> {
  const [units = 0n] = await agreement.balances(EVM_COIN, [wallet], block.number)
  return { currencyCode: coin.currencyCode, amount: fromMinorUnits(units, coin.decimals) }
}

const sayStrayed = ({
  amount,
  currencyCode,
  reference,
  toAddress,
  txHash,
}: Awaited<ReturnType<typeof listStrayed>>[number]): string =>
  `${amount} ${currencyCode} left the address of the payment ${reference} for ${toEvmAddress(toAddress.slice(2))}, which is neither the wallet of payouts nor in treasury (transaction ${txHash}).`

/** The settings say how coins are read; without that nobody knows what is there. */
function lostOf({ code, assets }: Chain, held: readonly HeldAtAddress[]): readonly string[] {
  const known = new Set(assets.map(({ currencyCode }) => currencyCode))
  const lost = new Set(held.map(({ currencyCode }) => currencyCode).filter((each) => !known.has(each)))
  return [...lost].map(
    (currencyCode) =>
      `Addresses of payments on ${code} have ${currencyCode}, which the settings do not have any more: it is not counted.`,
  )
}
