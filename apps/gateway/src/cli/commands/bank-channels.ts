import type {
  BankChannelFileListSchema,
  BankChannelListSchema,
  BankChannelSchema,
  Printed,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { get, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { LIMIT } from './options.ts'

type Channel = Printed<typeof BankChannelSchema>

const DIGEST_SHOWN = 12

const list = clientCommand({
  command: 'list',
  says: 'list the channels with the result of the latest poll',
  permission: 'statements.read',
  asks: () => get('/operator/bank-channels'),
  shows: ({ data }: Printed<typeof BankChannelListSchema>, pen) => ({
    text: pen.table(
      ['CHANNEL', 'WITH', 'STATE', 'LOOKED', 'SUCCEEDED', 'FAILURES', 'WAITING'],
      data.map((channel) => [
        channel.code,
        channel.peer,
        channel.state,
        pen.momentOf(channel.lookedAt) ?? '',
        pen.momentOf(channel.succeededAt) ?? '',
        String(channel.failures),
        String(channel.waitingFiles),
      ]),
      'No channels: TOLLGATE_BANK_CHANNELS_FILE names none.',
    ),
    notes: data.flatMap((channel) => faultOf(channel, pen)),
  }),
})

const files = clientCommand({
  command: 'files <channel>',
  says: 'list the files received over a channel, the newest first',
  options: [LIMIT],
  permission: 'statements.read',
  asks: ({ channel }, { limit }: OperatorOptions & { readonly limit: number }) => ({
    method: 'GET',
    path: pathOf`/operator/bank-channels/${channelCode(channel)}/files`,
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof BankChannelFileListSchema>, pen) =>
    pen.table(
      ['FILE', 'FETCHED', 'HOLDS', 'NAME', 'BYTES', 'SHA-256', 'OUTCOME'],
      data.map((file) => [
        file.fileNo,
        pen.momentOf(file.fetchedAt),
        file.holds,
        file.fileName,
        String(file.byteCount),
        file.sha256.slice(0, DIGEST_SHOWN),
        file.outcome ?? 'not yet',
      ]),
      'No files.',
    ),
})

const look = clientCommand({
  command: 'look <channel>',
  says: 'poll a channel now, also one that has stopped',
  permission: 'institutions.change',
  isByName: true,
  asks: ({ channel }) => post(pathOf`/operator/bank-channels/${channelCode(channel)}/!look`),
  shows: (channel: Channel, pen) => ({
    text: `${channel.code} looks within seconds; \`tollgate bank-channels list\` shows what becomes of it.`,
    notes: faultOf(channel, pen),
  }),
})

const faultOf = ({ code, fault }: Channel, pen: Pen): readonly string[] =>
  fault === undefined ? [] : [`${code}, ${fault.kind} since ${pen.momentOf(fault.since)}: ${fault.message}`]

/** Channels over which files are exchanged with banks. */
export function addBankChannelCommands(program: Command, shell: Shell): void {
  const channels = program
    .command('bank-channels')
    .description('channels over which files are exchanged with banks')
  for (const command of [list, files, look]) command.addTo(channels, shell)
}

function channelCode(text: string): string {
  const code = text.toUpperCase()
  if (/^[A-Z][A-Z0-9_-]{0,31}$/.test(code)) return code
  throw new CommandFailure(
    'USAGE',
    `A channel's code looks like MYBANK; \`tollgate bank-channels list\` shows them. This is ${JSON.stringify(text)}.`,
  )
}
