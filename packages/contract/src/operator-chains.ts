import { Type } from 'typebox'
import { MoneySchema, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'

// The operator API: chains on which customers pay in coins and tokens.

const CHAIN_EXAMPLE = {
  code: 'BASE',
  chainId: '8453',
  nodes: ['rpc.one.example', 'rpc.two.example'],
  currencies: ['USDC'],
  everySeconds: 10,
  state: 'WORKS',
  failures: 0,
  lookedAt: '2026-11-28T18:04:11.093Z',
  succeededAt: '2026-11-28T18:04:12.511Z',
  headBlock: '38411022',
  scannedBlock: '38411022',
  waitingTransfers: 2,
  missingTransfers: 0,
}
const TRANSFER_EXAMPLE = {
  transferNo: '214',
  txHash: '0x8d8c7ab5c5ab7a4b7f6d1e3a9c2b4d6e8f0a1b3c5d7e9f1a2b4c6d8e0f2a4b6c',
  ordinal: 0,
  money: { amount: 25, currencyCode: 'USDC' },
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  kind: 'PAYIN',
  idPayment: 'ORD-1',
  reference: '7MZKQ2VTN4CX',
  state: 'SEEN',
  blockNumber: '38411019',
  confirmations: 12,
  isElsewhere: false,
  seenAt: '2026-11-28T18:04:11.093Z',
}

export const ChainParams = Type.Object({
  chainCode: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,15}$', examples: [CHAIN_EXAMPLE.code] }),
})
export const ChainTransfersQuery = PageQuery

export const ChainSchema = Type.Object(
  {
    code: Type.String(),
    chainId: Type.String(),
    nodes: Type.Array(Type.String(), { description: 'Hosts that are asked. All must say the same.' }),
    currencies: Type.Array(Type.String()),
    everySeconds: Type.Integer({ description: 'From one look to the next.' }),
    state: Type.String({ description: 'NEW: nobody has looked yet. WORKS. FAILS: it is tried again.' }),
    failures: Type.Integer({ description: 'In a row.' }),
    fault: Type.Optional(
      Type.Object(
        {
          kind: Type.String({
            description:
              'SETTINGS: a node or a token is another one than the settings say. UNREACHABLE: no answer. REFUSED: it answered no. DISAGREE: nodes say different things. REORGANISED: the chain is not the one that was read before.',
          }),
          message: Type.String(),
          since: TimestampSchema,
        },
        { title: 'ChainFault' },
      ),
    ),
    lookedAt: Type.Optional(TimestampSchema),
    succeededAt: Type.Optional(TimestampSchema),
    headBlock: Type.Optional(Type.String({ description: 'The last block that all nodes have.' })),
    scannedBlock: Type.Optional(Type.String({ description: 'Read to here.' })),
    waitingTransfers: Type.Integer({ description: 'Seen, with too few blocks on top of them.' }),
    missingTransfers: Type.Integer({ description: 'Booked, and the chain does not have them any more.' }),
  },
  { title: 'Chain', examples: [CHAIN_EXAMPLE] },
)

export const ChainListSchema = Type.Object(
  { data: Type.Array(ChainSchema) },
  { title: 'ChainList', examples: [{ data: [CHAIN_EXAMPLE] }] },
)

export const ChainTransferListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          transferNo: Type.String(),
          txHash: Type.String(),
          ordinal: Type.Integer({ description: 'Which transfer of the token in its transaction.' }),
          money: MoneySchema,
          address: Type.String(),
          kind: Type.String(),
          idPayment: Type.String(),
          reference: Type.String(),
          state: Type.String({
            description:
              'SEEN: in a block. BOOKED: it counts. GONE: its block was reorganised away before. MISSING: the same after it was booked.',
          }),
          blockNumber: Type.String(),
          confirmations: Type.Integer({ description: 'How many blocks it waits for, its own among them.' }),
          isElsewhere: Type.Boolean({ description: 'Its payment is to be paid on another chain.' }),
          seenAt: TimestampSchema,
          bookedAt: Type.Optional(TimestampSchema),
        },
        { title: 'ChainTransfer', examples: [TRANSFER_EXAMPLE] },
      ),
    ),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'ChainTransferList', examples: [{ data: [TRANSFER_EXAMPLE] }] },
)
