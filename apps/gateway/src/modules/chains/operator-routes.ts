import {
  type AnswerItem,
  answers,
  ChainListSchema,
  ChainParams,
  ChainSchema,
  ChainTransferListSchema,
  ChainTransfersQuery,
} from '@tollgate/contract'
import { rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { answerPage, NUMBER_PLACE } from '../../http/paging.ts'
import { Refusal } from '../../platform/refusal.ts'
import { ChainProblem } from './errors.ts'
import type { StoredTransfer } from './model.ts'
import type { ChainService, ChainView } from './service.ts'

const operation = operatorOperationsOf('Statements')

/** Chains on which customers pay: how far they are read, what came, and having one read at once. */
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
  app.post(
    '/operator/chains/:chainCode/!look',
    operation('lookAtChain', 'institutions.change', {
      summary: 'Have a chain read at once',
      params: ChainParams,
      response: answers({ 200: ChainSchema }, 410),
    }),
    async ({ params }) => presentChain(await orRefuse(chains.look(params.chainCode))),
  )
}

function presentChain({ chain, state }: ChainView): AnswerItem<typeof ChainListSchema> {
  const { fault, failures, lookedAt, succeededAt, headBlock, scannedBlock } = state
  return {
    ...{ code: chain.code, chainId: String(chain.chainId), everySeconds: chain.everySeconds },
    nodes: chain.nodes.map(({ name }) => name),
    currencies: chain.assets.map(({ currencyCode }) => currencyCode),
    ...{ state: stateOf(state), failures },
    ...(fault !== undefined && { fault: { ...fault, since: fault.since.toISOString() } }),
    ...(lookedAt !== undefined && { lookedAt: lookedAt.toISOString() }),
    ...(succeededAt !== undefined && { succeededAt: succeededAt.toISOString() }),
    ...(headBlock !== undefined && { headBlock: String(headBlock) }),
    ...(scannedBlock !== undefined && { scannedBlock: String(scannedBlock) }),
    ...{ waitingTransfers: state.waitingCount, missingTransfers: state.missingCount },
  }
}

function stateOf({ fault, lookedAt }: ChainView['state']): string {
  if (fault !== undefined) return 'FAILS'
  return lookedAt === undefined ? 'NEW' : 'WORKS'
}

function presentTransfer(transfer: StoredTransfer): AnswerItem<typeof ChainTransferListSchema> {
  const { txHash, ordinal, amount, currencyCode, address, payment, reference, state } = transfer
  return {
    ...{ transferNo: transfer.transferNo, txHash, ordinal, address, reference, state },
    money: { amount: rawAmount(amount), currencyCode },
    ...{ kind: payment.kind, idPayment: payment.idPayment },
    blockNumber: String(transfer.blockNumber),
    ...{ confirmations: transfer.confirmations, isElsewhere: transfer.isElsewhere },
    seenAt: transfer.seenAt.toISOString(),
    ...(transfer.bookedAt !== undefined && { bookedAt: transfer.bookedAt.toISOString() }),
  }
}

async function orRefuse<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ChainProblem)) throw error
    throw new Refusal('ENTITY_NOT_FOUND', { message: error.message })
  }
}
