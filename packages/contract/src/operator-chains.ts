import { Type } from 'typebox'
import { AmountSchema, MoneySchema, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import type { WireAmount } from './wire.ts'

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
  wallet: {
    address: '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984',
    queuedPayouts: 0,
    sentPayouts: 1,
    stuckPayouts: 0,
  },
}
const PAYOUT_EXAMPLE = {
  payoutNo: '88',
  idPayment: 'OUT-1',
  kind: 'PAYOUT',
  reference: '7MZKQ2VTN4CX',
  money: { amount: 25, currencyCode: 'USDC' },
  state: 'PAID',
  nonce: '112',
  txHash: '0x8d8c7ab5c5ab7a4b7f6d1e3a9c2b4d6e8f0a1b3c5d7e9f1a2b4c6d8e0f2a4b6c',
  blockNumber: '38411019',
  networkFee: '0.000001092',
  takenAt: '2026-11-28T18:04:11.093Z',
  endedAt: '2026-11-28T18:05:31.911Z',
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
    wallet: Type.Optional(
      Type.Object(
        {
          address: Type.String({ description: 'From which payouts leave.' }),
          problem: Type.Optional(Type.String({ description: 'Why nothing leaves at present.' })),
          problemSince: Type.Optional(TimestampSchema),
          queuedPayouts: Type.Integer({ description: 'Nothing was signed for them yet.' }),
          sentPayouts: Type.Integer({ description: 'Nodes may have a transaction of them.' }),
          stuckPayouts: Type.Integer({ description: 'Of both: with a problem of their own.' }),
        },
        { title: 'ChainWallet', description: 'Absent where nothing is paid out.' },
      ),
    ),
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
          txHash: Type.Optional(
            Type.String({
              description:
                "Absent for the chain's own coin where a contract gave it: blocks do not say by which transaction.",
            }),
          ),
          ordinal: Type.Integer({
            description:
              'Which transfer of the token in its transaction, or which of those without one at the address.',
          }),
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

const HOLDINGS_EXAMPLE = {
  countedAt: '2026-11-28T18:00:02.120Z',
  blockNumber: '38411022',
  assets: [
    {
      currencyCode: 'USDC',
      booked: 1280.5,
      waiting: 25,
      addressCount: 41,
      atAddresses: 905.5,
      swept: 7100,
      inWallet: 400,
      inTreasury: 6000,
    },
  ],
  coin: { amount: 0.41, currencyCode: 'ETH' },
  findings: [],
}

export const ChainHoldingsSchema = Type.Object(
  {
    countedAt: Type.Optional(TimestampSchema),
    blockNumber: Type.Optional(Type.String({ description: 'All amounts are those at this block.' })),
    assets: Type.Array(
      Type.Object(
        {
          currencyCode: Type.String(),
          booked: Type.Unsafe<WireAmount>({
            ...AmountSchema,
            description: 'Arrived and booked, without what payouts paid: for so much the books answer.',
          }),
          waiting: Type.Unsafe<WireAmount>({
            ...AmountSchema,
            description: 'Arrived, with too few blocks on top of it.',
          }),
          addressCount: Type.Integer({ description: 'Addresses of payments that have some.' }),
          atAddresses: Type.Unsafe<WireAmount>({ ...AmountSchema, description: 'What they have in all.' }),
          swept: Type.Unsafe<WireAmount>({
            ...AmountSchema,
            description: 'Went from addresses of payments to the treasury or the wallet.',
          }),
          inWallet: Type.Optional(
            Type.Unsafe<WireAmount>({ ...AmountSchema, description: 'Absent where nothing is paid out.' }),
          ),
          inTreasury: Type.Optional(
            Type.Unsafe<WireAmount>({ ...AmountSchema, description: 'Absent where the settings name none.' }),
          ),
        },
        { title: 'HeldAsset' },
      ),
    ),
    coin: Type.Optional(
      Type.Object(
        { amount: AmountSchema, currencyCode: Type.String() },
        { title: 'ChainCoin', description: "Of the chain's own coin, in the wallet of payouts." },
      ),
    ),
    findings: Type.Array(Type.String(), {
      description: 'What does not agree, a sentence each: coins that left, or that no block told of.',
    }),
    findingsSince: Type.Optional(TimestampSchema),
    problem: Type.Optional(Type.String({ description: 'Why there is no newer count.' })),
    problemSince: Type.Optional(TimestampSchema),
  },
  { title: 'ChainHoldings', examples: [HOLDINGS_EXAMPLE] },
)

const SWEEP_EXAMPLE = {
  transactionNo: '12',
  txHash: '0x8d8c7ab5c5ab7a4b7f6d1e3a9c2b4d6e8f0a1b3c5d7e9f1a2b4c6d8e0f2a4b6c',
  step: 'MOVE',
  reference: '7MZKQ2VTN4CX',
  state: 'DONE',
  nonce: '0',
  blockNumber: '38411019',
  networkFee: '0.000001092',
  givenBy: 'operator:fina',
  givenAt: '2026-11-28T18:04:11.093Z',
  endedAt: '2026-11-28T18:05:31.911Z',
}

export const SweepSchema = Type.Object(
  {
    transactions: Type.Array(Type.String({ pattern: '^0x[0-9a-f]+$', maxLength: 2048 }), {
      minItems: 1,
      maxItems: 200,
      description: 'As `tollgate signer sweep` signed them.',
      examples: [['0x02f86b0180']],
    }),
  },
  { title: 'Sweep', additionalProperties: false },
)
export const SweepTakenSchema = Type.Object(
  { transactions: Type.Integer(), new: Type.Integer({ description: 'Those that were not known yet.' }) },
  { title: 'SweepTaken', examples: [{ transactions: 2, new: 2 }] },
)

export const ChainSweepListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          transactionNo: Type.String(),
          txHash: Type.String(),
          step: Type.String({
            description:
              'FUND: gives the address of a payment coins to pay the network with. MOVE: brings what it has home.',
          }),
          reference: Type.String({ description: 'Of the payment whose address it is.' }),
          state: Type.String({
            description:
              'WAITING: no block that counts has it. DONE. FAILED: the token refused it. SUPERSEDED: another transaction used its nonce.',
          }),
          nonce: Type.String(),
          problem: Type.Optional(Type.String({ description: 'What nodes say against it.' })),
          blockNumber: Type.Optional(Type.String()),
          networkFee: Type.Optional(Type.String({ description: "In the chain's own coin." })),
          givenBy: Type.String(),
          givenAt: TimestampSchema,
          endedAt: Type.Optional(TimestampSchema),
        },
        { title: 'ChainSweep', examples: [SWEEP_EXAMPLE] },
      ),
    ),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'ChainSweepList', examples: [{ data: [SWEEP_EXAMPLE] }] },
)

export const ChainPayoutListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          payoutNo: Type.String(),
          kind: Type.String(),
          idPayment: Type.String(),
          reference: Type.String(),
          money: MoneySchema,
          state: Type.String({
            description:
              'QUEUED: nothing was signed. NUMBERED: it has its nonce. SENT: a transaction is signed, and nodes may have it. PAID, FAILED: told by a block that counts; FAILED without a transaction: the signer does not allow it. DECIDED: people said what became of its payment before the chain did.',
          }),
          isUnclear: Type.Optional(
            Type.Boolean({
              description:
                'What the chain says of it cannot be understood: find out, and decide it in the reviews.',
            }),
          ),
          problem: Type.Optional(Type.String({ description: 'Why it does not go on, or why it failed.' })),
          nonce: Type.Optional(
            Type.String({ description: 'All its transactions have it: at most one is ever in a block.' }),
          ),
          txHash: Type.Optional(Type.String({ description: 'Of the transaction that is in a block.' })),
          blockNumber: Type.Optional(Type.String()),
          networkFee: Type.Optional(Type.String({ description: "In the chain's own coin." })),
          takenAt: TimestampSchema,
          endedAt: Type.Optional(TimestampSchema),
        },
        { title: 'ChainPayout', examples: [PAYOUT_EXAMPLE] },
      ),
    ),
    nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  },
  { title: 'ChainPayoutList', examples: [{ data: [PAYOUT_EXAMPLE] }] },
)
