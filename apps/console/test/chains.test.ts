import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRig, selfWith } from './support.ts'

// Chains: how they look, what came, and having one read.

const CHAIN = {
  code: 'BASE',
  chainId: '8453',
  nodes: ['one.example', 'two.example'],
  currencies: ['USDC', 'EURC'],
  everySeconds: 10,
  state: 'WORKS',
  failures: 0,
  waitingTransfers: 1,
  missingTransfers: 0,
  lookedAt: '2026-11-28T10:15:30.123Z',
  succeededAt: '2026-11-28T10:15:30.123Z',
  headBlock: '38411022',
  scannedBlock: '38411022',
}
const TROUBLED = {
  ...CHAIN,
  code: 'OTHER',
  state: 'FAILS',
  failures: 3,
  missingTransfers: 2,
  fault: { kind: 'DISAGREE', message: '<one> and two differ', since: '2026-11-28T10:00:00.000Z' },
}
const TRANSFERS = ['SEEN', 'BOOKED', 'GONE', 'MISSING'].map((state, index) => ({
  transferNo: String(index),
  txHash: `0x${'ab'.repeat(32)}`,
  ordinal: 0,
  state,
  money: { amount: 25, currencyCode: 'USDC' },
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  kind: 'PAYIN',
  idPayment: `<ORD-${index}>`,
  reference: '7MZKQ2VTN4CX',
  blockNumber: '38411019',
  confirmations: 12,
  isElsewhere: index === 1,
  seenAt: '2026-11-28T10:15:30.123Z',
}))
const HOLDINGS = {
  countedAt: '2026-11-28T10:15:00.000Z',
  blockNumber: '38411020',
  findings: ['<4> USDC left'],
  findingsSince: '2026-11-28T10:00:00.000Z',
  problem: 'The nodes <differ>.',
  coin: { amount: 0.5, currencyCode: 'ETH' },
  assets: [
    {
      currencyCode: 'USDC',
      booked: 1280.5,
      waiting: 25,
      addressCount: 41,
      atAddresses: 905.5,
      swept: 7100,
      inTreasury: 6000,
    },
  ],
}
const NOT_COUNTED = { assets: [], findings: [] }
const SWEEPS = ['DONE', 'WAITING', 'FAILED', 'SUPERSEDED'].map((state, index) => ({
  transactionNo: String(index),
  txHash: `0x${'cd'.repeat(32)}`,
  step: index === 0 ? 'FUND' : 'MOVE',
  state,
  reference: '7MZKQ2VTN4CX',
  nonce: '0',
  givenBy: 'operator:<fina>',
  givenAt: '2026-11-28T10:15:30.123Z',
  ...(state === 'WAITING' && { problem: 'No node takes <it>.' }),
}))
const answers = {
  'GET /operator/chains/OTHER/holdings': { body: HOLDINGS },
  'GET /operator/chains/NONE/holdings': { body: NOT_COUNTED },
  'GET /operator/chains/OTHER/sweeps': { body: { data: SWEEPS } },
  'GET /operator/chains/NONE/sweeps': { body: { data: [] } },
  'GET /operator/me': selfWith('statements.read', 'institutions.change'),
  'GET /operator/chains': { body: { data: [CHAIN, TROUBLED] } },
  'GET /operator/chains/OTHER/transfers': { body: { data: TRANSFERS, nextCursor: 'next' } },
  'GET /operator/chains/NONE/transfers': { body: { data: [] } },
}

test('each chain says how far it is read, what is wrong, and what is missing', async (t) => {
  const rig = await openRig(t, answers)
  const text = await (await rig.get('/bank-files/chains')).text()
  assert.match(text, /<a href="\/bank-files\/chains\/BASE">[\s\S]*Works[\s\S]*USDC, EURC[\s\S]*38411022/)
  assert.match(
    text,
    /OTHER[\s\S]*Fails[\s\S]*&lt;one&gt; and two differ[\s\S]*2 booked transfers no longer on the chain/,
  )
})

test('where there is none, it says where they are named, and that no screen adds one', async (t) => {
  const rig = await openRig(t, { ...answers, 'GET /operator/chains': { body: { data: [] } } })
  assert.match(await (await rig.get('/bank-files/chains')).text(), /TOLLGATE_CHAINS_FILE/)
})

test('a chain with trouble says what to do, what came, and is asked to look', async (t) => {
  const rig = await openRig(t, { ...answers, 'POST /operator/chains/OTHER/!look': { body: TROUBLED } })
  const text = await (await rig.get('/bank-files/chains/OTHER')).text()
  assert.match(
    text,
    /&lt;one&gt; and two differ<\/b> \(since 28 Nov 2026, 10:00:00\)\. Nothing is booked while/,
  )
  assert.match(text, /deliver nothing for these payments until they are back/)
  assert.match(
    text,
    /Seen<\/span><span class="sub">waits for 12 blocks[\s\S]*Booked[\s\S]*Gone[\s\S]*Missing/,
  )
  assert.match(text, /&lt;ORD-1&gt;<\/span><span class="sub">awaited on another chain/)
  assert.match(text, /cursor=next/)
  const formToken = /name="formToken" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const answer = await rig.post('/bank-files/chains/OTHER/look', { formToken })
  assert.equal(answer.headers.get('location'), '/bank-files/chains/OTHER?done=asked')
  assert.match(
    await (await rig.get('/bank-files/chains/OTHER?done=asked')).text(),
    /the next look comes at once/,
  )
})

test('what is there stands beside what is booked, with what went astray and what is on its way home', async (t) => {
  const rig = await openRig(t, answers)
  const text = await (await rig.get('/bank-files/chains/OTHER')).text()
  assert.match(
    text,
    /does not have what it should have \(since 28 Nov 2026, 10:00:00\)[\s\S]*&lt;4&gt; USDC left/,
  )
  assert.match(text, /There is no newer count\. The nodes &lt;differ&gt;\./)
  assert.match(
    text,
    /1,280\.5[\s\S]*905\.5<span class="sub">41 addresses[\s\S]*–[\s\S]*6,000[\s\S]*25[\s\S]*7,100/,
  )
  assert.match(text, /The wallet has 0\.5 ETH for fees/)
  assert.match(
    text,
    /Coins to pay with[\s\S]*Done[\s\S]*Brings coins home[\s\S]*No node takes &lt;it&gt;\.[\s\S]*Failed[\s\S]*Superseded/,
  )
  assert.match(text, /operator:&lt;fina&gt;/)
  const uncounted = { ...answers, 'GET /operator/chains/OTHER/holdings': { body: NOT_COUNTED } }
  const bare = await (await (await openRig(t, uncounted)).get('/bank-files/chains/OTHER')).text()
  assert.match(bare, /Not counted yet/)
})

test('who may only read has no button, and a chain that there is not is said', async (t) => {
  const rig = await openRig(t, { ...answers, 'GET /operator/me': selfWith('statements.read') })
  assert.doesNotMatch(await (await rig.get('/bank-files/chains/OTHER')).text(), /chains\/OTHER\/look/)
  assert.match(await (await rig.get('/bank-files/chains/NONE')).text(), /There is no chain NONE/)
})

const WALLET = {
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  queuedPayouts: 4,
  sentPayouts: 2,
  stuckPayouts: 1,
  problem: 'The <signer> does not answer.',
  problemSince: '2026-11-28T10:00:00.000Z',
}
const PAYOUTS = ['QUEUED', 'SENT', 'PAID', 'FAILED'].map((state, index) => ({
  payoutNo: String(index),
  kind: 'PAYOUT',
  idPayment: `<OUT-${index}>`,
  reference: '7MZKQ2VTN4CX',
  state,
  money: { amount: 25, currencyCode: 'USDC' },
  takenAt: '2026-11-28T10:15:30.123Z',
  ...(state !== 'QUEUED' && { nonce: '17', txHash: `0x${'ab'.repeat(32)}`, networkFee: '0.0001' }),
  ...(state === 'FAILED' && { problem: 'The <token> refused.' }),
}))
const payingOut = {
  ...answers,
  'GET /operator/chains': { body: { data: [{ ...CHAIN, code: 'OTHER', wallet: WALLET }] } },
  'GET /operator/chains/OTHER/payouts': {
    body: { data: [...PAYOUTS, { ...PAYOUTS[1], isUnclear: true }], nextCursor: 'next' },
  },
}

test('a chain by which payouts leave says from which wallet, what waits, and why', async (t) => {
  const rig = await openRig(t, payingOut)
  const list = await (await rig.get('/bank-files/chains')).text()
  assert.match(
    list,
    /Payouts do not leave: The &lt;signer&gt; does not answer\.[\s\S]*1 payout with a problem/,
  )
  const chain = await (await rig.get('/bank-files/chains/OTHER')).text()
  assert.match(chain, /0x71C7656EC7ab88b098defB751B7401B5f6d8976F[\s\S]*4 waiting, 2 sent/)
  assert.match(chain, /href="\/bank-files\/chains\/OTHER\/payouts"/)
})

test('each payout on a chain says how far it is, what it cost, and why it does not go on', async (t) => {
  const rig = await openRig(t, payingOut)
  const text = await (await rig.get('/bank-files/chains/OTHER/payouts')).text()
  assert.match(
    text,
    /Waiting[\s\S]*Sent[\s\S]*Paid[\s\S]*Failed[\s\S]*The &lt;token&gt; refused\.[\s\S]*Unclear/,
  )
  assert.match(text, /&lt;OUT-2&gt;[\s\S]*17[\s\S]*0\.0001[\s\S]*0xababababab…/)
  assert.match(text, /cursor=next/)
})
