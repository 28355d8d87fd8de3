import { EVM_COIN, toEvmAddress } from '@tollgate/payment-codes'
import type { Database, Tx } from '../../platform/database.ts'
import {
  findFirstOnChain,
  listPaymentsByWallet,
  type PhaseChange,
  textOf,
  updatePhases,
  type WalletPayment,
} from '../payments/index.ts'
import type { Agreement } from './agreement.ts'
import { COIN_RANGE_BLOCKS, coinOf, paymentsOf, readCoins, readInternal } from './coins.ts'
import { ChainFault } from './errors.ts'
import { askForCount, type Departure, removeDepartures, upsertDepartures } from './holdings/holdings-store.ts'
import {
  type Chain,
  confirmationsFor,
  confirmationsMax,
  LeaseLost,
  type NumberedTransfer,
  numberTransfers,
  type SeenTransfer,
} from './model.ts'
import type { Block, BlockRange } from './node.ts'
import {
  findBlockBefore,
  findMark,
  listGoneAddresses,
  type Mark,
  type Point,
  putBack,
  updateMark,
  upsertTransfers,
} from './store.ts'

/** A look at a chain. */
export interface Look {
  readonly db: Database
  readonly chain: Chain
  readonly leaseNo: string
  readonly agreement: Agreement
  readonly signal: AbortSignal
  /** Is told of a chain that is another one behind a block that was final. */
  readonly onReorganised: (finalBlock: number) => void
}

/** How far a look has come. */
export interface Standing extends Mark {
  readonly headBlock: number
}

/**
 * Reads the blocks up to the head that all nodes have, and keeps what came to addresses of payments. Each range is one transaction with its
 * mark: a crash reads it again. Where the chain was reorganised, all that is not final is read anew. Throws ChainFault, LeaseLost.
 */
export async function scan(look: Look): Promise<Standing> {
  const { chain, agreement, signal } = look
  const headBlock = await agreement.headNumber()
  let standing = await stand(look, headBlock)
  for await (const read of ranges(look, standing.scanned.number, headBlock)) {
    standing = await keep(look, { ...standing, scanned: read.end }, read)
    if (signal.aborted) return standing
  }
  const internal = standing.scanned.number === headBlock ? await readInternal(look, standing.scanned) : []
  if (internal.length > 0) standing = await keep(look, standing, { found: internal, departures: [] })
  await takeBack(look)
  // Once more what can no longer change: a reorganisation between two questions may have hidden something the first time.
  const settled = headBlock - confirmationsMax(chain)
  if (settled - standing.final.number < Math.min(confirmationsMax(chain), chain.rangeBlocks)) return standing
  const settledAndRead = Math.min(settled, standing.scanned.number)
  for await (const read of ranges(look, standing.final.number, settledAndRead)) {
    standing = await keep(look, { ...standing, final: read.end }, read)
    if (signal.aborted) return standing
  }
  return standing
}

/** Where reading goes on from: the mark, or before it, where the chain is another one there now. */
async function stand(look: Look, headBlock: number): Promise<Standing> {
  const { db, chain, agreement } = look
  const mark = await findMark(db, chain.code)
  if (mark === undefined) return begin(look, headBlock)
  const { scanned, final } = mark
  if (headBlock < final.number)
    throw new ChainFault(
      'REORGANISED',
      `The nodes have blocks up to ${headBlock}, and ${final.number} was final: they lag far behind, or the chain was begun anew. Nothing is read until they have it. A chain that was begun anew needs another code in the settings.`,
    )
  if (!(await isStill(agreement, final)))
    return goBack(look, headBlock, await pointBefore(look, final.number))
  if (scanned.number > headBlock) return { scanned, final, headBlock }
  if (await isStill(agreement, scanned)) return { scanned, final, headBlock }
  return goBack(look, headBlock, final)
}

/** A chain that was never read begins where the settings say, or at its end; never behind a payment that may have been paid already. */
async function begin(look: Look, headBlock: number): Promise<Standing> {
  const { startBlock, chainId } = look.chain
  const wished = startBlock === undefined ? headBlock : Math.min(headBlock, Math.max(0, startBlock - 1))
  const firstAt = await findFirstOnChain(look.db, String(chainId))
  const first = firstAt === undefined ? wished : Math.min(wished, await blockBefore(look, headBlock, firstAt))
  const point = pointOf(await requireBlock(look.agreement, first))
  const standing = { scanned: point, final: point, headBlock }
  await look.db.transaction((tx) => moveMark(look, tx, standing))
  return standing
}

/** Blocks may have times that are some minutes wrong. */
const CLOCKS_APART_MS = 3_600_000

/** The last block that was there well before a moment; the first of all, if none was. */
async function blockBefore({ agreement }: Look, headBlock: number, moment: Date): Promise<number> {
  const seconds = (moment.getTime() - CLOCKS_APART_MS) / 1000
  let [low, high] = [0, headBlock]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((await requireBlock(agreement, middle)).timeSeconds <= seconds) low = middle
    else high = middle - 1
  }
  return low
}

/** By so many times what counts as final, further back than the last final block: nothing is known of how deep it goes. */
const DEEPER_TIMES = 4

/** A block before which nothing that was found has another block now. */
async function pointBefore(look: Look, finalBlock: number): Promise<Point> {
  const { db, chain, agreement, onReorganised } = look
  onReorganised(finalBlock)
  let number = Math.max(0, finalBlock - DEEPER_TIMES * confirmationsMax(chain))
  for (;;) {
    const known = await findBlockBefore(db, chain.code, number)
    if (known === undefined || (await isStill(agreement, known))) break
    number = Math.max(0, known.number - 1)
  }
  return pointOf(await requireBlock(agreement, number))
}

async function goBack(look: Look, headBlock: number, point: Point): Promise<Standing> {
  const standing = { scanned: point, final: point, headBlock }
  await look.db.transaction(async (tx) => {
    await moveMark(look, tx, standing)
    await putBack(tx, look.chain.code, point.number)
    await removeDepartures(tx, look.chain.code, point.number)
  })
  return standing
}

/** Reads everything behind the final block again with the next look. */
export async function readAgain(look: Look, standing: Standing): Promise<void> {
  await goBack(look, standing.headBlock, standing.final)
}

async function moveMark({ chain, leaseNo }: Look, tx: Tx, standing: Standing): Promise<void> {
  if (!(await updateMark(tx, { code: chain.code, leaseNo }, standing, standing.headBlock)))
    throw new LeaseLost()
}

async function isStill(agreement: Agreement, point: Point): Promise<boolean> {
  return (await requireBlock(agreement, point.number)).hash === point.hash
}

/** Throws ChainFault where a node lacks it. */
export async function requireBlock(agreement: Agreement, number: number): Promise<Block> {
  const block = await agreement.block(number)
  if (block !== undefined) return block
  throw new ChainFault(
    'UNREACHABLE',
    `A node does not have the block ${number}, though it said that it is further. It is asked again.`,
  )
}

const pointOf = ({ number, hash }: Block): Point => ({ number, hash })

/** What blocks say of coins of payments. */
interface Found {
  readonly found: readonly NumberedTransfer[]
  /** Of the chain's own coin, beside what `found` tells. */
  readonly departures: readonly Departure[]
}

interface Read extends Found {
  readonly end: Point
}

/** Blocks behind one up to another, in as large pieces as the nodes answer. */
async function* ranges(look: Look, behind: number, upTo: number): AsyncGenerator<Read> {
  const { chain } = look
  let rangeBlocks =
    coinOf(chain) === undefined ? chain.rangeBlocks : Math.min(chain.rangeBlocks, COIN_RANGE_BLOCKS)
  let done = behind
  while (done < upTo) {
    const range = { from: done + 1, to: Math.min(upTo, done + rangeBlocks) }
    const read = await readRange(look, range)
    if (read !== undefined) {
      done = range.to
      yield read
    } else if (rangeBlocks === 1) {
      throw new ChainFault(
        'REFUSED',
        `A node does not answer what is in the block ${range.from}: the answer is too large.`,
      )
    } else rangeBlocks = Math.ceil(rangeBlocks / 2)
  }
}

/** Undefined when it is too much at once. The last block is asked for before and after: it must not have changed meanwhile. */
async function readRange(look: Look, range: BlockRange): Promise<Read | undefined> {
  const { agreement } = look
  const before = await requireBlock(agreement, range.to)
  const found = await findIn(look, range)
  if (found === undefined) return undefined
  const after = await requireBlock(agreement, range.to)
  if (after.hash !== before.hash)
    throw new ChainFault('DISAGREE', `The block ${range.to} changed while it was read. It is read again.`)
  return { ...found, end: pointOf(after) }
}

/** What all nodes say of tokens and of the chain's own coin in some blocks; undefined when it is too much at once. */
export async function findIn(
  look: Pick<Look, 'db' | 'chain' | 'agreement'>,
  range: BlockRange,
): Promise<Found | undefined> {
  const { chain, agreement } = look
  const tokens = chain.assets.flatMap(({ token }) => (token === EVM_COIN ? [] : [token]))
  // Without a token, nodes would tell of those of the whole chain.
  const transfers = tokens.length === 0 ? [] : await agreement.transfers(range, tokens)
  const coins = await readCoins(look, range)
  if (transfers === undefined || coins === undefined) return undefined
  return {
    found: numberTransfers(chain.assets, [...transfers, ...coins.transfers]),
    departures: coins.departures,
  }
}

/** Keeps what came to addresses of payments, and left them, and says so to the payments, with the mark, in one transaction. */
async function keep(look: Look, standing: Standing, { found, departures }: Found): Promise<Standing> {
  await look.db.transaction(async (tx) => {
    await moveMark(look, tx, standing)
    const payments = await paymentsOf(
      tx,
      found.flatMap(({ from, to }) => [from, to]),
    )
    const seen = found.flatMap((transfer) => {
      const payment = payments.get(transfer.to)
      return payment === undefined ? [] : [{ transfer, payment }]
    })
    await upsertTransfers(
      tx,
      look.chain.code,
      seen.map(({ transfer, payment }) => toSeen(look.chain, transfer, payment)),
    )
    const left = found.flatMap((transfer) => departureOf(transfer, payments.get(transfer.from)) ?? [])
    await upsertDepartures(tx, look.chain.code, [...left, ...departures])
    if (left.length > 0) await askForCount(tx, look.chain.code)
    await noteDetected(
      tx,
      look.chain,
      seen.map(({ payment }) => payment),
    )
  })
  return standing
}

function departureOf(
  { asset, from, to, txHash, ordinal, amount, blockNumber }: NumberedTransfer,
  payment: WalletPayment | undefined,
): Departure | undefined {
  if (payment === undefined) return undefined
  return {
    txHash,
    ordinal,
    amount,
    blockNumber,
    currencyCode: asset.currencyCode,
    address: from,
    toAddress: to,
    reference: payment.reference,
  }
}

function toSeen(
  { chainId }: Chain,
  { asset, amount, txHash, ordinal, to, blockNumber, blockHash }: NumberedTransfer,
  payment: WalletPayment & { readonly isOneOfTwo: boolean },
): SeenTransfer {
  return {
    txHash,
    ordinal,
    amount,
    blockNumber,
    blockHash,
    currencyCode: asset.currencyCode,
    address: toEvmAddress(to.slice(2)),
    payment: payment.key,
    reference: payment.reference,
    isElsewhere: payment.isOneOfTwo || payment.chainId !== String(chainId),
    confirmations: confirmationsFor(asset, amount),
  }
}

/** Its customer sees that something is on its way. Whether it is the right money is known when it counts. */
async function noteDetected(tx: Tx, { chainId }: Chain, payments: readonly WalletPayment[]): Promise<void> {
  const waiting = payments.filter(
    ({ status, processorStatus, chainId: awaitedOn }) =>
      status === 'CREATED' && processorStatus === 'AWAITING_CUSTOMER' && awaitedOn === String(chainId),
  )
  await notePhase(tx, waiting, {
    processorStatus: 'DETECTED',
    reason: 'coins for it are in a block, with too few on top of it yet',
  })
}

/** The block with its coins is gone, before they counted: its customer is waited for again. */
async function takeBack({ db, chain }: Look): Promise<void> {
  const addresses = await listGoneAddresses(db, chain.code)
  if (addresses.length === 0) return
  const detected = (await listPaymentsByWallet(db, addresses)).filter(
    ({ status, processorStatus }) => status === 'CREATED' && processorStatus === 'DETECTED',
  )
  await db.transaction((tx) =>
    notePhase(tx, detected, {
      processorStatus: 'AWAITING_CUSTOMER',
      reason: 'the block with the coins for it is no part of the chain any more',
    }),
  )
}

async function notePhase(
  tx: Tx,
  payments: readonly Pick<WalletPayment, 'key'>[],
  phase: Pick<PhaseChange, 'processorStatus' | 'reason'>,
): Promise<void> {
  const byName = new Map(payments.map(({ key }) => [textOf(key), key]))
  await updatePhases(
    tx,
    [...byName.values()].map((key) => ({ ...key, ...phase, status: 'CREATED', actor: 'chain' })),
  )
}
