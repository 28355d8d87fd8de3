import { EVM_COIN, EVM_GAS_PATH, type EvmPath, evmPathOf } from '@tollgate/payment-codes'
import {
  type SignedSweep,
  type SweepMove,
  type SweepPlan,
  transferTransaction,
} from '@tollgate/signer-protocol'
import { addr, Transaction } from 'micro-eth-signer'
import type { SweepRules, SweepSettings } from './sweep-settings.ts'

/** Why nothing of a plan is signed, as a sentence for whoever holds the key. */
export class SweepRefused extends Error {
  override readonly name = 'SweepRefused'
}

/**
 * Signs a whole plan or nothing of it: every coin goes to the treasury of the own settings, whatever the plan says, and what it costs is
 * within their bounds. Throws SweepRefused.
 */
export function signSweep({ account, chains }: SweepSettings, plan: SweepPlan): SignedSweep {
  const rules = chains.find(({ chainId }) => chainId === plan.chainId)
  if (rules === undefined) throw new SweepRefused(`The settings have no chain ${plan.chainId}.`)
  const why = objectionTo(rules, plan)
  if (why !== undefined) throw new SweepRefused(why)
  const keyAt = ([high, low]: EvmPath): string => {
    const { privateKey } = account.deriveChild(high).deriveChild(low)
    if (privateKey === null) throw new Error('a derived key has no private part')
    return `0x${Buffer.from(privateKey).toString('hex')}`
  }
  const moves = plan.moves.map((move) => ({ move, key: keyAt(evmPathOf(move.reference)) }))
  const gasKey = keyAt(EVM_GAS_PATH)
  const funded = moves.filter(({ move }) => BigInt(move.fund) > 0n)
  const funds = funded.map(({ move, key }, index) =>
    signed(plan, gasKey, {
      nonce: BigInt(plan.gasNonce) + BigInt(index),
      gasLimit: BigInt(plan.fundGasLimit),
      ...transferTransaction({ token: EVM_COIN, payee: addr.fromPrivateKey(key), units: BigInt(move.fund) }),
    }),
  )
  const transfers = moves.map(({ move, key }) =>
    signed(plan, key, {
      nonce: BigInt(move.nonce),
      gasLimit: BigInt(move.gasLimit),
      ...transferTransaction({ token: move.token, payee: rules.treasury, units: BigInt(move.units) }),
    }),
  )
  return {
    format: 'tollgate signed sweep 1',
    chainId: plan.chainId,
    transactions: [...funds, ...transfers],
  }
}

function objectionTo(rules: SweepRules, plan: SweepPlan): string | undefined {
  const { treasury, maxFeePerGas, maxPriorityFeePerGas, fundGasLimit, moves } = plan
  if (treasury !== rules.treasury)
    return `The plan brings coins to ${treasury}; the settings say ${rules.treasury}. Find out who changed it.`
  if (BigInt(maxFeePerGas) > rules.maxFeePerGas)
    return `The plan offers ${maxFeePerGas} wei for gas; the settings allow ${rules.maxFeePerGas}.`
  if (BigInt(maxPriorityFeePerGas) > BigInt(maxFeePerGas))
    return 'The plan offers a tip that is more than all it offers.'
  if (BigInt(fundGasLimit) > rules.gasLimitMax)
    return `fundGasLimit is ${fundGasLimit}; the settings allow ${rules.gasLimitMax}.`
  if (new Set(moves.map(({ reference }) => reference)).size < moves.length)
    return 'The plan has a payment twice.'
  return moves
    .map((move) => objectionToMove(rules, BigInt(maxFeePerGas), move))
    .find((why) => why !== undefined)
}

/** An address is given what its own transaction may cost, and nothing on top. */
function objectionToMove(
  rules: SweepRules,
  maxFeePerGas: bigint,
  { reference, token, gasLimit, fund }: SweepMove,
): string | undefined {
  if (!rules.tokens.has(token)) return `${reference}: the settings do not name the token ${token}.`
  if (BigInt(gasLimit) > rules.gasLimitMax)
    return `${reference}: gasLimit is ${gasLimit}; the settings allow ${rules.gasLimitMax}.`
  if (BigInt(fund) > BigInt(gasLimit) * maxFeePerGas)
    return `${reference}: fund is ${fund} wei, more than its transaction can cost.`
  return undefined
}

interface Call {
  readonly nonce: bigint
  readonly to: string
  readonly value: bigint
  readonly data: string
  readonly gasLimit: bigint
}

function signed(plan: SweepPlan, key: string, call: Call): string {
  const unsigned = Transaction.prepare({
    type: 'eip1559',
    chainId: BigInt(plan.chainId),
    ...call,
    to: addr.addChecksum(call.to),
    maxFeePerGas: BigInt(plan.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(plan.maxPriorityFeePerGas),
  })
  return unsigned.signBy(key, false).toHex().toLowerCase()
}
