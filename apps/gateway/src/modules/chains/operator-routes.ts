import {
  type Answer,
  type AnswerItem,
  answers,
  ChainHoldingsSchema,
  ChainListSchema,
  ChainParams,
  ChainPayoutListSchema,
  ChainSchema,
  ChainSweepListSchema,
  ChainTransferListSchema,
  ChainTransfersQuery,
  SweepSchema,
  SweepTakenSchema,
} from '@tollgate/contract'
import { rawAmount } from '@tollgate/money'
import { toEvmAddress } from '@tollgate/payment-codes'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { answerPage, NUMBER_PLACE } from '../../http/paging.ts'
import { Refusal } from '../../platform/refusal.ts'
import { isInternal } from './coins.ts'
import { ChainProblem } from './errors.ts'
import type { HeldAsset, KeptHoldings } from './holdings/model.ts'
import type { StoredTransfer } from './model.ts'
import type { ChainPayout, ChainWallet } from './payouts/model.ts'
import type { ChainService, ChainView } from './service.ts'
import type { StoredSweep } from './sweeps/model.ts'

const operation = operatorOperationsOf('Statements')

/** Chains on which customers pay and are paid: how far they are read, what came, what leaves, and having one read at once. */
export function chainOperatorRoutes(app: App, chains: ChainService): void {
  app.get(
    '/operator/chains',
    operation('listChains', 'statements.read', {
      summary: 'List the chains that are read, with what became of the latest look',
      response: { 200: ChainListSchema },
    }),
    async () => ({ data: (await chains.list()).map(presentChain) }),
  )
  app.get(
    '/operator/chains/:chainCode/transfers',
    operation('listChainTransfers', 'statements.read', {
      summary: 'List coins that came to addresses of payments, the newest first',
      params: ChainParams,
      querystring: ChainTransfersQuery,
      response: answers({ 200: ChainTransferListSchema }, 410),
    }),
    ({ params: { chainCode: code }, query }) =>
      answerPage(query, {
        place: NUMBER_PLACE,
        list: (order) => orRefuse(chains.listTransfers({ ...order, code })),
        placeOf: ({ transferNo }) => transferNo,
        present: presentTransfer,
      }),
  )
  app.get(
    '/operator/chains/:chainCode/payouts',
    operation('listChainPayouts', 'statements.read', {
      summary: 'List payouts on a chain, the newest first',
      params: ChainParams,
      querystring: ChainTransfersQuery,
      response: answers({ 200: ChainPayoutListSchema }, 410),
    }),
    ({ params: { chainCode: code }, query }) =>
      answerPage(query, {
        place: NUMBER_PLACE,
        list: (order) => orRefuse(chains.listPayouts({ ...order, code })),
        placeOf: ({ payoutNo }) => payoutNo,
        present: presentPayout,
      }),
  )
  app.get(
    '/operator/chains/:chainCode/holdings',
    operation('getChainHoldings', 'statements.read', {
      summary: 'Show what was last counted on a chain, beside what came and left',
      params: ChainParams,
      response: answers({ 200: ChainHoldingsSchema }, 410),
    }),
    async ({ params }) => presentHoldings((await orRefuse(chains.holdings(params.chainCode))).holdings),
  )
  app.post(
    '/operator/chains/:chainCode/!look',
    operation('lookAtChain', 'institutions.change', {
      summary: 'Scan a chain now, and count its balances',
      params: ChainParams,
      response: answers({ 200: ChainSchema }, 410),
    }),
    async ({ params }) => presentChain(await orRefuse(chains.look(params.chainCode))),
  )
  sweepRoutes(app, chains)
}

/** Coins that are brought home from addresses of payments: what was signed elsewhere, and what becomes of it. */
function sweepRoutes(app: App, chains: ChainService): void {
  app.get(
    '/operator/chains/:chainCode/sweeps',
    operation('listChainSweeps', 'statements.read', {
      summary: 'List transactions that bring coins home, the newest first',
      params: ChainParams,
      querystring: ChainTransfersQuery,
      response: answers({ 200: ChainSweepListSchema }, 410),
    }),
    ({ params: { chainCode: code }, query }) =>
      answerPage(query, {
        place: NUMBER_PLACE,
        list: (order) => orRefuse(chains.listSweeps({ ...order, code })),
        placeOf: ({ transactionNo }) => transactionNo,
        present: presentSweep,
      }),
  )
  app.post(
    '/operator/chains/:chainCode/sweeps',
    operation('takeChainSweep', 'payout-files.change', {
      summary:
        'Take signed transactions that bring coins from addresses of payments to the treasury, and give them to nodes',
      params: ChainParams,
      body: SweepSchema,
      response: answers({ 200: SweepTakenSchema }, 410),
    }),
    async (request) => {
      const { transactions } = request.body
      const count = await orRefuse(
        chains.takeSweep(request.params.chainCode, {
          transactions,
          by: `operator:${operatorOf(request).code}`,
        }),
      )
      return { transactions: transactions.length, new: count }
    },
  )
}

function presentChain({ chain, state, wallet }: ChainView): AnswerItem<typeof ChainListSchema> {
  const { fault, failures, lookedAt, succeededAt, headBlock, scannedBlock } = state
  return {
    code: chain.code,
    chainId: String(chain.chainId),
    everySeconds: chain.everySeconds,
    nodes: chain.nodes.map(({ name }) => name),
    currencies: chain.assets.map(({ currencyCode }) => currencyCode),
    state: stateOf(state),
    failures,
    ...(fault !== undefined && { fault: { ...fault, since: fault.since.toISOString() } }),
    ...(lookedAt !== undefined && { lookedAt: lookedAt.toISOString() }),
    ...(succeededAt !== undefined && { succeededAt: succeededAt.toISOString() }),
    ...(headBlock !== undefined && { headBlock: String(headBlock) }),
    ...(scannedBlock !== undefined && { scannedBlock: String(scannedBlock) }),
    waitingTransfers: state.waitingCount,
    missingTransfers: state.missingCount,
    ...(wallet !== undefined && { wallet: presentWallet(wallet) }),
  }
}

function presentWallet({ address, problem, ...counts }: ChainWallet) {
  return {
    address: toEvmAddress(address.slice(2)),
    ...(problem !== undefined && { problem: problem.message, problemSince: problem.since.toISOString() }),
    queuedPayouts: counts.queuedCount,
    sentPayouts: counts.onItsWayCount,
    stuckPayouts: counts.troubledCount,
  }
}

function presentHoldings({
  counted,
  findingsSince,
  problem,
}: KeptHoldings): Answer<typeof ChainHoldingsSchema> {
  return {
    ...(counted === undefined ? { assets: [], findings: [] } : presentCount(counted)),
    ...(findingsSince !== undefined && { findingsSince: findingsSince.toISOString() }),
    ...(problem !== undefined && { problem: problem.message, problemSince: problem.since.toISOString() }),
  }
}

function presentCount({ at, holdings }: NonNullable<KeptHoldings['counted']>) {
  const { blockNumber, assets, coin, findings } = holdings
  return {
    countedAt: at.toISOString(),
    blockNumber: String(blockNumber),
    findings,
    assets: assets.map(presentHeld),
    ...(coin !== undefined && { coin: { ...coin, amount: rawAmount(coin.amount) } }),
  }
}

function presentHeld({ currencyCode, addressCount, inWallet, inTreasury, ...amounts }: HeldAsset) {
  return {
    currencyCode,
    addressCount,
    booked: rawAmount(amounts.booked),
    waiting: rawAmount(amounts.waiting),
    atAddresses: rawAmount(amounts.atAddresses),
    swept: rawAmount(amounts.swept),
    ...(inWallet !== undefined && { inWallet: rawAmount(inWallet) }),
    ...(inTreasury !== undefined && { inTreasury: rawAmount(inTreasury) }),
  }
}

function presentPayout(payout: ChainPayout): AnswerItem<typeof ChainPayoutListSchema> {
  const { payoutNo, payment, reference, amount, currencyCode, state, problem, nonce, endedAt } = payout
  return {
    payoutNo,
    kind: payment.kind,
    idPayment: payment.idPayment,
    reference,
    state,
    money: { amount: rawAmount(amount), currencyCode },
    ...(payout.isUnclear && { isUnclear: true }),
    ...(problem !== undefined && { problem }),
    ...(nonce !== undefined && { nonce: String(nonce) }),
    ...(payout.txHash !== undefined && { txHash: payout.txHash }),
    ...(payout.blockNumber !== undefined && { blockNumber: String(payout.blockNumber) }),
    ...(payout.networkFee !== undefined && { networkFee: String(payout.networkFee) }),
    takenAt: payout.takenAt.toISOString(),
    ...(endedAt !== undefined && { endedAt: endedAt.toISOString() }),
  }
}

function stateOf({ fault, lookedAt }: ChainView['state']): string {
  if (fault !== undefined) return 'FAILS'
  return lookedAt === undefined ? 'NEW' : 'WORKS'
}

function presentTransfer(transfer: StoredTransfer): AnswerItem<typeof ChainTransferListSchema> {
  const { txHash, ordinal, amount, currencyCode, address, payment, reference, state } = transfer
  return {
    transferNo: transfer.transferNo,
    ordinal,
    address,
    reference,
    state,
    ...(!isInternal(transfer) && { txHash }),
    money: { amount: rawAmount(amount), currencyCode },
    kind: payment.kind,
    idPayment: payment.idPayment,
    blockNumber: String(transfer.blockNumber),
    confirmations: transfer.confirmations,
    isElsewhere: transfer.isElsewhere,
    seenAt: transfer.seenAt.toISOString(),
    ...(transfer.bookedAt !== undefined && { bookedAt: transfer.bookedAt.toISOString() }),
  }
}

function presentSweep(sweep: StoredSweep): AnswerItem<typeof ChainSweepListSchema> {
  const { transactionNo, txHash, step, reference, state, problem, endedAt } = sweep
  return {
    transactionNo,
    txHash,
    step,
    reference,
    state,
    nonce: String(sweep.nonce),
    ...(problem !== undefined && { problem }),
    ...(sweep.blockNumber !== undefined && { blockNumber: String(sweep.blockNumber) }),
    ...(sweep.networkFee !== undefined && { networkFee: String(sweep.networkFee) }),
    givenBy: sweep.givenBy,
    givenAt: sweep.givenAt.toISOString(),
    ...(endedAt !== undefined && { endedAt: endedAt.toISOString() }),
  }
}

/** Answers what cannot be done with a chain as the operator API says it. */
async function orRefuse<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ChainProblem)) throw error
    const code = error.kind === 'NOT_FOUND' ? 'ENTITY_NOT_FOUND' : 'ATTRIBUTE_VALUE_INVALID'
    throw new Refusal(code, { message: error.message })
  }
}
