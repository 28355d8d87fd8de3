import type { Database } from '../../platform/database.ts'
import { ChainProblem } from './errors.ts'
import type { Chain, ChainState, StoredTransfer } from './model.ts'
import { askForLook, ensureChains, listChainStates, listNewest, type TransferPage } from './store.ts'

/** A chain as it is configured here, and how far it was read. */
export interface ChainView {
  readonly chain: Chain
  readonly state: ChainState
}

/** What operators see of chains. Throws ChainProblem. */
export interface ChainService {
  list(): Promise<readonly ChainView[]>
  /** Coins that came to addresses of payments, the newest first. */
  listTransfers(page: TransferPage): Promise<readonly StoredTransfer[]>
  /** Has the next look come at once. */
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
    async look(code) {
      await require(code)
      await ensureChains(db, [code])
      await askForLook(db, code)
      return require(code)
    },
  }
}

/** Chains of the settings; one that no worker has looked at yet has no state. */
async function listViews(db: Database, chains: readonly Chain[]): Promise<readonly ChainView[]> {
  if (chains.length === 0) return []
  const states = new Map((await listChainStates(db)).map((state) => [state.code, state]))
  return chains.map((chain) => ({
    chain,
    state: states.get(chain.code) ?? {
      ...{ code: chain.code, lookedAt: undefined, succeededAt: undefined, failures: 0, fault: undefined },
      ...{ headBlock: undefined, scannedBlock: undefined, waitingCount: 0, missingCount: 0 },
    },
  }))
}
