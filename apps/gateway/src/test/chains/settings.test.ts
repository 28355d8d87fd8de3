import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError } from '../../config.ts'
import { ACCOUNT_XPRV, ACCOUNT_XPUB } from '../../rails/evm/test/keys.ts'
import { chainSecretFiles, readChains } from '../../rooms/chain-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-chains-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const TOKEN = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const USDC = { currencyCode: 'USDC', token: TOKEN, decimals: 6, confirmations: [{ blocks: 12 }] }
const BASE = {
  code: 'BASE',
  name: 'Base',
  chainId: 8453,
  xpub: ACCOUNT_XPUB,
  methods: ['USDC_BASE'],
  rpc: ['https://one.example/KEY', 'https://two.example/KEY'],
  assets: [USDC],
}
const OTHER = { ...BASE, code: 'OTHER', chainId: 1, methods: ['USDC_ETHEREUM'] }

function read(content: unknown, isLive = true) {
  const file = join(folder, 'chains.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readChains({ TOLLGATE_CHAINS_FILE: file, isLive })
}

test('the file gives the chains, with what is usual where it says nothing; without the setting there are none', () => {
  const [base, other] = read([BASE, { ...OTHER, everySeconds: 2, rangeBlocks: 10, startBlock: 7 }])
  assert.ok(base && other)
  assert.deepEqual(
    [base.watched.everySeconds, base.watched.rangeBlocks, base.watched.startBlock],
    [10, 500, undefined],
  )
  assert.deepEqual(
    [other.watched.everySeconds, other.watched.rangeBlocks, other.watched.startBlock],
    [2, 10, 7],
  )
  assert.equal(base.paid.assets.get('USDC')?.decimals, 6)
  assert.match(base.paid.addresses.addressOf('7MZKQ2VTN4CX'), /^0x[0-9A-Fa-f]{40}$/)
  assert.deepEqual(readChains({ isLive: true }), [])
})

test("the chain's own coin is an asset without a contract, and then the network is paid in it", () => {
  const eth = { ...USDC, currencyCode: 'ETH', token: 'coin', decimals: 18 }
  const [base] = read([{ ...BASE, assets: [USDC, eth] }])
  assert.deepEqual(base?.coin, { currencyCode: 'ETH', decimals: 18 })
  assert.equal(base.paid.assets.get('ETH')?.token, 'coin')
})

test('one node is enough in a sandbox, and no secret way to it is needed', () => {
  assert.equal(read([{ ...BASE, rpc: ['http://10.0.0.1:8545'] }], false).length, 1)
})

const PAYOUTS = {
  signerSocket: 's.sock',
  secretFile: 'secret',
  wallet: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  coin: { currencyCode: 'ETH', decimals: 18 },
  maxFeePerGasGwei: '1.5',
}
writeFileSync(join(folder, 'secret'), Buffer.alloc(32, 1).toString('base64'))
writeFileSync(join(folder, 'short'), 'c2hvcnQ=')
const paying = (more: object) => [{ ...BASE, payouts: { ...PAYOUTS, ...more } }]

test('payouts leave by the wallet and the signer that the file names, with files beside it', () => {
  const [base] = read(paying({}))
  const payouts = base?.payouts
  assert.ok(payouts)
  assert.deepEqual(
    [payouts.signerSocket, payouts.wallet, payouts.maxFeePerGas, payouts.gasLimit, payouts.raiseAfterSeconds],
    [join(folder, 's.sock'), PAYOUTS.wallet.toLowerCase(), 1_500_000_000n, 120_000n, 120],
  )
  assert.equal(base.paid.wallet, payouts.wallet)
  const file = join(folder, 'chains.json')
  assert.deepEqual(chainSecretFiles({ TOLLGATE_CHAINS_FILE: file, isLive: true }), [
    file,
    join(folder, 'secret'),
  ])
})

const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ['no JSON', '{', /no JSON/],
  ['no list', {}, /the file must be array/],
  ['a member that is missing', [{ ...BASE, xpub: undefined }], /\[0\]\.xpub is missing/],
  ['a member that does not exist', [{ ...BASE, xprv: 'x' }], /\[0\]\.xprv is not a setting of a chain/],
  [
    'a code of another form',
    [{ ...BASE, code: 'my chain' }],
    /\[0\]\.code has characters that are not allowed/,
  ],
  [
    'a wallet with a wrong letter',
    paying({ wallet: PAYOUTS.wallet.replace('71C7', '71c7') }),
    /\[0\]\.payouts\.wallet must be .*EIP-55/,
  ],
  [
    'a secret that is not there',
    paying({ secretFile: 'none' }),
    /\[0\]\.payouts\.secretFile names .*none, which does not exist/,
  ],
  [
    'a secret that is too short',
    paying({ secretFile: 'short' }),
    /\[0\]\.payouts\.secretFile names .*at least 32 bytes/,
  ],
  [
    'a socket with too long a name',
    paying({ signerSocket: 's'.repeat(120) }),
    /signerSocket: .*longer than the 103 bytes/,
  ],
  ['payouts without a coin', paying({ coin: undefined }), /\[0\]\.payouts\.coin is missing/],
  ['a key that can spend', [{ ...BASE, xpub: ACCOUNT_XPRV }], /\[0\]\.xpub: this is a private key.*burnt/],
  [
    'a key with a wrong letter',
    [{ ...BASE, xpub: `${ACCOUNT_XPUB.slice(0, -1)}1` }],
    /\[0\]\.xpub: this is no extended/,
  ],
  ['one node alone in live', [{ ...BASE, rpc: ['https://one.example'] }], /two different hosts in live/],
  [
    'one host twice in live',
    [{ ...BASE, rpc: ['https://one.example/a', 'https://one.example/b'] }],
    /two different hosts/,
  ],
  [
    'a way that anybody can read in live',
    [{ ...BASE, rpc: ['http://one.example', 'https://two.example'] }],
    /one\.example must be an https address in live/,
  ],
  [
    'no address of a node',
    [{ ...BASE, rpc: ['https://[', 'https://two.example'] }],
    /\[0\]\.rpc: an entry is no address/,
  ],
  [
    'a token that is no address',
    [{ ...BASE, assets: [{ ...USDC, token: '0x12' }] }],
    /\[0\]\.assets\[0\]\.token must be 0x/,
  ],
  [
    'a token with a wrong checksum',
    [{ ...BASE, assets: [{ ...USDC, token: TOKEN.replace('fC', 'Fc') }] }],
    /the right ones \(EIP-55\)/,
  ],
  [
    'one token twice',
    [{ ...BASE, assets: [USDC, { ...USDC, currencyCode: 'EURC', token: TOKEN.toLowerCase() }] }],
    /assets has 0x833589.* twice/,
  ],
  [
    'one currency twice',
    [{ ...BASE, assets: [USDC, { ...USDC, token: `0x${'12'.repeat(20)}` }] }],
    /has a currency twice/,
  ],
  [
    "the chain's own coin by another name than it has below",
    [
      {
        ...paying({})[0],
        assets: [{ ...USDC, currencyCode: 'BNB', token: 'coin', decimals: 18 }],
      },
    ],
    /has two coins of the network, ETH with 18 decimals and BNB with 18:/,
  ],
  [
    "the chain's own coin in another case",
    [{ ...BASE, assets: [{ ...USDC, token: 'Coin' }] }],
    /token must be 0x.* For the chain's own coin it is "coin"/,
  ],
  ['too many decimals', [{ ...BASE, assets: [{ ...USDC, decimals: 19 }] }], /decimals must be <= 18/],
  [
    'confirmations with a bound at the end',
    [{ ...BASE, assets: [{ ...USDC, confirmations: [{ upTo: '10', blocks: 1 }] }] }],
    /the last one has no upTo/,
  ],
  [
    'confirmations that get fewer',
    [{ ...BASE, assets: [{ ...USDC, confirmations: [{ upTo: '10', blocks: 9 }, { blocks: 2 }] }] }],
    /begin with the smallest upTo/,
  ],
  [
    'bounds that get smaller',
    [
      {
        ...BASE,
        assets: [
          { ...USDC, confirmations: [{ upTo: '10', blocks: 1 }, { upTo: '9', blocks: 2 }, { blocks: 3 }] },
        ],
      },
    ],
    /begin with the smallest upTo/,
  ],
  ['two chains with one code', [BASE, { ...OTHER, code: 'BASE' }], /two chains BASE/],
  ['one chain twice', [BASE, { ...OTHER, chainId: 8453 }], /the chain 8453 is there twice/],
  [
    'a method of two chains',
    [BASE, { ...OTHER, methods: ['USDC_BASE'] }],
    /USDC_BASE cannot be of two chains/,
  ],
]

for (const [name, content, words] of wrong)
  test(`D59 what is wrong is one sentence that names the field: ${name}`, () => {
    assert.throws(
      () => read(content),
      (error) => error instanceof ConfigError && words.test(error.message) && !error.message.includes('KEY'),
    )
  })
