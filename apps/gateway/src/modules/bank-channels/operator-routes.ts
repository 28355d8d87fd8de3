import {
  type AnswerItem,
  answers,
  BankChannelFileListSchema,
  BankChannelFilesQuery,
  BankChannelListSchema,
  BankChannelParams,
  BankChannelSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { answerPage, NUMBER_PLACE } from '../../http/paging.ts'
import { Refusal } from '../../platform/refusal.ts'
import { BankChannelProblem } from './errors.ts'
import type { ChannelFile } from './model.ts'
import type { BankChannelService, ChannelView } from './service.ts'

const operation = operatorOperationsOf('Statements')

/** Channels over which files are exchanged with banks: how they are, what they brought, and having one look at once. */
export function bankChannelOperatorRoutes(app: App, channels: BankChannelService): void {
  app.get(
    '/operator/bank-channels',
    operation('listBankChannels', 'statements.read', {
      summary: 'List the channels of banks, with what became of the latest look',
      response: { 200: BankChannelListSchema },
    }),
    async () => ({ data: (await channels.list()).map(presentChannel) }),
  )
  app.get(
    '/operator/bank-channels/:channelCode/files',
    operation('listBankChannelFiles', 'statements.read', {
      summary: 'List the files that a channel brought, the newest first',
      params: BankChannelParams,
      querystring: BankChannelFilesQuery,
      response: answers({ 200: BankChannelFileListSchema }, 410),
    }),
    ({ params: { channelCode: code }, query }) =>
      answerPage(query, {
        place: NUMBER_PLACE,
        list: (order) => orRefuse(channels.listFiles({ ...order, code })),
        placeOf: ({ fileNo }) => fileNo,
        present: presentFile,
      }),
  )
  app.post(
    '/operator/bank-channels/:channelCode/!look',
    operation('lookAtBankChannel', 'institutions.change', {
      summary: 'Poll a channel now, also one that has stopped',
      params: BankChannelParams,
      response: answers({ 200: BankChannelSchema }, 410),
    }),
    async ({ params }) => presentChannel(await orRefuse(channels.look(params.channelCode))),
  )
}

function presentChannel({ channel, state }: ChannelView): AnswerItem<typeof BankChannelListSchema> {
  const { fault, failures, lookedAt, succeededAt, waitingCount } = state
  return {
    code: channel.code,
    peer: channel.peer,
    hostKey: channel.hostKey,
    everySeconds: channel.everySeconds,
    state: stateOf(state),
    failures,
    ...(fault !== undefined && { fault: { ...fault, since: fault.since.toISOString() } }),
    ...(lookedAt !== undefined && { lookedAt: lookedAt.toISOString() }),
    ...(succeededAt !== undefined && { succeededAt: succeededAt.toISOString() }),
    waitingFiles: waitingCount,
  }
}

function stateOf({ isHalted, fault, lookedAt }: ChannelView['state']): string {
  if (isHalted) return 'STOPPED'
  if (fault !== undefined) return 'FAILS'
  return lookedAt === undefined ? 'NEW' : 'WORKS'
}

function presentFile({ channelCode: _, outcome, directory, fetchedAt, ...file }: ChannelFile) {
  return {
    ...file,
    ...(directory !== undefined && { directory }),
    fetchedAt: fetchedAt.toISOString(),
    ...(outcome !== undefined && { outcome }),
  }
}

async function orRefuse<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof BankChannelProblem)) throw error
    throw new Refusal('ENTITY_NOT_FOUND', { message: error.message })
  }
}
