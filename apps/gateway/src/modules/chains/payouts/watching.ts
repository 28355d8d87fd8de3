import { fromMinorUnits, toMinorUnits } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import { ChainFault } from '../errors.ts'
import { confirmationsFor, confirmationsMax, type WatchedAsset } from '../model.ts'
import { bookNetworkFee } from '../network-fee.ts'
import { type Receipt, receiptAtAll } from '../receipts.ts'
import type { GasPrice } from '../wallet-node.ts'
import { assetOf, DECIDED, fenced, isOpen, type SendLook, smallest, walletOf } from './look.ts'
import type { PayoutOnItsWay } from './model.ts'
import { listSent, noteInBlock, notePayout, type PayoutEnd, updateEnded } from './payout-store.ts'

/** What is done about payouts that are in no block. */
interface Remedies {
  /** The first of them waits too long. */
  raise(payout: PayoutOnItsWay, gas: GasPrice): Promise<void>
  /** Nodes may have forgotten it. */
  again(payout: PayoutOnItsWay): Promise<void>
}

const SEND_AGAIN_SECONDS = 60
/** Nodes that keep no archive know so many blocks back how many transactions an address had. */
const COUNT_BLOCKS_BACK_MAX = 100

/** Looks for what was sent in the chain's blocks, ends what counts there, and does something about what is in none. */
export async function watch(look: SendLook, remedies: Remedies): Promise<void> {
  const { db, chain, agreement, signal } = look
  const sent = await listSent(db, walletOf(look))
  if (sent.length === 0) return
  const headBlock = await agreement.headNumber()
  const back = Math.max(0, headBlock - Math.min(confirmationsMax(chain), COUNT_BLOCKS_BACK_MAX))
  const used = await countAll(look, undefined)
  const settled = await countAll(look, back)
  const [inBlocks, waiting] = [
    sent.filter(({ nonce }) => nonce !== undefined && nonce < used),
    sent.filter(({ nonce }) => nonce === undefined || nonce >= used),
  ]
  for (const payout of inBlocks) {
    if (signal.aborted) return
    await settle(look, payout, { headBlock, isNumberSettled: (payout.nonce ?? 0n) < settled })
  }
  await remedy(look, waiting, remedies)
}

/** Those behind the first wait for it, whatever they offer: so that one offers more. */
async function remedy(look: SendLook, waiting: readonly PayoutOnItsWay[], remedies: Remedies): Promise<void> {
  for (const [index, payout] of waiting.entries()) {
    if (look.signal.aborted) return
    const { sentSeconds, signedSeconds } = payout
    const isStuck =
      index === 0 && sentSeconds !== undefined && signedSeconds >= look.payouts.raiseAfterSeconds
    if (isStuck) await remedies.raise(payout, await gasNow(look))
    else if ((sentSeconds ?? SEND_AGAIN_SECONDS) >= SEND_AGAIN_SECONDS) await remedies.again(payout)
  }
}

/** By all nodes: the fewest. */
async function countAll({ payouts, signal }: SendLook, block: number | undefined): Promise<bigint> {
  const counts = await Promise.all(
    payouts.nodes.map((node) => node.transactionCount(payouts.wallet, block, signal)),
  )
  return smallest(counts)
}

async function gasNow({ payouts, signal }: SendLook): Promise<GasPrice> {
  const [first] = payouts.nodes
  if (first === undefined) throw new Error('a chain without nodes')
  return first.gasPrice(signal)
}

interface Standing {
  readonly headBlock: number
  /** The number is used in a block that does not change any more. */
  readonly isNumberSettled: boolean
}

/** The number is used: by one of ours, or by something that we do not know. */
async function settle(look: SendLook, payout: PayoutOnItsWay, standing: Standing): Promise<void> {
  if (payout.isUnclear && !(await isOpen(look, payout))) {
    await updateEnded(look.db, payout.reference, DECIDED)
    return
  }
  const found = await findReceipt(look, payout)
  if (found !== undefined) return count(look, payout, { ...found, headBlock: standing.headBlock })
  if (!standing.isNumberSettled) return
  const problem = `The number ${payout.nonce} of the wallet was used by a transaction that is not known here: somebody else has the key, or the signer's record is not the one it was. It is not sent again; find out what that transaction paid.`
  await notePayout(look.db, payout.reference, { problem, isUnclear: true })
}

/** Ends a payout whose transaction is in a block that all nodes have, with enough on top. */
async function count(
  look: SendLook,
  payout: PayoutOnItsWay,
  { receipt, txHash, headBlock }: Found & Pick<Standing, 'headBlock'>,
): Promise<void> {
  const { blockNumber, blockHash } = receipt
  if ((await look.agreement.block(blockNumber))?.hash !== blockHash) return
  const asset = assetOf(look.chain, payout)
  if (asset === undefined)
    throw new ChainFault(
      'SETTINGS',
      `The settings of ${look.chain.code} have no ${payout.currencyCode} any more, in which payouts are on their way.`,
    )
  if (headBlock - blockNumber + 1 < confirmationsFor(asset, payout.amount))
    return noteInBlock(look.db, payout.reference, { txHash, blockNumber })
  if (!receipt.isDone || (await hasMoved(look, payout, { receipt, asset })))
    return end(look, payout, { receipt, txHash })
  const problem = `Its transaction ${txHash} was carried out, and the token does not say that exactly these coins moved. Find out what it did.`
  await notePayout(look.db, payout.reference, { problem, isUnclear: true })
}

/** Whether the token says that exactly these coins went from the wallet to the payee. The chain's own coin moves as it was signed. */
async function hasMoved(
  look: SendLook,
  payout: PayoutOnItsWay,
  { receipt, asset }: { readonly receipt: Receipt; readonly asset: WatchedAsset },
): Promise<boolean> {
  if (asset.token === EVM_COIN) return true
  const units = toMinorUnits(payout.amount, asset.decimals)
  const payee = (await look.payeeOf(payout.payment))?.toLowerCase()
  const [token, { wallet }] = [asset.token.toLowerCase(), payout]
  return receipt.moves.some(
    (move) => move.token === token && move.from === wallet && move.to === payee && move.units === units,
  )
}

interface Found {
  readonly receipt: Receipt
  readonly txHash: string
}

/** That of the transaction that is in a block; undefined while one node does not have it. Throws DISAGREE. */
async function findReceipt(
  { payouts, signal }: SendLook,
  payout: PayoutOnItsWay,
): Promise<Found | undefined> {
  for (const { txHash } of payout.transactions) {
    const receipt = await receiptAtAll(payouts.nodes, txHash, signal)
    if (receipt === 'NOWHERE') continue
    return receipt === 'SOMEWHERE' ? undefined : { receipt, txHash }
  }
  return undefined
}

/** It counts: paid or undone by the token, and the network has its fee either way, which is ours. */
async function end(look: SendLook, payout: PayoutOnItsWay, { receipt, txHash }: Found): Promise<void> {
  const { ids, payouts } = look
  const networkFee = fromMinorUnits(receipt.cost, payouts.coin.decimals)
  const isDecided = !(await isOpen(look, payout))
  const ending: PayoutEnd = {
    ...(isDecided && { why: 'People had decided what became of its payment before this.' }),
    state: receipt.isDone ? 'PAID' : 'FAILED',
    ...(!receipt.isDone && { why: 'The transfer to this address was refused.' }),
    inBlock: { txHash, blockNumber: receipt.blockNumber, networkFee },
  }
  await fenced(look, async (tx) => {
    if (!(await updateEnded(tx, payout.reference, ending)) || receipt.cost === 0n) return
    await bookNetworkFee(tx, {
      transferId: ids.uuid(),
      reference: payout.reference,
      fee: networkFee,
      currencyCode: payouts.coin.currencyCode,
    })
  })
}
