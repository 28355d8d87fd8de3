import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Amount, addAmounts, fromMinorUnits, parsePlainAmount, sumAmounts, ZERO } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import { type TestTransaction, transaction } from '@tollgate/testkit'
import { faultsOf, placesOfMoney } from '../../modules/statements/test/rig.ts'
import {
  type AcceptedPayin,
  CONFIRMATIONS,
  DECIMALS,
  ETH,
  EURC,
  openChainRig,
  TOKENS,
  USDC,
  USDT,
} from './rig.ts'

// A thousand payins in three tokens and the chain's own coin, paid rightly and wrongly, by payers and by contracts, over a chain that is
// reorganised twice.

const PAYINS = 1_000
const PER_BLOCK = 25
const UNITS = 10_000_000n
const COINS = [
  { currencyCode: 'USDC', token: USDC, decimals: DECIMALS },
  { currencyCode: 'EURC', token: EURC, decimals: DECIMALS },
  { currencyCode: 'USDT', token: USDT, decimals: DECIMALS },
  ETH,
] as const
type Coin = (typeof COINS)[number]

/** What payers do, in turn, and what becomes of their payin. */
const NOTHING: Habit = { pays: [], becomes: 'CREATED' }
const HABITS: readonly Habit[] = [
  { pays: [UNITS], becomes: 'SUCCESS' },
  { pays: [UNITS], becomes: 'SUCCESS' },
  { pays: [UNITS], becomes: 'SUCCESS' },
  { pays: [UNITS - 1n], becomes: 'CREATED' },
  { pays: [UNITS + 1n], becomes: 'CREATED' },
  { pays: [UNITS, UNITS], becomes: 'SUCCESS' },
  { pays: [UNITS], isCancelled: true, becomes: 'CANCELLED' },
  NOTHING,
]

test('every coin of a thousand payins is in the books, each once, and the books are the chain', async (t) => {
  const chainRig = await openChainRig(t, { assets: [...TOKENS, ETH] })
  const { rig, chain, look, transfers } = chainRig
  chain.funds.coin = 0n
  await look()
  const payins = await acceptAll(chainRig)
  const paid = payins.flatMap(paidAs)
  for (let from = 0; from < paid.length; from += PER_BLOCK) {
    chain.mine(paid.slice(from, from + PER_BLOCK))
    // Both times some of what is taken back was booked already, and some was only seen.
    if (from === 10 * PER_BLOCK || from === 25 * PER_BLOCK) {
      await look()
      mineAgain(chain.mine, chain.reorganise(5))
    }
    if (from % (3 * PER_BLOCK) === 0) await look()
  }
  chain.mine([], CONFIRMATIONS.large)
  await look()

  assert.deepEqual(new Set((await transfers()).map((each) => each.split(' ')[1])), new Set(['BOOKED']))
  assert.equal((await transfers()).length, paid.length)
  for (const { payin, habit } of payins)
    assert.equal((await rig.statusOf(payin))?.split(' ')[0], habit.becomes, payin.idPayment)
  assert.deepEqual(await faultsOf(rig), [])
  for (const coin of COINS) await assertInBooks(chainRig, coin)
})

type ChainRig = Awaited<ReturnType<typeof openChainRig>>

interface Habit {
  readonly pays: readonly bigint[]
  readonly isCancelled?: true
  readonly becomes: string
}

interface Accepted {
  readonly payin: AcceptedPayin
  readonly coin: Coin
  readonly habit: Habit
}

async function acceptAll({ rig, accept }: ChainRig): Promise<readonly Accepted[]> {
  const payins: Accepted[] = []
  for (let count = 0; count < PAYINS; count += 1) {
    // Every coin meets every habit.
    const coin: Coin = COINS[Math.floor(count / HABITS.length) % COINS.length] ?? COINS[0]
    const { currencyCode } = coin
    const habit = HABITS[count % HABITS.length] ?? NOTHING
    const payin = await accept(fromMinorUnits(UNITS, 6), { currencyCode })
    if (habit.isCancelled === true) await rig.end(payin, 'CANCELLED')
    payins.push({ payin, coin, habit })
  }
  return payins
}

/** In the smallest units of the coin. Every other one who pays once with the chain's own has a contract do it. */
function paidAs({ payin, coin: { token, decimals }, habit: { pays } }: Accepted, index: number) {
  const isByContract = token === EVM_COIN && pays.length === 1 && index % 2 === 0
  return pays.map((units) => {
    const paid = units * 10n ** BigInt(decimals - DECIMALS)
    return isByContract
      ? transaction({ token, to: payin.address, units: paid, isInternal: true })
      : payin.pay(paid, token)
  })
}

/** What came, what has a payment or waits for people, and what institutions hold for us: all are what the chain has. */
async function assertInBooks(
  { rig, chain }: ChainRig,
  { currencyCode, token, decimals }: Coin,
): Promise<void> {
  const onChain = sumAmounts(
    chain
      .blocks()
      .flatMap(({ transactions }) => transactions)
      .flatMap((each) => each.transfers)
      .filter((each) => each.token === token)
      .map(({ units }) => fromMinorUnits(units, decimals)),
  )
  const place = (await placesOfMoney(rig)).find((row) => row['currency_code'] === currencyCode)
  const booked: Amount = addAmounts(amountIn(place?.['placed']), amountIn(place?.['waiting']))
  assert.deepEqual(
    { came: place?.['came'], booked, clearing: place?.['clearing'] },
    { came: onChain, booked: onChain, clearing: onChain },
    currencyCode,
  )
}

const amountIn = (text: unknown): Amount => (typeof text === 'string' ? parsePlainAmount(text) : ZERO)

/** The same transactions in other blocks and another order. */
function mineAgain(
  mine: (transactions: readonly TestTransaction[]) => void,
  taken: readonly TestTransaction[],
): void {
  const mixed = taken.toReversed()
  for (let from = 0; from < mixed.length; from += PER_BLOCK) mine(mixed.slice(from, from + PER_BLOCK))
}
