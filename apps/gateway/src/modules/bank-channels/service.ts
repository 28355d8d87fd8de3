import type { Database } from '../../platform/database.ts'
import { BankChannelProblem } from './errors.ts'
import type { BankChannel } from './link.ts'
import type { ChannelFile, ChannelState } from './model.ts'
import { askForLook, type ChannelFilePage, ensureChannels, listChannelStates, listFiles } from './store.ts'

/** A channel as it is configured here, and what became of it. */
export interface ChannelView {
  readonly channel: BankChannel
  readonly state: ChannelState
}

/** What operators see of channels and do with them. Throws BankChannelProblem. */
export interface BankChannelService {
  list(): Promise<readonly ChannelView[]>
  /** Files that it brought, the newest first. */
  listFiles(page: ChannelFilePage): Promise<readonly ChannelFile[]>
  /** Has the next look come at once, also after the channel has stopped. */
  look(code: string): Promise<ChannelView>
}

export function createBankChannelService(deps: {
  readonly db: Database
  readonly channels: readonly BankChannel[]
}): BankChannelService {
  const list = () => listViews(deps.db, deps.channels)
  const require = async (code: string): Promise<ChannelView> => {
    const found = (await list()).find(({ channel }) => channel.code === code)
    if (found !== undefined) return found
    throw new BankChannelProblem(
      `There is no channel ${code}: TOLLGATE_BANK_CHANNELS_FILE names those that there are.`,
      'NOT_FOUND',
    )
  }
  return {
    list,
    async listFiles(page) {
      await require(page.code)
      return listFiles(deps.db, page)
    },
    async look(code) {
      await require(code)
      await ensureChannels(deps.db, [code])
      await askForLook(deps.db, code, { isResumed: true })
      return require(code)
    },
  }
}

/** Channels of the settings; one that no worker has looked at yet has no state. */
async function listViews(db: Database, channels: readonly BankChannel[]): Promise<readonly ChannelView[]> {
  if (channels.length === 0) return []
  const states = new Map((await listChannelStates(db)).map((state) => [state.code, state]))
  return channels.map((channel) => {
    const found = states.get(channel.code)
    const { haltedSettings, ...state } = found ?? {
      code: channel.code,
      lookedAt: undefined,
      succeededAt: undefined,
      failures: 0,
      fault: undefined,
      waitingCount: 0,
      haltedSettings: undefined,
    }
    return { channel, state: { ...state, isHalted: haltedSettings === channel.settingsDigest } }
  })
}
