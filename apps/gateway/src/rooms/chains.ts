import { ensureBankAccount } from '../modules/bank-accounts/index.ts'
import {
  accountNumberOf,
  CHAIN_MAPPING,
  type ChainService,
  type ChainWorker,
  createChainPayoutDesk,
  createChainService,
  createChainWorker,
} from '../modules/chains/index.ts'
import { listPersonalData, openPersonalData, type PaymentKey } from '../modules/payments/index.ts'
import type { StatementActs } from '../modules/statements/index.ts'
import { createLargeAnswerClient } from '../platform/outbound/index.ts'
import type { PayoutDesk } from '../rails/rail.ts'
import { type ConfiguredChain, readChains, withNodes } from './chain-settings.ts'
import type { Parts } from './parts.ts'

/** Chains on which customers pay: for operators who ask, and the worker that reads them. */
export interface Chains {
  readonly service: ChainService
  /** Undefined when there is no chain. */
  readonly worker: ChainWorker | undefined
}

/** Puts together what is read from chains. */
export function buildChains(
  parts: Parts,
  { statementActs }: { readonly statementActs: Pick<StatementActs, 'takeFromChannel'> },
): Chains {
  const { workerDb: db, log, metrics } = parts
  const configured = readChains(parts.config)
  // Nodes are the operator's own choice and may well be in a private network; customers and merchants cannot name them.
  const client = createLargeAnswerClient()
  const chains = configured.map((chain) => withNodes(chain, { client, clock: parts.clock }))
  const service = createChainService({ db: parts.db, chains })
  if (chains.length === 0) return { service, worker: undefined }
  const worker = createChainWorker({
    db,
    log,
    metrics,
    chains,
    ids: parts.ids,
    payeeOf: payeeReader(parts),
    prepare: accountKeeper(db, configured),
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
        await client.close()
      },
    },
  }
}

/** Where the rail keeps payouts that are to leave by chains. */
export function buildChainPayouts({ config, workerDb: db }: Pick<Parts, 'config' | 'workerDb'>): PayoutDesk {
  const secrets = new Map(readChains(config).map(({ paid, payouts }) => [paid.code, payouts?.secret]))
  return createChainPayoutDesk({
    db,
    secretFor(code) {
      const secret = secrets.get(code)
      if (secret === undefined) throw new Error(`nothing is paid out on ${code}`)
      return secret
    },
  })
}

/** Whom payouts go to is with their payments, sealed. */
function payeeReader({
  workerDb,
  secrets,
}: Pick<Parts, 'workerDb' | 'secrets'>): (payment: PaymentKey) => Promise<string | undefined> {
  return async (payment) => {
    const sealed = (await listPersonalData(workerDb, [payment])).find(({ source }) => source === 'REQUEST')
    return sealed && openPersonalData(secrets, payment, sealed).accountNumber
  }
}

/** The coins of a currency on a chain are an account of ours, to which the chain's statements belong. Made once, and asked for until then. */
function accountKeeper(
  db: Parts['db'],
  configured: readonly ConfiguredChain[],
): (chain: { readonly code: string }) => Promise<ReadonlySet<string>> {
  const ready = new Map(configured.map(({ watched }) => [watched.code, new Set<string>()]))
  return async ({ code }) => {
    const made = ready.get(code) ?? new Set<string>()
    const chain = configured.find(({ watched }) => watched.code === code)
    for (const { currencyCode } of chain?.watched.assets ?? [])
      if (chain !== undefined && !made.has(currencyCode) && (await makeAccount(db, chain, currencyCode)))
        made.add(currencyCode)
    return made
  }
}

/** False where the catalogue does not have the currency. */
async function makeAccount(
  db: Parts['db'],
  { watched, paid }: ConfiguredChain,
  currencyCode: string,
): Promise<boolean> {
  return ensureBankAccount(db, {
    code: `${watched.code}_${currencyCode}`,
    currencyCode,
    holder: 'Addresses of payments',
    bankName: paid.name,
    accountNumber: accountNumberOf(watched.chainId, currencyCode),
    bankCode: 'EVM',
    address: {},
    payoutFormat: undefined,
  })
}
