import { Type } from 'typebox'
import { TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'

// The operator API: channels over which files are exchanged with banks.

const CHANNEL_EXAMPLE = {
  code: 'MYBANK',
  peer: 'acme@sftp.bank.example:22',
  hostKey: 'SHA256:q5tI0UhwPd1KXhTxC0ciZkxkq0UcC2Tg0pD7IhUuq0E',
  everySeconds: 300,
  state: 'WORKS',
  failures: 0,
  lookedAt: '2026-11-27T18:04:11.093Z',
  succeededAt: '2026-11-27T18:04:12.511Z',
  waitingFiles: 0,
}
const FILE_EXAMPLE = {
  fileNo: '17',
  holds: 'STATEMENTS',
  directory: '/out/statements',
  fileName: '2026-11-27.camt053.xml',
  sha256: '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea',
  byteCount: 5120,
  fetchedAt: '2026-11-27T18:04:12.093Z',
  outcome: 'TAKEN',
}

export const BankChannelParams = Type.Object({
  channelCode: Type.String({ pattern: '^[A-Z][A-Z0-9_-]{0,31}$', examples: [CHANNEL_EXAMPLE.code] }),
})
export const BankChannelFilesQuery = PageQuery

export const BankChannelSchema = Type.Object(
  {
    code: Type.String(),
    peer: Type.String({ description: 'Whom it is connected with.' }),
    hostKey: Type.String({ description: 'The fingerprint of the host key that the bank must show.' }),
    everySeconds: Type.Integer({ description: 'From one look to the next.' }),
    state: Type.String({
      description:
        'NEW: nobody has looked yet. WORKS. FAILS: it is tried again. STOPPED: nothing is tried until somebody asks for a look, or the settings change.',
    }),
    failures: Type.Integer({ description: 'In a row.' }),
    fault: Type.Optional(
      Type.Object(
        {
          kind: Type.String({
            description:
              'HOST_KEY: the server is another one. SIGN_IN: it does not let us in. UNREACHABLE: no answer. REFUSED: it answered no. FILE: one file is wrong.',
          }),
          message: Type.String(),
          since: TimestampSchema,
        },
        { title: 'BankChannelFault' },
      ),
    ),
    lookedAt: Type.Optional(TimestampSchema),
    succeededAt: Type.Optional(TimestampSchema),
    waitingFiles: Type.Integer({ description: 'Fetched, and not handed on yet.' }),
  },
  { title: 'BankChannel', examples: [CHANNEL_EXAMPLE] },
)

export const BankChannelListSchema = Type.Object(
  { data: Type.Array(BankChannelSchema) },
  { title: 'BankChannelList', examples: [{ data: [CHANNEL_EXAMPLE] }] },
)

export const BankChannelFileListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          fileNo: Type.String(),
          holds: Type.String({ description: 'STATEMENTS or PAYOUT_REPORTS.' }),
          directory: Type.Optional(Type.String({ description: 'Where it lay at the bank.' })),
          fileName: Type.String(),
          sha256: Type.String(),
          byteCount: Type.Integer(),
          fetchedAt: TimestampSchema,
          outcome: Type.Optional(
            Type.String({
              description:
                'TAKEN: its lines or entries are there. ASIDE: it could not be taken, and is among the failed documents. Absent: it is taken soon.',
            }),
          ),
        },
        { title: 'BankChannelFile', examples: [FILE_EXAMPLE] },
      ),
    ),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'BankChannelFileList', examples: [{ data: [FILE_EXAMPLE] }] },
)
