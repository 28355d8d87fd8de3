import { type Amount, compareAmounts, fromMinorUnits, isPositive, toMinorUnits, ZERO } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import { type SweepMove, type SweepPlan, transferCall } from '@tollgate/signer-protocol'
import type { Database } from '../../../platform/database.ts'
import type { Agreement } from '../agreement.ts'
import { ChainProblem } from '../errors.ts'
import { type HeldAtAddress, listHeld } from '../holdings/holdings-store.ts'
import type { Chain, ChainSweepSettings, WatchedAsset } from '../model.ts'
import { largest, smallest } from '../payouts/look.ts'
import { findMark, type Point } from '../store.ts'
import type { GasPrice, WalletNode } from '../wallet-node.ts'
import { listOpenSweeps } from './sweep-store.ts'

interface Planning {
  readonly db: Database
  readonly chain: Chain
  readonly agreement: Agreement
  readonly signal: AbortSignal
}

/** Which coins are to be brought home. */
interface SweepWish {
  readonly currencyCode: string
  /** Addresses with less stay as they are. */
  readonly min: Amount
  /** Of the chain's own coin, what stays at each address, for networks that take something on top of gas. */
  readonly leave: Amount
  readonly addressesMax: number
  /** Takes the place of what is on its way: its addresses are in the plan first, with the numbers that they have. */
  readonly isAgain: boolean
}

/** What is to be signed, and what it means. Amounts of the coin are in the chain's own. */
export interface PlannedSweep {
  readonly plan: SweepPlan
  readonly amount: Amount
  readonly costMax: Amount
  readonly coin: string
  readonly gasAddress: string
  readonly gasHas: Amount
  readonly gasNeeds: Amount
  /** Addresses with enough, for which there was no room. */
  readonly leftOut: number
}

const OPEN_MAX = 1_000
/** More than a transfer uses: what it does not use stays at the address. */
const SPARE_PERCENT = 20n

/** Plans how coins get home: it asks nodes, and changes nothing. Throws ChainProblem, ChainFault. */
export async function planSweep(planning: Planning, wish: SweepWish): Promise<PlannedSweep> {
  const { chain, signal } = planning
  const { sweeps, treasury } = requireSweeps(chain)
  const asset = chain.assets.find(({ currencyCode }) => currencyCode === wish.currencyCode)
  if (asset === undefined)
    throw new ChainProblem(`The settings of ${chain.code} have no ${wish.currencyCode}.`)
  const found = await candidates(planning, wish)
  const chosen = found.slice(0, wish.addressesMax)
  if (chosen.length === 0)
    throw new ChainProblem(
      `No address of a payment has ${wish.min} ${wish.currencyCode} or more in blocks that are final.`,
    )
  await requireThere(planning, asset, chosen)
  const gas = await priceOf(sweeps, signal)
  const fundGasLimit = await fundGasOf(chain, sweeps, { to: chosen[0]?.address ?? '', signal })
  const moving = { sweeps, asset, treasury, gas, signal, leave: toMinorUnits(wish.leave, asset.decimals) }
  const moves = (await Promise.all(chosen.map((held) => moveOf(moving, held)))).filter(
    ({ units }) => units !== '0',
  )
  if (moves.length === 0)
    throw new ChainProblem(`What the addresses have is not more than its way home costs and leaves.`)
  const given = moves.reduce((sum, { fund }) => sum + BigInt(fund), 0n)
  const funded = BigInt(moves.filter(({ fund }) => fund !== '0').length)
  const needs = given + funded * fundGasLimit * gas.maxFeePerGas
  const coins = (units: bigint): Amount => fromMinorUnits(units, sweeps.coin.decimals)
  const cost = moves.reduce((sum, { gasLimit }) => sum + BigInt(gasLimit) * gas.maxFeePerGas, 0n)
  return {
    plan: {
      format: 'tollgate sweep 1',
      chainId: String(chain.chainId),
      treasury,
      maxFeePerGas: String(gas.maxFeePerGas),
      maxPriorityFeePerGas: String(gas.tip),
      gasNonce: String(await nextNumber(sweeps, chain.gasAddress, signal)),
      fundGasLimit: String(fundGasLimit),
      moves,
    },
    amount: fromMinorUnits(
      moves.reduce((sum, { units }) => sum + BigInt(units), 0n),
      asset.decimals,
    ),
    costMax: coins(cost + funded * fundGasLimit * gas.maxFeePerGas),
    coin: sweeps.coin.currencyCode,
    gasAddress: chain.gasAddress,
    gasHas: coins(await coinsOf(sweeps, chain.gasAddress, signal)),
    gasNeeds: coins(needs),
    leftOut: found.length - chosen.length,
  }
}

function requireSweeps({ code, sweeps, treasury: [treasury] }: Chain) {
  if (sweeps !== undefined && treasury !== undefined) return { sweeps, treasury }
  throw new ChainProblem(
    `The settings of ${code} must say where coins go (treasury) and in what the network is paid (coin).`,
  )
}

/**
 * Those with most first. What came counts when no reorganisation takes it back, what left at once. One plan at a time: numbers of the address
 * that pays would be used twice.
 */
async function candidates(
  { db, chain }: Planning,
  { currencyCode, min, isAgain }: SweepWish,
): Promise<readonly HeldAtAddress[]> {
  const mark = await findMark(db, chain.code)
  if (mark === undefined) throw new ChainProblem(`${chain.code} was not read yet.`)
  const open = new Set((await listOpenSweeps(db, chain.code, OPEN_MAX)).map(({ reference }) => reference))
  if (open.size > 0 && !isAgain)
    throw new ChainProblem(
      `Coins of ${open.size} addresses are still on their way: \`tollgate chains sweeps ${chain.code}\` shows how far. To offer the network more for them, plan with --again.`,
    )
  const heldAt = async ({ number }: Point): Promise<readonly HeldAtAddress[]> =>
    (await listHeld(db, chain.code, number)).filter((held) => held.currencyCode === currencyCode)
  const now = new Map((await heldAt(mark.scanned)).map(({ address, amount }) => [address, amount]))
  return (await heldAt(mark.final))
    .map((held) => ({ ...held, amount: lesser(held.amount, now.get(held.address) ?? ZERO) }))
    .filter(
      ({ amount, reference }) =>
        isPositive(amount) && (compareAmounts(amount, min) >= 0 || open.has(reference)),
    )
    .toSorted(
      (one, other) =>
        Number(open.has(other.reference)) - Number(open.has(one.reference)) ||
        compareAmounts(other.amount, one.amount),
    )
}

const lesser = (one: Amount, other: Amount): Amount => (compareAmounts(one, other) < 0 ? one : other)

async function requireThere(
  { db, chain, agreement }: Planning,
  { token, decimals }: WatchedAsset,
  chosen: readonly HeldAtAddress[],
): Promise<void> {
  const block = (await findMark(db, chain.code))?.scanned.number ?? 0
  const balances = await agreement.balances(
    token,
    chosen.map(({ address }) => address),
    block,
  )
  const short = chosen.find(({ amount }, index) => (balances[index] ?? 0n) < toMinorUnits(amount, decimals))
  if (short === undefined) return
  throw new ChainProblem(
    `${short.address} has less than came: something left it. \`tollgate chains holdings ${chain.code}\` says more.`,
  )
}

interface Offer {
  readonly maxFeePerGas: bigint
  readonly tip: bigint
}

/** Enough while the network doubles what it asks for. */
async function priceOf({ nodes }: ChainSweepSettings, signal: AbortSignal): Promise<Offer> {
  const prices: readonly GasPrice[] = await Promise.all(nodes.map((node) => node.gasPrice(signal)))
  const tip = largest(prices.map((price) => price.tip))
  return { tip, maxFeePerGas: 2n * largest(prices.map(({ baseFee }) => baseFee)) + tip }
}

interface Moving {
  readonly sweeps: ChainSweepSettings
  readonly asset: WatchedAsset
  readonly treasury: string
  readonly gas: Offer
  /** In the coin's smallest units. */
  readonly leave: bigint
  readonly signal: AbortSignal
}

async function moveOf(moving: Moving, held: HeldAtAddress): Promise<SweepMove> {
  const { sweeps, asset, signal } = moving
  const { units, gasLimit, fund } = await (asset.token === EVM_COIN
    ? coinMove(moving, held)
    : tokenMove(moving, held))
  return {
    reference: held.reference,
    token: asset.token.toLowerCase(),
    units: String(units),
    nonce: String(await nextNumber(sweeps, held.address, signal)),
    gasLimit: String(gasLimit),
    fund: String(fund),
  }
}

type MovePart = Readonly<Record<'units' | 'gasLimit' | 'fund', bigint>>

/** All of it, and the address is given what it lacks to pay for that. */
async function tokenMove(
  { sweeps, asset: { token, decimals }, treasury, gas, signal }: Moving,
  { address, amount }: HeldAtAddress,
): Promise<MovePart> {
  const units = toMinorUnits(amount, decimals)
  const call = { from: address, to: token, data: transferCall({ payee: treasury, units }) }
  const gasLimit = spared(await firstOf(sweeps).estimate(call, signal))
  const missing = gasLimit * gas.maxFeePerGas - (await coinsOf(sweeps, address, signal))
  return { units, gasLimit, fund: missing > 0n ? missing : 0n }
}

/** What is left when the network has its part; nothing where that is all. */
async function coinMove(
  { sweeps, asset: { decimals }, treasury, gas, leave, signal }: Moving,
  { address, amount }: HeldAtAddress,
): Promise<MovePart> {
  const gasLimit = plainGas(
    await firstOf(sweeps).estimate({ from: address, to: treasury, data: '0x' }, signal),
  )
  const units = toMinorUnits(amount, decimals) - gasLimit * gas.maxFeePerGas - leave
  return { units: units > 0n ? units : 0n, gasLimit, fund: 0n }
}

const spared = (gas: bigint): bigint => (gas * (100n + SPARE_PERCENT)) / 100n

/** A transfer of coins always costs this, but on chains above another one. */
const PLAIN_GAS = 21_000n

const plainGas = (gas: bigint): bigint => (gas <= PLAIN_GAS ? PLAIN_GAS : spared(gas))

const fundGasOf = async (
  { gasAddress }: Chain,
  sweeps: ChainSweepSettings,
  { to, signal }: { readonly to: string; readonly signal: AbortSignal },
): Promise<bigint> => plainGas(await firstOf(sweeps).estimate({ from: gasAddress, to, data: '0x' }, signal))

function firstOf({ nodes: [first] }: ChainSweepSettings): WalletNode {
  if (first === undefined) throw new Error('a chain without nodes')
  return first
}

const coinsOf = async (
  { nodes }: ChainSweepSettings,
  address: string,
  signal: AbortSignal,
): Promise<bigint> => smallest(await Promise.all(nodes.map((node) => node.coins(address, signal))))

const nextNumber = async (
  { nodes }: ChainSweepSettings,
  address: string,
  signal: AbortSignal,
): Promise<bigint> =>
  largest(await Promise.all(nodes.map((node) => node.transactionCount(address, undefined, signal))))
