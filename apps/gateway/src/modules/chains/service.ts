import type { Database } from '../../platform/database.ts'
import { listPaymentsByWallet } from '../payments/index.ts'
import { ChainProblem } from './errors.ts'
import { askForCount, listHoldings } from './holdings/holdings-store.ts'
import type { KeptHoldings } from './holdings/model.ts'
import type { Chain, ChainState, StoredTransfer } from './model.ts'
import type { ChainPayout, ChainWallet } from './payouts/model.ts'
import { listNewestPayouts, listWallets } from './payouts/payout-store.ts'
import { askForLook, ensureChains, listChainStates, listNewest, type TransferPage } from './store.ts'
import type { StoredSweep, SweepTransaction } from './sweeps/model.ts'
import { openSweep, toSweepTransaction } from './sweeps/reading.ts'
import { insertSweeps, listNewestSweeps } from './sweeps/sweep-store.ts'

/** A chain as it is configured here, and how far it was read. */
export interface ChainView {
  readonly chain: Chain
  readonly state: ChainState
  /** Undefined where nothing is paid out. */
  readonly wallet: ChainWallet | undefined
  readonly holdings: KeptHoldings
}

/** What operators see of chains. Throws ChainProblem. */
export interface ChainService {
  list(): Promise<readonly ChainView[]>
  /** Coins that came to addresses of payments, the newest first. */
  listTransfers(page: TransferPage): Promise<readonly StoredTransfer[]>
  /** Payouts on a chain, the newest first. */
  listPayouts(page: TransferPage): Promise<readonly ChainPayout[]>
  /** What was last counted of what we have there, and what our rows say. */
  holdings(code: string): Promise<ChainView>
  /** Transactions that bring coins home, the newest first. */
  listSweeps(page: TransferPage): Promise<readonly StoredSweep[]>
  /**
   * Keeps signed transactions that bring coins home, to be given to nodes. All of them or none; those that are known change nothing.
   * Answers how many are new.
   */
  takeSweep(
    code: string,
    given: { readonly transactions: readonly string[]; readonly by: string },
  ): Promise<number>
  /** Has the next look come at once, and count. */
  look(code: string): Promise<ChainView>
}

export function createChainService({
  db,
  chains,
}: {
  readonly db: Database
  readonly chains: readonly Chain[]
}): ChainService {
  const list = () => listViews(db, chains)
  const require = async (code: string): Promise<ChainView> => {
    const found = (await list()).find(({ chain }) => chain.code === code)
    if (found !== undefined) return found
    throw new ChainProblem(
      `There is no chain ${code}: TOLLGATE_CHAINS_FILE names those that there are.`,
      'NOT_FOUND',
    )
  }
  return {
    list,
    async listTransfers(page) {
      await require(page.code)
      return listNewest(db, page)
    },
    async listPayouts(page) {
      await require(page.code)
      return listNewestPayouts(db, page)
    },
    holdings: require,
    async listSweeps(page) {
      await require(page.code)
      return listNewestSweeps(db, page)
    },
    async takeSweep(code, { transactions, by }) {
      const { chain } = await require(code)
      const read = await readSweep(db, chain, transactions)
      return db.transaction(async (tx) => {
        await ensureChains(tx, [code])
        const count = await insertSweeps(tx, code, { transactions: read, by })
        await askForLook(tx, code)
        return count
      })
    },
    async look(code) {
      await require(code)
      await ensureChains(db, [code])
      await askForCount(db, code)
      await askForLook(db, code)
      return require(code)
    },
  }
}

/** Chains of the settings; one that no worker has looked at yet has no state. */
async function listViews(db: Database, chains: readonly Chain[]): Promise<readonly ChainView[]> {
  if (chains.length === 0) return []
  const states = new Map((await listChainStates(db)).map((state) => [state.code, state]))
  const wallets = chains.some(({ payouts }) => payouts !== undefined) ? await listWallets(db) : []
  const holdings = await listHoldings(db)
  return chains.map((chain) => ({
    chain,
    holdings: holdings.get(chain.code) ?? NOT_COUNTED,
    wallet: walletOf(chain, wallets),
    state: states.get(chain.code) ?? {
      code: chain.code,
      lookedAt: undefined,
      succeededAt: undefined,
      failures: 0,
      fault: undefined,
      headBlock: undefined,
      scannedBlock: undefined,
      waitingCount: 0,
      missingCount: 0,
    },
  }))
}

/** What was signed, each transaction by whose address it is. Throws ChainProblem. */
async function readSweep(
  db: Database,
  chain: Chain,
  signed: readonly string[],
): Promise<readonly SweepTransaction[]> {
  if (chain.sweeps === undefined)
    throw new ChainProblem(
      `The settings of ${chain.code} must say where coins go (treasury) and in what the network is paid (coin).`,
      'CONFLICT',
    )
  const opened = signed.map((each, place) => openSweep(each, place, chain.chainId))
  const addresses = [...new Set(opened.flatMap(({ sender, to }) => [sender, to]))]
  const payments = new Map(
    (await listPaymentsByWallet(db, addresses)).map(({ address, reference }) => [address, reference]),
  )
  const reader = { chain, referenceOf: (address: string) => payments.get(address) }
  return opened.map((fields, place) =>
    toSweepTransaction(reader, fields, { signed: signed[place] ?? '', place }),
  )
}

const NOT_COUNTED: KeptHoldings = { counted: undefined, findingsSince: undefined, problem: undefined }

/** That of the settings; before the first payout it has no row. */
function walletOf({ code, payouts }: Chain, wallets: readonly ChainWallet[]): ChainWallet | undefined {
  if (payouts === undefined) return undefined
  const address = payouts.wallet
  return (
    wallets.find((wallet) => wallet.code === code && wallet.address === address) ?? {
      code,
      address,
      problem: undefined,
      queuedCount: 0,
      onItsWayCount: 0,
      troubledCount: 0,
    }
  )
}
