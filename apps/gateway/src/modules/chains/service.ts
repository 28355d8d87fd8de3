import type { Database } from '../../platform/database.ts'
import { ChainProblem } from './errors.ts'
import { askForCount, listHoldings } from './holdings/holdings-store.ts'
import type { KeptHoldings } from './holdings/model.ts'
import type { Chain, ChainState, StoredTransfer } from './model.ts'
import type { ChainPayout, ChainWallet } from './payouts/model.ts'
import { listNewestPayouts, listWallets } from './payouts/payout-store.ts'
import { askForLook, ensureChains, listChainStates, listNewest, type TransferPage } from './store.ts'

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
      ...{ code: chain.code, lookedAt: undefined, succeededAt: undefined, failures: 0, fault: undefined },
      ...{ headBlock: undefined, scannedBlock: undefined, waitingCount: 0, missingCount: 0 },
    },
  }))
}

const NOT_COUNTED: KeptHoldings = { counted: undefined, findingsSince: undefined, problem: undefined }

/** That of the settings; before the first payout it has no row. */
function walletOf({ code, payouts }: Chain, wallets: readonly ChainWallet[]): ChainWallet | undefined {
  if (payouts === undefined) return undefined
  const address = payouts.wallet
  return (
    wallets.find((wallet) => wallet.code === code && wallet.address === address) ?? {
      ...{ code, address, problem: undefined },
      ...{ queuedCount: 0, onItsWayCount: 0, troubledCount: 0 },
    }
  )
}
