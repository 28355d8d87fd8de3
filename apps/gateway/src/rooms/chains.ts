import { BankAccountProblem, ensureBankAccount } from '../modules/bank-accounts/index.ts'
import {
  accountNumberOf,
  CHAIN_MAPPING,
  ChainFault,
  type ChainService,
  type ChainWorker,
  createChainService,
  createChainWorker,
} from '../modules/chains/index.ts'
import type { StatementActs } from '../modules/statements/index.ts'
import { createOutboundClient, type TargetPolicy } from '../platform/outbound/index.ts'
import { type ConfiguredChain, readChains, withNodes } from './chain-settings.ts'
import type { Parts } from './parts.ts'

/** Chains on which customers pay: for operators who ask, and the worker that reads them. */
export interface Chains {
  readonly service: ChainService
  /** Undefined when there is no chain. */
  readonly worker: ChainWorker | undefined
}

/** Nodes are the operator's own choice and may well be in a private network; customers and merchants cannot name them. */
const NODE_POLICY: TargetPolicy = { httpsOnly: false, portsAllowed: 'any', allowPrivate: true }

/** Puts together what is read from chains. */
export function buildChains(
  parts: Parts,
  { statementActs }: { readonly statementActs: Pick<StatementActs, 'takeFromChannel'> },
): Chains {
  const { workerDb: db, log, metrics } = parts
  const configured = readChains(parts.config)
  const outbound = createOutboundClient({ policy: NODE_POLICY })
  const chains = configured.map((chain) => withNodes(chain, outbound))
  const service = createChainService({ db: parts.db, chains })
  if (chains.length === 0) return { service, worker: undefined }
  const worker = createChainWorker({
    ...{ db, log, metrics, chains },
    async prepare({ code }) {
      const found = configured.find(({ watched }) => watched.code === code)
      if (found !== undefined) await prepareAccounts(db, found)
    },
    async take({ fileName, text, actor }) {
      const bytes = Buffer.from(text)
      await statementActs.takeFromChannel({ fileName, bytes, actor, mapping: CHAIN_MAPPING })
    },
  })
  return {
    service,
    worker: {
      start: () => worker.start(),
      async stop() {
        await worker.stop()
        await outbound.close()
      },
    },
  }
}

/** The coins of a currency on a chain are an account of ours, to which the chain's statements belong. Throws ChainFault. */
async function prepareAccounts(
  db: Parts['db'],
  { watched, paid }: Pick<ConfiguredChain, 'watched' | 'paid'>,
): Promise<void> {
  for (const { currencyCode } of watched.assets)
    await ensureBankAccount(db, {
      code: `${watched.code}_${currencyCode}`,
      currencyCode,
      holder: 'Addresses of payments',
      bankName: paid.name,
      accountNumber: accountNumberOf(watched.chainId, currencyCode),
      bankCode: 'EVM',
      address: {},
      payoutFormat: undefined,
    }).catch((error: unknown) => {
      if (!(error instanceof BankAccountProblem)) throw error
      throw new ChainFault(
        'SETTINGS',
        `${error.message} Nothing is read until the catalogue has it: \`tollgate catalogue apply\`.`,
      )
    })
}
