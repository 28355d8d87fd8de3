import {
  askForLook,
  type BankChannelService,
  type ChannelWorker,
  createBankChannelService,
  createChannelWorker,
  ensureChannels,
  type Taker,
} from '../modules/bank-channels/index.ts'
import { createFailedDocuments } from '../modules/inbox/index.ts'
import {
  createOutgoingFiles,
  type FileChannels,
  PayoutFileProblem,
  type PayoutReportActs,
} from '../modules/payout-files/index.ts'
import { type CsvMapping, type StatementActs, StatementProblem } from '../modules/statements/index.ts'
import type { ConfiguredChannel } from './bank-channel-settings.ts'
import type { Parts } from './parts.ts'

/** Channels of banks: for operators who ask, and the worker that exchanges files. */
export interface BankChannels {
  readonly service: BankChannelService
  /** Undefined when there is no channel. */
  readonly worker: ChannelWorker | undefined
}

interface Rooms {
  readonly statementActs: Pick<StatementActs, 'takeFromChannel'>
  readonly reportActs: Pick<PayoutReportActs, 'takeFromChannel'>
}

/** Puts together what is exchanged with banks over channels of their own. */
export function buildBankChannels(
  parts: Parts,
  channels: readonly ConfiguredChannel[],
  { statementActs, reportActs }: Rooms,
): BankChannels {
  const { workerDb: db, secrets, log, metrics } = parts
  const service = createBankChannelService({ db: parts.db, channels })
  if (channels.length === 0) return { service, worker: undefined }
  const failed = createFailedDocuments({ secrets, db })
  const taker = (
    channel: 'STATEMENTS' | 'PAYOUT_REPORTS',
    rest: Pick<Taker, 'take' | 'isOfFile'>,
  ): Taker => ({
    ...rest,
    putAside: ({ fileName, bytes }, reason) => failed.putAside({ channel, fileName, reason, from: bytes }),
  })
  const worker = createChannelWorker({
    db,
    secrets,
    log,
    metrics,
    channels,
    outgoing: createOutgoingFiles({ db, secrets }),
    takers: {
      STATEMENTS: taker('STATEMENTS', {
        take: ({ channelCode, directory, ...file }) =>
          statementActs.takeFromChannel({ ...file, mapping: mappingOf(channels, channelCode, directory) }),
        isOfFile: (error): error is Error => error instanceof StatementProblem,
      }),
      PAYOUT_REPORTS: taker('PAYOUT_REPORTS', {
        take: (file) => reportActs.takeFromChannel(file),
        isOfFile: (error): error is Error => error instanceof PayoutFileProblem,
      }),
    },
  })
  return { service, worker }
}

/** How the CSV of a directory is read; undefined where the settings do not say it. */
const mappingOf = (
  channels: readonly ConfiguredChannel[],
  channelCode: string,
  directory: string | undefined,
): CsvMapping | undefined =>
  directory === undefined
    ? undefined
    : channels.find(({ code }) => code === channelCode)?.mappings.get(directory)

/** Which channel takes the files of which account, for the room that makes them. */
export function fileChannelsOf(
  channels: readonly Pick<ConfiguredChannel, 'code' | 'accounts'>[],
): FileChannels {
  return {
    codeFor: (accountCode) => channels.find(({ accounts }) => accounts.includes(accountCode))?.code,
    async wake(tx, channelCode) {
      await ensureChannels(tx, [channelCode])
      await askForLook(tx, channelCode, { isResumed: false })
    },
  }
}
