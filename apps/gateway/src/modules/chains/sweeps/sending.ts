import { fromMinorUnits } from '@tollgate/money'
import type { Ids } from '@tollgate/runtime'
import { type ChainSweepSettings, confirmationsMax } from '../model.ts'
import { bookNetworkFee } from '../network-fee.ts'
import { fenced } from '../payouts/look.ts'
import { type Receipt, receiptAtAll } from '../receipts.ts'
import type { Look } from '../scanning.ts'
import { sendToAll } from '../wallet-node.ts'
import type { StoredSweep } from './model.ts'
import {
  isFunding,
  listOpenSweeps,
  noteSweepInBlock,
  noteSweepSent,
  type SweepEnd,
  updateSweepEnded,
} from './sweep-store.ts'

interface SweepLook extends Look {
  readonly ids: Ids
  readonly sweeps: ChainSweepSettings
}

const AT_ONCE = 200
const SEND_AGAIN_SECONDS = 60
/** Nodes that keep no archive know so many blocks back how many transactions an address had. */
const COUNT_BLOCKS_BACK_MAX = 100

/** Gives nodes what was signed until blocks have it, and ends what counts there. */
export async function sendSweeps(look: SweepLook): Promise<void> {
  const open = await listOpenSweeps(look.db, look.chain.code, AT_ONCE)
  if (open.length === 0) return
  const headBlock = await look.agreement.headNumber()
  for (const sweep of open) {
    if (look.signal.aborted) return
    const receipt = await receiptAtAll(look.sweeps.nodes, sweep.txHash, look.signal)
    if (receipt === 'NOWHERE') await give(look, sweep, headBlock)
    else if (receipt !== 'SOMEWHERE') await count(look, sweep, { receipt, headBlock })
  }
}

/** It is in a block: it ends there when enough are on top. */
async function count(
  look: SweepLook,
  { txHash }: StoredSweep,
  { receipt, headBlock }: { readonly receipt: Receipt; readonly headBlock: number },
): Promise<void> {
  const { blockNumber, blockHash, isDone, cost } = receipt
  if ((await look.agreement.block(blockNumber))?.hash !== blockHash) return
  if (headBlock - blockNumber + 1 < confirmationsMax(look.chain))
    return noteSweepInBlock(look.db, look.chain.code, { txHash, blockNumber })
  const networkFee = fromMinorUnits(cost, look.sweeps.coin.decimals)
  await end(look, txHash, { state: isDone ? 'DONE' : 'FAILED', blockNumber, networkFee })
}

/** What it cost is booked with its end, once. */
function end(look: SweepLook, txHash: string, ending: SweepEnd): Promise<void> {
  return fenced(look, async (tx) => {
    const isNew = await updateSweepEnded(tx, look.chain.code, { txHash, end: ending })
    if (!isNew || ending.state === 'SUPERSEDED' || ending.networkFee === '0') return
    await bookNetworkFee(tx, {
      transferId: look.ids.uuid(),
      reference: txHash,
      fee: ending.networkFee,
      currencyCode: look.sweeps.coin.currencyCode,
    })
  })
}

/** It is in no block: nodes are given it, and again while they may have forgotten it. */
async function give(look: SweepLook, sweep: StoredSweep, headBlock: number): Promise<void> {
  const { db, chain, sweeps, signal } = look
  const { txHash, step, reference, sentSeconds, blockNumber } = sweep
  if (blockNumber !== undefined) await noteSweepInBlock(db, chain.code, { txHash, blockNumber: undefined })
  if (sentSeconds !== undefined && sentSeconds < SEND_AGAIN_SECONDS) return
  // Before it can pay, nodes refuse it.
  if (step === 'MOVE' && (await isFunding(db, chain.code, reference))) return
  if (await isNumberUsed(look, sweep, headBlock)) return end(look, txHash, { state: 'SUPERSEDED' })
  const words = await sendToAll(sweeps.nodes, sweep.signed, signal)
  const problem = words === undefined ? undefined : `No node takes it (${words}). It is sent again.`
  await noteSweepSent(db, chain.code, { txHash, problem })
}

/** In a block that does not change any more, by all nodes. */
async function isNumberUsed(
  { sweeps, chain, signal }: SweepLook,
  { sender, nonce }: StoredSweep,
  headBlock: number,
): Promise<boolean> {
  const block = Math.max(0, headBlock - Math.min(confirmationsMax(chain), COUNT_BLOCKS_BACK_MAX))
  const counts = await Promise.all(sweeps.nodes.map((node) => node.transactionCount(sender, block, signal)))
  return counts.every((count) => count > nonce)
}
