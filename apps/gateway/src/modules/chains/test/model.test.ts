import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { confirmationsFor, numberTransfers, retrySeconds, type WatchedAsset } from '../model.ts'
import type { TokenTransfer } from '../node.ts'
import { chainStatement } from '../statement.ts'

const TOKEN = `0x${'a0'.repeat(20)}`
const ASSET: WatchedAsset = {
  currencyCode: 'USDC',
  token: TOKEN.toUpperCase().replace('0X', '0x'),
  decimals: 6,
  confirmations: [
    { upTo: parsePlainAmount('100'), blocks: 3 },
    { upTo: parsePlainAmount('1000'), blocks: 12 },
    { upTo: undefined, blocks: 60 },
  ],
}

const transfer = (given: Partial<TokenTransfer>): TokenTransfer => ({
  token: TOKEN,
  from: '0x01',
  to: '0x02',
  units: 1n,
  txHash: '0xaa',
  logIndex: 0,
  blockNumber: 1,
  blockHash: '0xbb',
  ...given,
})

test('the larger the amount, the more blocks it waits for; a bound is included', () => {
  const blocks = ['0.000001', '100', '100.000001', '1000', '1000.000001', '99999999'].map((amount) =>
    confirmationsFor(ASSET, parsePlainAmount(amount)),
  )
  assert.deepEqual(blocks, [3, 3, 12, 12, 60, 60])
})

test('transfers are numbered within their transaction and token, whatever else the block holds and in whatever order they come', () => {
  const numbered = numberTransfers(
    [ASSET],
    [
      transfer({ logIndex: 9, units: 3n }),
      transfer({ logIndex: 2, units: 1n }),
      transfer({ logIndex: 5, units: 0n }),
      transfer({ logIndex: 4, token: `0x${'ee'.repeat(20)}` }),
      transfer({ logIndex: 1, txHash: '0xcc', units: 4n }),
    ],
  )
  assert.deepEqual(
    numbered.map(({ txHash, ordinal, amount }) => [txHash, ordinal, amount]),
    [
      ['0xcc', 0, '0.000004'],
      ['0xaa', 0, '0.000001'],
      ['0xaa', 2, '0.000003'],
    ],
  )
})

test('a statement names the payment where it is awaited, and nobody where it is not', () => {
  const final = {
    txHash: '0xaa',
    ordinal: 1,
    currencyCode: 'USDC',
    amount: parsePlainAmount('1.5'),
    address: '0xdd',
    payment: { merchantId: '1', kind: 'PAYIN', idPayment: 'A' } as const,
    reference: '7MZKQ2VTN4CX',
    isElsewhere: false,
    confirmations: 3,
    blockNumber: 5,
    blockHash: '0xbb',
    from: '0xee',
    bookedOn: '2026-11-28',
  }
  assert.deepEqual(chainStatement(8453, [final, { ...final, isElsewhere: true }]).split('\n'), [
    'account,booked,amount,currency,transfer,reference,from,note',
    'EVM8453USDC,2026-11-28,1.5,USDC,0xaa-1,7MZKQ2VTN4CX,0xee,',
    'EVM8453USDC,2026-11-28,1.5,USDC,0xaa-1,,0xee,to 0xdd which is awaited on another chain',
    '',
  ])
})

test('a chain that fails is tried again, less often, and never later than in a minute', () => {
  assert.deepEqual(
    [1, 2, 3, 50].map((failures) => retrySeconds(failures, 10)),
    [10, 20, 40, 60],
  )
})
