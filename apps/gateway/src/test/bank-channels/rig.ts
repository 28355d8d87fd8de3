import { createLog } from '@tollgate/runtime/log'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import {
  type BankChannel,
  type ChannelState,
  type ChannelWorker,
  createBankChannelService,
  createChannelWorker,
  type OutgoingFiles,
  type Taker,
} from '../../modules/bank-channels/index.ts'
import type { Bank } from '../../modules/bank-channels/test/bank.ts'
import { createFailedDocuments } from '../../modules/inbox/index.ts'
import type { Database } from '../../platform/database.ts'
import { createMetrics, type Metrics } from '../../platform/metrics.ts'
import type { Secrets } from '../../platform/secrets.ts'

const NOTHING_GOES: OutgoingFiles = {
  list: async () => [],
  begin: async () => undefined,
  releasing: async () => false,
  read: () => Promise.reject(new Error('nothing is on its way')),
  released: async () => undefined,
  unclear: async () => undefined,
}
const NOBODY: Taker = {
  take: () => Promise.reject(new Error('nobody takes it')),
  isOfFile: (error): error is Error => error === undefined,
  putAside: async () => undefined,
}

interface ChannelGiven extends Partial<BankChannel> {
  readonly take?: Taker['take']
  readonly isOfFile?: Taker['isOfFile']
  readonly outgoing?: OutgoingFiles
  readonly leaseSeconds?: number
  readonly log?: Parameters<typeof createLog>[0]
  readonly metrics?: Metrics
}

/** A channel of the bank, by default with one directory of statements, which are archived. */
export function channelOf(bank: Bank, given: Partial<BankChannel> = {}): BankChannel {
  return {
    code: 'MYBANK',
    peer: 'acme@bank',
    hostKey: bank.server.hostKey,
    everySeconds: 0,
    settingsDigest: 'settings',
    sources: [
      {
        directory: '/out',
        holds: 'STATEMENTS',
        names: '*',
        marker: undefined,
        afterwards: { kind: 'DELETE' },
      },
    ],
    target: { directory: '/in', stagingDirectory: undefined },
    driver: bank.driver(),
    ...given,
  }
}

/** A worker of one channel that is in a hurry, and stops with the test at the latest. */
export function startWorker(
  t: TestLife,
  { db, secrets }: { readonly db: Database; readonly secrets: Secrets },
  { channel, ...given }: ChannelGiven & { readonly channel: BankChannel },
): ChannelWorker {
  const failed = createFailedDocuments({ db, secrets })
  const statements: Taker = {
    take: given.take ?? NOBODY.take,
    isOfFile: given.isOfFile ?? NOBODY.isOfFile,
    putAside: ({ fileName, bytes }, reason) =>
      failed.putAside({ channel: 'STATEMENTS', fileName, reason, from: bytes }),
  }
  const worker = createChannelWorker({
    db,
    secrets,
    channels: [channel],
    outgoing: given.outgoing ?? NOTHING_GOES,
    takers: { STATEMENTS: statements, PAYOUT_REPORTS: NOBODY },
    metrics: given.metrics ?? createMetrics(),
    log: createLog(given.log ?? { level: 'silent' }),
    pollMs: 5,
    askAgainMs: 5,
    settleSeconds: 0,
    ...(given.leaseSeconds !== undefined && { leaseSeconds: given.leaseSeconds }),
  })
  t.after(() => worker.stop())
  worker.start()
  return worker
}

/** What operators see of the channel. */
export async function stateOf(db: Database, channel: BankChannel): Promise<ChannelState> {
  const [view] = await createBankChannelService({ db, channels: [channel] }).list()
  if (view === undefined) throw new Error('there is no channel')
  return view.state
}

const PATIENCE_MS = 20_000

export const until = (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> =>
  waitUntil(isSo, { timeoutMs: PATIENCE_MS, what })
