import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignerFault } from '../../modules/chains/errors.ts'
import { canStillBePaid } from '../../modules/chains/index.ts'
import { openOutcomes, type ReviewOutcome } from '../../modules/payments/index.ts'
import { faultsOf } from '../../modules/statements/test/rig.ts'
import { refusalOf } from '../support/shop.ts'
import { openPayoutRig, WALLET } from './payout-rig.ts'
import { CONFIRMATIONS } from './rig.ts'

const UNITS = 1_000_000n

test('a payout is signed, sent, and paid when its block counts; the network’s fee is booked', async (t) => {
  const { rig, chain, pay, look, payouts, paid, tell, problem } = await openPayoutRig(t)
  const payout = await pay('25.5')
  assert.equal(await tell(payout), 'WAITING')
  await look()
  assert.deepEqual(await payouts(), ['25.5 SENT 0'])
  assert.equal(chain.mempool.waiting().length, 1)
  chain.minePending()
  await look()
  assert.equal(await tell(payout), 'WAITING')
  chain.mine([], CONFIRMATIONS.small - 1)
  await look()
  assert.deepEqual(await payouts(), ['25.5 PAID 0'])
  assert.equal(await tell(payout), 'SUCCEEDED')
  assert.deepEqual([...paid()], [[payout.payee, 25_500_000n]])
  assert.equal(await problem(), '')
  const fees = await rig.sql(
    `select account, trim_scale(amount)::text as amount from ledger_postings where currency_code = 'ETH' order by account`,
  )
  assert.deepEqual(
    fees.map((row) => ({ ...row })),
    [
      { account: 'CLEARING', amount: '0.0001092' },
      { account: 'FEES', amount: '-0.0001092' },
    ],
  )
  assert.deepEqual(await faultsOf(rig), [])
})

test('each payout has a number of its own, in the order in which they were taken', async (t) => {
  const { chain, pay, look, payouts, paid } = await openPayoutRig(t)
  const all = [await pay('1'), await pay('2'), await pay('3')]
  await look()
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['1 PAID 0', '2 PAID 1', '3 PAID 2'])
  assert.deepEqual(
    all.map(({ payee }) => paid().get(payee)),
    [1n * UNITS, 2n * UNITS, 3n * UNITS],
  )
})

test('D60 what was signed and never heard of is signed again, and nothing is paid twice', async (t) => {
  const { rig, chain, signer, pay, look, take, payouts, paid } = await openPayoutRig(t)
  const payout = await pay('10')
  await look()
  // As a backup from before has it: the payout is not taken yet, and the next number is one that was used.
  await rig.sql('truncate chain_payout_transactions, chain_payouts')
  await rig.sql('update chain_wallets set next_nonce = null')
  await take(payout)
  const other = await pay('20')
  await look()
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['10 PAID 0', '20 PAID 1'])
  assert.deepEqual([paid().get(payout.payee), paid().get(other.payee)], [10n * UNITS, 20n * UNITS])
  assert.deepEqual(
    signer.record().map(({ nonce }) => nonce),
    ['0', '1'],
  )
})

test('D60 a number that another payout had before a restore is given to nobody else', async (t) => {
  const { rig, chain, pay, look, take, payouts, paid } = await openPayoutRig(t)
  const first = await pay('10')
  await look()
  chain.mempool.clear()
  await rig.sql('truncate chain_payout_transactions, chain_payouts')
  await rig.sql('update chain_wallets set next_nonce = null')
  const second = await pay('20')
  await look()
  await take(first)
  await look()
  assert.deepEqual(await payouts(), ['20 SENT 1', '10 SENT 0'])
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual([paid().get(first.payee), paid().get(second.payee)], [10n * UNITS, 20n * UNITS])
})

test('while the signer is away, payouts wait with their number, and operators read why', async (t) => {
  const { chain, signer, pay, look, payouts, problem } = await openPayoutRig(t)
  await pay('10')
  await signer.kill()
  await look()
  assert.deepEqual(await payouts(), ['10 QUEUED'])
  assert.match(await problem(), /The signer does not answer at .*Is it running\?/)
  await signer.start()
  await look()
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['10 PAID 0'])
  assert.equal(await problem(), '')
})

test('D61 what is changed after it was taken is not signed', async (t) => {
  const { rig, chain, signer, pay, look, payouts } = await openPayoutRig(t)
  await pay('10')
  await rig.sql('update chain_payouts set amount = 999')
  await look()
  assert.deepEqual(await payouts(), ['999 QUEUED'])
  const [row] = await rig.sql('select problem from chain_payouts')
  assert.match(String(row?.['problem']), /what is to be signed is not what was taken/)
  assert.deepEqual(signer.record(), [])
  assert.equal(chain.mempool.waiting().length, 0)
})

test('D61 what the signer’s own rules do not allow fails, and its number is the next one’s', async (t) => {
  const { chain, pay, look, payouts, tell, paid } = await openPayoutRig(t, { perTransaction: '100' })
  const [large, small] = [await pay('100.01'), await pay('100')]
  await look()
  assert.deepEqual(await payouts(), ['100.01 FAILED', '100 SENT 0'])
  assert.equal(await tell(large), 'FAILED REJECTED')
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual([...paid().keys()], [small.payee])
})

test('D61 above what may leave in a day, payouts wait', async (t) => {
  const { rig, pay, look, payouts, tell } = await openPayoutRig(t, { perTransaction: '100', perDay: '150' })
  const waiting = [await pay('100'), await pay('60'), await pay('50')]
  await look()
  assert.deepEqual(await payouts(), ['100 SENT 0', '60 QUEUED', '50 SENT 1'])
  assert.ok(waiting[1])
  assert.equal(await tell(waiting[1]), 'WAITING')
  const [row] = await rig.sql(`select problem from chain_payouts where state = 'QUEUED'`)
  assert.match(String(row?.['problem']), /more would leave today/)
})

test('what a node took and forgot is sent again', async (t) => {
  const { rig, chain, nodes, pay, look, payouts } = await openPayoutRig(t)
  for (const { moods } of nodes) moods.forgets = true
  await pay('10')
  await look()
  assert.deepEqual([await payouts(), chain.mempool.waiting().length], [['10 SENT 0'], 0])
  for (const { moods } of nodes) moods.forgets = false
  await rig.sql(`update chain_payout_transactions set sent_at = sent_at - interval '61 s'`)
  await look()
  assert.equal(chain.mempool.waiting().length, 1)
})

test('what stays in no block offers more, under the same number: one of the two is ever carried out', async (t) => {
  const { rig, chain, signer, pay, look, payouts, paid } = await openPayoutRig(t)
  const payout = await pay('10')
  await look()
  const [cheap] = chain.mempool.waiting()
  await rig.sql(`update chain_payout_transactions set signed_at = signed_at - interval '121 s'`)
  await look()
  const [dear, ...rest] = chain.mempool.waiting()
  assert.ok(cheap && dear)
  assert.deepEqual([rest, dear.nonce, dear.maxFeePerGas > cheap.maxFeePerGas], [[], cheap.nonce, true])
  assert.equal(signer.record().length, 2)
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['10 PAID 0'])
  assert.equal(paid().get(payout.payee), 10n * UNITS)
})

test('the cheaper of two may be the one in a block', async (t) => {
  const { rig, chain, pay, look, payouts } = await openPayoutRig(t)
  await pay('10')
  await look()
  const [cheap] = chain.mempool.waiting()
  assert.ok(cheap)
  await rig.sql(`update chain_payout_transactions set signed_at = signed_at - interval '121 s'`)
  await look()
  chain.mempool.clear()
  chain.mempool.giveBack([cheap])
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['10 PAID 0'])
  const [row] = await rig.sql(`select encode(tx_hash, 'hex') as hash from chain_payouts`)
  assert.equal(`0x${String(row?.['hash'])}`, cheap.hash)
})

test('a block that goes away takes nothing with it: the payout is paid when another one counts', async (t) => {
  const { chain, pay, look, payouts, tell, paid } = await openPayoutRig(t)
  const payout = await pay('10')
  await look()
  chain.minePending()
  await look()
  chain.reorganise(1)
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.equal(await tell(payout), 'WAITING')
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['10 PAID 0'])
  assert.equal(paid().get(payout.payee), 10n * UNITS)
})

test('what the token refuses fails when its block counts, and costs the house the network’s fee', async (t) => {
  const { rig, chain, pay, look, payouts, tell, paid } = await openPayoutRig(t)
  const payout = await pay('10')
  chain.refusedPayees.add(payout.payee)
  await look()
  chain.minePending()
  await look()
  assert.equal(await tell(payout), 'WAITING')
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['10 FAILED 0'])
  assert.equal(await tell(payout), 'FAILED TRANSFER_REVERTED')
  assert.equal(paid().size, 0)
  const fees = await rig.sql(
    `select count(*)::int as count from ledger_transfers where event = 'NETWORK_FEE'`,
  )
  assert.equal(fees[0]?.['count'], 1)
})

test('D63 a number that somebody else used is never used again, and its outcome is not guessed', async (t) => {
  const { rig, chain, client, pay, look, payouts, tell } = await openPayoutRig(t)
  const payout = await pay('10')
  await look()
  useNumberElsewhere(chain)
  await look()
  assert.deepEqual(await payouts(), ['10 SENT 0'])
  assert.equal(await tell(payout), 'UNKNOWN')
  const [row] = await rig.sql('select problem from chain_payouts')
  assert.match(
    String(row?.['problem']),
    /number 0 of the wallet was used by a transaction that is not known here/,
  )
  assert.equal(chain.mempool.waiting().length, 0)
  assert.equal(await client.address(new AbortController().signal), WALLET)
})

test('D63 what was carried out without moving exactly these coins is not guessed', async (t) => {
  const { rig, chain, pay, look, payouts, tell } = await openPayoutRig(t)
  const payout = await pay('10')
  chain.silentPayees.add(payout.payee)
  await look()
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['10 SENT 0'])
  assert.equal(await tell(payout), 'UNKNOWN')
  const [row] = await rig.sql('select problem from chain_payouts')
  assert.match(String(row?.['problem']), /the token does not say that exactly these coins moved/)
})

/** Two operators say what became of it. */
async function decide(
  { rig }: Pick<Awaited<ReturnType<typeof openPayoutRig>>, 'rig'>,
  { reference }: { readonly reference: string },
  status: 'SUCCESS' | 'FAILED',
): Promise<void> {
  const key = { merchantId: '1', kind: 'PAYOUT', idPayment: reference } as const
  await rig.sql(
    `update payments set submitted_at = now(), processor_status = 'SUBMITTED' where id_payment = $1`,
    [reference],
  )
  const payment = await rig.payments.find(key)
  assert.ok(payment)
  const outcome = await rig.payments.propose(key, {
    status,
    actor: 'operator:ada',
    evidence: { class: 'PEOPLE', operators: ['ada', 'grace'] },
    ...(status === 'SUCCESS' ? { received: payment.money } : { failure: { code: 'NO', message: 'No.' } }),
  })
  assert.equal(outcome.kind, 'CHANGED')
}

test('D63 what nobody understands ends when people have decided what became of it', async (t) => {
  const opened = await openPayoutRig(t)
  const { rig, chain, pay, look, payouts } = opened
  const payout = await pay('10')
  await look()
  useNumberElsewhere(chain)
  await look()
  await decide(opened, payout, 'SUCCESS')
  await look()
  assert.deepEqual(await payouts(), ['10 DECIDED 0'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('once people have decided, nothing is signed or sent any more; what the chain does all the same, the checks name', async (t) => {
  const opened = await openPayoutRig(t)
  const { rig, chain, signer, pay, look, payouts } = opened
  const early = await pay('10')
  await decide(opened, early, 'FAILED')
  const late = await pay('20')
  await look()
  assert.deepEqual(await payouts(), ['10 DECIDED', '20 SENT 0'])
  const [own] = chain.mempool.waiting()
  assert.ok(own)
  chain.mempool.clear()
  await decide(opened, late, 'FAILED')
  await rig.sql(
    `update chain_payout_transactions set sent_at = sent_at - interval '61 s', signed_at = signed_at - interval '121 s'`,
  )
  await look()
  assert.deepEqual([chain.mempool.waiting(), signer.record().length], [[], 1])
  assert.deepEqual(await faultsOf(rig), [])
  chain.mempool.giveBack([own])
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['10 DECIDED', '20 PAID 0'])
  assert.match(
    (await faultsOf(rig)).join(),
    /chain_payouts_are_their_payments: payout .* is PAID; its payment .* is FAILED/,
  )
})

test('what a node may have is decided to be unpaid only once its number is used up', async (t) => {
  const opened = await openPayoutRig(t)
  const { rig, chain, pay, look, payouts } = opened
  const { reference } = await pay('10')
  const key = { merchantId: '1', kind: 'PAYOUT', idPayment: reference } as const
  await rig.sql(
    `update payments set submitted_at = now(), processor_status = 'SUBMITTED' where id_payment = $1`,
    [reference],
  )
  const say = (operatorCode: string, outcome: ReviewOutcome) =>
    rig.payments.decideReview(
      key,
      { operatorCode, outcome, reason: 'seen in an explorer' },
      {
        listPowerless: async () => new Set(),
        canStillBePaid: (tx, payment) => canStillBePaid(tx, payment.reference),
      },
    )
  // Said while nothing was signed: it is refused to whoever completes it later.
  await say('ada', 'NOT_EXECUTED')
  await look()
  assert.deepEqual(await payouts(), ['10 SENT 0'])
  const refusal = await refusalOf(say('grace', 'NOT_EXECUTED'))
  assert.equal(refusal.code, 'REVIEW_NOT_OPEN')
  assert.match(refusal.message, /the chain may still carry it out/)
  assert.equal((await rig.payments.find(key))?.status, 'CREATED')
  useNumberElsewhere(chain)
  await look()
  assert.equal((await say('grace', 'NOT_EXECUTED')).changedTo, 'FAILED')
  await look()
  assert.deepEqual(await payouts(), ['10 DECIDED 0'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a payout that people said was paid is not decided to be returned while the chain may still pay it', async (t) => {
  const { rig, pay, look } = await openPayoutRig(t)
  const { reference } = await pay('10')
  await rig.sql(
    `update payments set submitted_at = now(), processor_status = 'SUBMITTED' where id_payment = $1`,
    [reference],
  )
  await look()
  const payment = await rig.payments.find({ merchantId: '1', kind: 'PAYOUT', idPayment: reference })
  assert.ok(payment)
  assert.ok(await canStillBePaid(rig.db, reference))
  assert.deepEqual(openOutcomes(payment, true), ['EXECUTED', 'STILL_WAITING'])
  const executed = { ...payment, status: 'SUCCESS', processorStatus: 'CONFIRMED' } as const
  assert.deepEqual(openOutcomes(executed, false), ['RETURNED'])
  assert.deepEqual(openOutcomes(executed, true), [])
})

/** The number of what waits is used by a transaction that nobody here knows, deep enough to be certain. */
function useNumberElsewhere(chain: Awaited<ReturnType<typeof openPayoutRig>>['chain']): void {
  const [own] = chain.mempool.waiting()
  assert.ok(own)
  chain.mempool.clear()
  chain.mempool.giveBack([{ ...own, hash: `0x${'fe'.repeat(32)}` }])
  chain.minePending(CONFIRMATIONS.large + 1)
}

/** The signer answers for its address, and its next signature is lost: the payout keeps its number, and nothing was sent. */
async function loseSignature(
  { client, look }: Pick<Awaited<ReturnType<typeof openPayoutRig>>, 'client' | 'look'>,
  how: 'NOT_SIGNED' | 'SIGNED',
): Promise<void> {
  const { sign } = client
  Object.assign(client, {
    sign: async (...asked: Parameters<typeof sign>) => {
      if (how === 'SIGNED') await sign(...asked)
      throw new SignerFault('The signer does not answer.')
    },
  })
  await look()
  Object.assign(client, { sign })
}

test('people decide about a payout that has a number and no signature: nothing is signed, and the next payout has its number', async (t) => {
  const opened = await openPayoutRig(t)
  const { rig, chain, signer, pay, look, payouts, paid } = opened
  const decided = await pay('10')
  await loseSignature(opened, 'NOT_SIGNED')
  assert.deepEqual(await payouts(), ['10 NUMBERED 0'])
  await decide(opened, decided, 'FAILED')
  const next = await pay('20')
  await look()
  assert.deepEqual(await payouts(), ['10 DECIDED', '20 SENT 0'])
  assert.deepEqual(
    signer.record().map(({ reference }) => reference),
    [next.reference],
  )
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual([...paid()], [[next.payee, 20n * UNITS]])
  assert.deepEqual(await faultsOf(rig), [])
})

test('people decide about a payout that was signed and not sent: no node hears of it, and operators read what waits behind it', async (t) => {
  const opened = await openPayoutRig(t)
  const { rig, chain, signer, pay, look, payouts } = opened
  const decided = await pay('10')
  await loseSignature(opened, 'SIGNED')
  await decide(opened, decided, 'FAILED')
  await pay('20')
  await look()
  await look()
  assert.deepEqual(await payouts(), ['10 SENT 0', '20 SENT 1'])
  assert.equal(signer.record().length, 2)
  assert.deepEqual(
    chain.mempool.waiting().map(({ nonce }) => nonce),
    [1],
  )
  const [row] = await rig.sql('select problem from chain_payouts where nonce = 0')
  assert.match(String(row?.['problem']), /^People decided .* behind its number 0/)
  assert.deepEqual(await faultsOf(rig), [])
})

test('people decide while the signer signs: it is kept, and no node hears of it', async (t) => {
  const opened = await openPayoutRig(t)
  const { chain, client, pay, look, payouts } = opened
  const payout = await pay('10')
  const { sign } = client
  Object.assign(client, {
    sign: async (...asked: Parameters<typeof sign>) => {
      const answer = await sign(...asked)
      await decide(opened, payout, 'FAILED')
      return answer
    },
  })
  await look()
  assert.deepEqual([await payouts(), chain.mempool.waiting()], [['10 SENT 0'], []])
})

test('without coins or gas, payouts wait, and operators read what is missing', async (t) => {
  const { chain, pay, look, payouts, problem } = await openPayoutRig(t)
  await pay('10')
  chain.funds.token = 9_999_999n
  await look()
  assert.deepEqual(await payouts(), ['10 QUEUED'])
  assert.match(await problem(), /has too little: USDC\. Payouts wait/)
  chain.funds.token = 10_000_000n
  chain.funds.coin = 1n
  await look()
  assert.match(await problem(), /has too little: ETH for the network's fees/)
  chain.funds.coin = 10n ** 18n
  await look()
  assert.deepEqual([await payouts(), await problem()], [['10 SENT 0'], ''])
})

test('what is on its way counts as spent: two payouts never share the same coins', async (t) => {
  const { chain, pay, look, payouts } = await openPayoutRig(t)
  chain.funds.token = 15_000_000n
  await pay('10')
  await pay('10')
  await look()
  await look()
  assert.deepEqual(await payouts(), ['10 SENT 0', '10 QUEUED'])
})

test('nothing is sent while the network asks for more than is to be paid', async (t) => {
  const { nodes, pay, look, payouts, problem } = await openPayoutRig(t, { maxFeePerGas: 10n ** 9n })
  await pay('10')
  await look()
  assert.deepEqual(await payouts(), ['10 QUEUED'])
  assert.match(await problem(), /asks for 1100000000 wei for gas, and at most 1000000000 is paid/)
  for (const { moods } of nodes) moods.baseFee = 10n ** 8n
  await look()
  assert.deepEqual(await payouts(), ['10 SENT 0'])
})

test('nothing counts while one node does not have it', async (t) => {
  const { chain, nodes, pay, look, payouts } = await openPayoutRig(t)
  await pay('10')
  await look()
  const [own] = chain.mempool.waiting()
  assert.ok(own)
  nodes[1].moods.hidden?.add(own.hash)
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['10 SENT 0'])
  nodes[1].moods.hidden?.delete(own.hash)
  await look()
  assert.deepEqual(await payouts(), ['10 PAID 0'])
})

test('a signer with another secret signs nothing, and operators read why', async (t) => {
  const { pay, look, payouts, problem } = await openPayoutRig(t, { secret: Buffer.alloc(32, 6) })
  await pay('10')
  await look()
  assert.deepEqual(await payouts(), ['10 QUEUED'])
  assert.match(await problem(), /does not prove that it is the signer.*same secret/)
})
