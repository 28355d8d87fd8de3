import { toMinorUnits } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import type { SignAnswer, SignRequest } from '@tollgate/signer-protocol'
import type { Tx } from '../../../platform/database.ts'
import { lockPayment } from '../../payments/index.ts'
import { ChainFault, SignerFault } from '../errors.ts'
import type { ChainPayoutSettings } from '../model.ts'
import { type GasPrice, sendToAll, type WalletNode } from '../wallet-node.ts'
import { assetOf, DECIDED, fenced, isOpen, largest, type SendLook, smallest, walletOf } from './look.ts'
import type { ChainPayout, PayoutOnItsWay } from './model.ts'
import {
  ensureWallet,
  findNumbered,
  listQueued,
  listSent,
  lockNextNonce,
  notePayout,
  noteTaken,
  setNextNonce,
  setWalletProblem,
  updateEnded,
  updateNumbered,
  updatePutBack,
  updateSent,
} from './payout-store.ts'
import { contentOf } from './taking.ts'
import { watch } from './watching.ts'

/** Nodes keep so many of one sender for sure. */
const ON_THE_WAY_MAX = 16
const QUEUED_AT_ONCE = 50

/**
 * Sends payouts of a chain, and watches those that were sent. Each has one number (nonce), noted before anything is signed with it: whatever
 * is signed again for it can only take the place of what was signed before. Nothing is thrown but LeaseLost and faults of our own: what
 * nodes and signer do wrong is kept with the wallet, for operators.
 */
export async function sendPayouts(look: SendLook): Promise<void> {
  const { db, chain, payouts, log } = look
  const wallet = walletOf(look)
  await ensureWallet(db, wallet)
  try {
    await watch(look, {
      raise: (payout, gas) => raise(look, payout, gas),
      again: (payout) => sendAgain(look, payout),
    })
    const why = await sendNew(look)
    await setWalletProblem(db, wallet, why)
  } catch (error) {
    if (!(error instanceof ChainFault) && !(error instanceof SignerFault)) throw error
    log.warn(
      { chain: chain.code, wallet: payouts.wallet, problem: error.message },
      'payouts on a chain do not leave',
    )
    await setWalletProblem(db, wallet, error.message)
  }
}

/** Sends what waits, while there is money and gas for it. Answers why the rest does not leave. */
async function sendNew(look: SendLook): Promise<string | undefined> {
  const { db, signal, payouts } = look
  const wallet = walletOf(look)
  const waits = (await listQueued(db, wallet, 1)).length > 0 || (await findNumbered(db, wallet)) !== undefined
  if (!waits) return undefined
  await requireWallet(look)
  const gas = await gasPriceOf(look)
  const offer = offerFor(gas, payouts)
  if (offer === undefined)
    return `The network asks for ${gas.baseFee + gas.tip} wei for gas, and at most ${payouts.maxFeePerGas} is paid. Payouts wait until it is cheaper, or maxFeePerGasGwei is raised here and at the signer.`
  // What nobody understands has its number for ever, and takes nobody's place.
  const sent = (await listSent(db, wallet)).filter(({ isUnclear }) => !isUnclear)
  const purse = await openPurse(look, sent)
  const counts = await askAll(payouts.nodes, (node) =>
    node.transactionCount(payouts.wallet, undefined, signal),
  )
  for (let count = sent.length; count < ON_THE_WAY_MAX; count += 1) {
    if (signal.aborted) return undefined
    const numbered = await findNumbered(db, wallet)
    if (numbered !== undefined && !(await isOpen(look, numbered))) {
      await giveUp(look, numbered)
      continue
    }
    const next = numbered ?? (await numberNext(look, purse, largest(counts)))
    if (next === undefined) return purse.lacks()
    await signAndSend(look, next, offer)
  }
  return undefined
}

/** The signer must have the wallet of the settings: what another one pays is nobody's payout. */
async function requireWallet({ payouts, signal }: SendLook): Promise<void> {
  const address = await payouts.signer.address(signal)
  if (address !== payouts.wallet)
    throw new SignerFault(
      `The signer signs for ${address}, and the settings say ${payouts.wallet}. Nothing is sent until they fit.`,
    )
}

const askAll = <Answer>(
  nodes: readonly WalletNode[],
  ask: (node: WalletNode) => Promise<Answer>,
): Promise<readonly Answer[]> => Promise.all(nodes.map(ask))

async function gasPriceOf({ payouts, signal }: SendLook): Promise<GasPrice> {
  const prices = await askAll(payouts.nodes, (node) => node.gasPrice(signal))
  return {
    baseFee: largest(prices.map(({ baseFee }) => baseFee)),
    tip: largest(prices.map(({ tip }) => tip)),
  }
}

/** What a transaction offers for gas, in wei. */
interface Offer {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Twice what the network asks, since that changes by an eighth with each block; undefined when even once is too much. */
function offerFor(
  { baseFee, tip }: GasPrice,
  { maxFeePerGas: bound }: Pick<ChainPayoutSettings, 'maxFeePerGas'>,
): Offer | undefined {
  if (baseFee + tip > bound) return undefined
  return { maxFeePerGas: smallest([bound, 2n * baseFee + tip]), maxPriorityFeePerGas: tip }
}

/** What the wallet has and what of it is spoken for. */
interface Purse {
  /** Takes out what the payout needs; false when it is not there. */
  take(payout: ChainPayout): boolean
  /** Why payouts wait, if some do. */
  lacks(): string | undefined
}

async function openPurse(look: SendLook, sent: readonly PayoutOnItsWay[]): Promise<Purse> {
  const { payouts, chain } = look
  const gasOfOne = payouts.gasLimit * payouts.maxFeePerGas
  const left = await unspoken(look, sent)
  const missing = new Set<string>()
  return {
    take(payout) {
      const asset = assetOf(chain, payout)
      if (asset === undefined) {
        missing.add(payout.currencyCode)
        return false
      }
      const needed = new Map([[EVM_COIN, gasOfOne]])
      needed.set(asset.token, (needed.get(asset.token) ?? 0n) + toMinorUnits(payout.amount, asset.decimals))
      const lacking = [...needed].filter(([token, units]) => (left.get(token) ?? 0n) < units)
      for (const [token] of lacking)
        missing.add(
          token === asset.token ? payout.currencyCode : `${payouts.coin.currencyCode} for the network's fees`,
        )
      if (lacking.length > 0) return false
      for (const [token, units] of needed) left.set(token, (left.get(token) ?? 0n) - units)
      return true
    },
    lacks: () =>
      missing.size === 0
        ? undefined
        : `The wallet ${payouts.wallet} on ${chain.code} has too little: ${[...missing].join(', ')}. Payouts wait until it has more.`,
  }
}

/** What the wallet has of each token and of the coin, without what is on its way out. */
async function unspoken(
  { payouts, chain, signal }: SendLook,
  sent: readonly PayoutOnItsWay[],
): Promise<Map<string, bigint>> {
  const coins = await askAll(payouts.nodes, (node) => node.coins(payouts.wallet, signal))
  const gasOfSent = BigInt(sent.length) * payouts.gasLimit * payouts.maxFeePerGas
  const left = new Map([[EVM_COIN, smallest(coins) - gasOfSent]])
  for (const { token, currencyCode, decimals } of chain.assets) {
    const held =
      left.get(token) ??
      smallest(await askAll(payouts.nodes, (node) => node.tokens(token, payouts.wallet, signal)))
    const spokenFor = sent.filter(
      (each) => each.currencyCode === currencyCode && each.blockNumber === undefined,
    )
    left.set(
      token,
      spokenFor.reduce((rest, { amount }) => rest - toMinorUnits(amount, decimals), held),
    )
  }
  return left
}

/** Gives the first payout for which there is money its number; undefined when there is none. */
async function numberNext(look: SendLook, purse: Purse, used: bigint): Promise<ChainPayout | undefined> {
  const wallet = walletOf(look)
  const queued = await listQueued(look.db, wallet, QUEUED_AT_ONCE)
  const next = queued.find((payout) => purse.take(payout))
  if (next === undefined) return undefined
  const numbered = await fenced(look, async (tx) => {
    if (!(await isOpenUnderLock(tx, next))) {
      await updateEnded(tx, next.reference, { ...DECIDED, isUnsigned: true })
      return undefined
    }
    // Behind what the chain has: after a restore it has more than we remember.
    const nonce = largest([used, (await lockNextNonce(tx, wallet)) ?? 0n])
    await updateNumbered(tx, next.reference, nonce)
    await setNextNonce(tx, wallet, nonce + 1n)
    return { ...next, nonce, state: 'NUMBERED' as const }
  })
  return numbered ?? numberNext(look, purse, used)
}

/** Whether its payment still waits to be paid. Who decides about it meanwhile waits for the lock, and sees then that it has its number. */
async function isOpenUnderLock(tx: Tx, { payment }: ChainPayout): Promise<boolean> {
  return (await lockPayment(tx, payment))?.status === 'CREATED'
}

/** No signer signs this, since the tip is above the whole: it tells what it has signed before. */
const UNSIGNABLE: Offer = { maxFeePerGas: 0n, maxPriorityFeePerGas: 1n }

/**
 * People decided about a payout of which it is not known whether it was signed: the signer knows. If it was, its number is used up, and
 * what was signed is kept and goes to no node.
 */
async function giveUp(look: SendLook, payout: ChainPayout): Promise<void> {
  const answer = await askSigner(look, payout, UNSIGNABLE)
  if (answer === undefined) return
  if (answer.kind === 'SIGNED') return keepAndSend(look, payout, answer)
  await fenced(look, async (tx) => {
    await freeNumber(look, tx, payout)
    await updateEnded(tx, payout.reference, { ...DECIDED, isUnsigned: true })
  })
}

/** How long a payout waits that the signer refuses for the time being. */
const PUT_OFF_SECONDS = { DAY: 600, FEE: 60, SEAL: 3_600, CONTENT: 3_600, NONCE_TAKEN: 0 } as const

async function signAndSend(look: SendLook, payout: ChainPayout, offer: Offer): Promise<void> {
  const answer = await askSigner(look, payout, offer)
  if (answer === undefined) return
  if (answer.kind === 'SIGNED') return keepAndSend(look, payout, answer)
  await fenced(look, (tx) => noteRefused(look, tx, payout, answer))
}

/** Undefined when the payment has nobody to pay any more. */
async function askSigner(look: SendLook, payout: ChainPayout, offer: Offer): Promise<SignAnswer | undefined> {
  const { chain, payouts, signal } = look
  const asset = assetOf(chain, payout)
  const payee = await look.payeeOf(payout.payment)
  if (asset === undefined || payee === undefined || payout.nonce === undefined) {
    const problem =
      payee === undefined
        ? 'The address of its payee was erased.'
        : `The settings of ${chain.code} have no token for ${payout.currencyCode} any more.`
    await fenced(look, (tx) => putBack(look, tx, payout, { problem, seconds: PUT_OFF_SECONDS.SEAL }))
    return undefined
  }
  const way = { chainId: chain.chainId, token: asset.token, decimals: asset.decimals }
  const { reference, currencyCode, amount } = payout
  const request: SignRequest = {
    ...contentOf({ reference, money: { currencyCode, amount } }, way, payee),
    seal: payout.seal,
    nonce: String(payout.nonce),
    gasLimit: String(payouts.gasLimit),
    maxFeePerGas: String(offer.maxFeePerGas),
    maxPriorityFeePerGas: String(offer.maxPriorityFeePerGas),
  }
  return payouts.signer.sign(request, signal)
}

/** First it is kept, then nodes hear of it: what is in a block is always known here. Unless people decided about its payment meanwhile. */
async function keepAndSend(
  look: SendLook,
  payout: ChainPayout,
  signed: Extract<SignAnswer, { kind: 'SIGNED' }>,
): Promise<void> {
  const wallet = walletOf(look)
  const nonce = BigInt(signed.nonce)
  const isWanted = await fenced(look, async (tx) => {
    // The signer remembers a number from before a restore: the one that was taken now is free again.
    if (payout.state === 'NUMBERED' && payout.nonce !== undefined && nonce !== payout.nonce)
      await setNextNonce(tx, wallet, payout.nonce)
    await updateSent(tx, payout.reference, {
      nonce,
      hashes: [...signed.earlierHashes, signed.hash],
      maxFeePerGas: BigInt(signed.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(signed.maxPriorityFeePerGas),
    })
    return isOpenUnderLock(tx, payout)
  })
  if (isWanted) await handToNodes(look, payout, signed)
}

/** To every node. That one takes it proves nothing, and that one refuses it neither: the chain tells. */
async function handToNodes(
  { db, payouts, signal }: SendLook,
  { reference }: ChainPayout,
  { transaction, hash }: Extract<SignAnswer, { kind: 'SIGNED' }>,
): Promise<void> {
  const words = await sendToAll(payouts.nodes, transaction, signal)
  if (words === undefined) return noteTaken(db, reference, hash)
  const problem = `No node takes its transaction (${words}). It is sent again.`
  await notePayout(db, reference, { problem, isUnclear: false })
}

type Refused = Extract<SignAnswer, { kind: 'REFUSED' }>

/** Nothing was signed for it, says the one who would know: its number is free again. */
async function noteRefused(look: SendLook, tx: Tx, payout: ChainPayout, answer: Refused): Promise<void> {
  const { refusal, message, nextNonce } = answer
  look.log.warn({ reference: payout.reference, refusal, why: message }, 'the signer refused a payout')
  if (refusal === 'TOKEN' || refusal === 'PAYEE' || refusal === 'AMOUNT') {
    await freeNumber(look, tx, payout)
    await updateEnded(tx, payout.reference, {
      state: 'FAILED',
      inBlock: undefined,
      isUnsigned: true,
      why: `The wallet's rules do not allow it: ${message}.`,
    })
    return
  }
  const problem = refusal === 'NONCE_TAKEN' ? undefined : `The signer does not sign it: ${message}.`
  await putBack(look, tx, payout, { problem, seconds: PUT_OFF_SECONDS[refusal] })
  if (refusal === 'NONCE_TAKEN') await setNextNonce(tx, walletOf(look), BigInt(nextNonce))
}

async function putBack(
  look: SendLook,
  tx: Tx,
  payout: ChainPayout,
  why: { readonly problem: string | undefined; readonly seconds: number },
): Promise<void> {
  await freeNumber(look, tx, payout)
  await updatePutBack(tx, payout.reference, why)
}

/** The next payout takes it, or the chain had a gap. Only one is numbered and not signed at a time, so it is the last. */
async function freeNumber(look: SendLook, tx: Tx, { state, nonce }: ChainPayout): Promise<void> {
  if (state === 'NUMBERED' && nonce !== undefined) await setNextNonce(tx, walletOf(look), nonce)
}

/** False when people have decided: then nothing is sent, and operators read that payouts with higher numbers may wait for this one. */
async function isOpenOrNoted(look: SendLook, payout: PayoutOnItsWay): Promise<boolean> {
  if (await isOpen(look, payout)) return true
  const problem = `People decided what became of its payment: it is not sent again. While no block has it, payouts wait behind its number ${payout.nonce}; an empty transaction of the wallet with that number lets them go on.`
  await notePayout(look.db, payout.reference, { problem, isUnclear: payout.isUnclear })
  return false
}

/** What was signed for it is sent once more: nodes forget, and some were not there. */
async function sendAgain(look: SendLook, payout: PayoutOnItsWay): Promise<void> {
  const [latest] = payout.transactions
  if (latest === undefined || !(await isOpenOrNoted(look, payout))) return
  const answer = await askSigner(look, payout, latest)
  if (answer?.kind === 'SIGNED') await keepAndSend(look, payout, answer)
}

/** By so much nodes want a replacement to offer more, and a little above. */
const RAISE_PERCENT = 13n

/** Offers more for the first that is in no block: those behind it wait for it. Where the bound is reached, it is sent as it is. */
async function raise(look: SendLook, payout: PayoutOnItsWay, gas: GasPrice): Promise<void> {
  const [latest] = payout.transactions
  if (latest === undefined || !(await isOpenOrNoted(look, payout))) return
  const raised = (fee: bigint): bigint => (fee * (100n + RAISE_PERCENT)) / 100n + 1n
  const offer = {
    maxFeePerGas: largest([raised(latest.maxFeePerGas), 2n * gas.baseFee + gas.tip]),
    maxPriorityFeePerGas: largest([raised(latest.maxPriorityFeePerGas), gas.tip]),
  }
  if (offer.maxFeePerGas > look.payouts.maxFeePerGas) return sendAgain(look, payout)
  const answer = await askSigner(look, payout, offer)
  if (answer?.kind === 'SIGNED') await keepAndSend(look, payout, answer)
  else await sendAgain(look, payout)
}
