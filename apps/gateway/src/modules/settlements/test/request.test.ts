import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import { callerOf, codesOf, refusalOf, type ShopOptions } from '../../../test/support/shop.ts'
import { createSettlementAdministration, SettlementProblem } from '../index.ts'
import { faultsOf, MIDNIGHT, openRig, type Rig, settledBy } from './rig.ts'

interface Asking extends Rig {
  ask(id: string, amount?: number, currencyCode?: string): ReturnType<Rig['settlements']['request']>
  setAccount(
    account?: Readonly<Record<string, string>>,
    setBy?: string,
  ): Promise<{ readonly maskedNumber: string }>
}

/** With an account for EUR and 100 EUR available. */
async function openAsking(t: TestLife, options: ShopOptions = {}): Promise<Asking> {
  const rig = await openRig(t, options)
  const administration = createSettlementAdministration({
    db: rig.db,
    secrets: rig.secrets,
    catalogue: rig.intakeDeps.catalogue,
    rates: { current: () => ({ lists: new Map() }) },
  })
  const asking: Asking = {
    ...rig,
    ask: (id, amount, currencyCode = 'EUR') =>
      rig.settlements.request(rig.caller, id, {
        currencyCode,
        ...(amount !== undefined && { money: { amount, currencyCode } }),
      }),
    setAccount: (account = ACCOUNT, setBy?: string) =>
      administration.setAccount({
        merchantId: rig.merchantId,
        currencyCode: 'EUR',
        methodCode: 'BANK_TRANSFER',
        operatorCode: undefined,
        account,
        setBy,
      }),
  }
  await asking.setAccount()
  await rig.fund('100', 'EUR')
  return asking
}

const ACCOUNT = { accountName: 'A shop', accountNumber: 'SANDBOX-EUR-000099' }

async function statusOf(rig: Rig, idSettlement: string): Promise<string | undefined> {
  return (await rig.settlements.read({ merchantId: rig.merchantId, idSettlement })).paidOut?.status
}

async function holdings({ sql }: Rig): Promise<readonly unknown[]> {
  const [row] = await sql(
    `select trim_scale(available)::text as available, trim_scale(reserved)::text as reserved from balances`,
  )
  return [row?.['available'], row?.['reserved']]
}

async function untilEnded(rig: Rig, id: string): Promise<string | undefined> {
  rig.startWorker()
  const isOver = async () => (await statusOf(rig, id)) !== 'CREATED'
  await waitUntil(isOver, { timeoutMs: 10_000, what: 'the end of the settlement' })
  return statusOf(rig, id)
}

test('the money is held at once and spent when the institution has paid; the account is shown masked', async (t) => {
  const rig = await openAsking(t)
  const settlement = await rig.ask('S-1', 30)
  assert.equal(settlement.net, '30')
  assert.deepEqual(settlement.account, { methodCode: 'BANK_TRANSFER', maskedNumber: '…0099' })
  assert.deepEqual(await holdings(rig), ['70', '30'])
  assert.equal(await untilEnded(rig, 'S-1'), 'SUCCESS')
  assert.deepEqual(await holdings(rig), ['70', '0'])
  assert.deepEqual(await faultsOf(rig), [])
  const stored = await rig.sql(
    `select account::text, (select sealed from settlement_accounts) as sealed from settlements`,
  )
  assert.doesNotMatch(JSON.stringify(stored), /SANDBOX-EUR/)
})

test('an account is masked as in every list: by its end, and never more than half of it; also where it was stored with stars', async (t) => {
  const rig = await openAsking(t)
  for (const [accountNumber, shown] of [
    ['sandbox eur 000 098', '…0098'],
    ['123456789', '…6789'],
    ['12345', '…45'],
  ] as const)
    assert.equal((await rig.setAccount({ ...ACCOUNT, accountNumber })).maskedNumber, shown)
  await rig.sql(`update settlement_accounts set masked_number = '****0099'`)
  assert.equal((await rig.ask('S-1', 30)).account?.maskedNumber, '…0099')
})

test('the money comes back when the institution could not pay, and a new account counts for the next one', async (t) => {
  const rig = await openAsking(t)
  await rig.setAccount({ ...ACCOUNT, emailAddress: 'account-closed@sandbox.test' })
  await rig.ask('S-1', 30)
  await rig.setAccount({ ...ACCOUNT, accountNumber: 'SANDBOX-EUR-000011' })
  assert.equal(await untilEnded(rig, 'S-1'), 'FAILED')
  assert.deepEqual(await holdings(rig), ['100', '0'])
  const failed = await rig.settlements.read({ merchantId: rig.merchantId, idSettlement: 'S-1' })
  assert.equal(failed.paidOut?.failure?.code, 'ACCOUNT_CLOSED')
  assert.equal(failed.account?.maskedNumber, '…0099')
  assert.equal((await rig.ask('S-2', 30)).account?.maskedNumber, '…0011')
  assert.deepEqual(await faultsOf(rig), [])
})

test('without an amount everything that is available is paid out', async (t) => {
  const rig = await openAsking(t)
  assert.equal((await rig.ask('S-1')).net, '100')
  assert.deepEqual(await codesOf(rig.ask('S-2')), ['BALANCE_INSUFFICIENT currencyCode'])
})

test('many at once for everything: one gets it, and the others hear that nothing is left', async (t) => {
  const rig = await openAsking(t)
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => rig.ask(`S-${index}`)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.deepEqual(await holdings(rig), ['0', '100'])
  assert.equal((await rig.sql('select 1 from settlements')).length, 1)
  assert.deepEqual(await faultsOf(rig), [])
})

test('a repeat is told from another request, also when the amount was left to us and all is spent', async (t) => {
  const rig = await openAsking(t)
  await rig.ask('S-1')
  const duplicate = async (work: Promise<unknown>) => (await refusalOf(work)).details.extra?.['duplicate']
  assert.equal(await duplicate(rig.ask('S-1')), 'IDENTICAL')
  assert.equal(await duplicate(rig.ask('S-1', 100)), 'DIFFERENT')
  assert.equal(await duplicate(rig.ask('S-1', 100_000_000)), 'DIFFERENT')
  await rig.sql('delete from settlement_accounts')
  assert.equal(await duplicate(rig.ask('S-1')), 'IDENTICAL')
})

test('the same request many times at once is accepted once', async (t) => {
  const rig = await openAsking(t)
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => rig.ask('S-1', 10)))
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  assert.equal(refused.length, 7)
  for (const refusal of refused) assert.equal(refusal.details.extra.duplicate, 'IDENTICAL')
  assert.deepEqual(await holdings(rig), ['90', '10'])
})

test('a settlement of a cycle holds its id', async (t) => {
  const rig = await openAsking(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  const { idSettlement } = settledBy(await rig.run(MIDNIGHT))
  assert.deepEqual(await codesOf(rig.ask(idSettlement, 5)), ['ENTITY_DUPLICATED'])
})

test('every reason is told in the words of the request, and nothing is stored', async (t) => {
  const rig = await openAsking(t)
  assert.deepEqual(await codesOf(rig.ask('S-1', 5, 'USD')), ['SETTLEMENT_ACCOUNT_MISSING currencyCode'])
  assert.deepEqual(await codesOf(rig.ask('S-1', 100_001)), ['AMOUNT_ABOVE_MAXIMUM money.amount'])
  assert.deepEqual(await codesOf(rig.ask('S-1', 1.001)), ['AMOUNT_PRECISION_INVALID money.amount'])
  assert.deepEqual(await codesOf(rig.ask('S-1', 101)), ['BALANCE_INSUFFICIENT'])
  assert.deepEqual(await codesOf(rig.ask('S-1', 0)), ['ATTRIBUTE_VALUE_INVALID'])
  const { caller, settlements } = rig
  assert.deepEqual(await codesOf(settlements.request(caller, 'S-1', {})), ['ATTRIBUTE_REQUIRED'])
  const two = { currencyCode: 'USD', money: { amount: 5, currencyCode: 'EUR' } }
  assert.deepEqual(await codesOf(settlements.request(caller, 'S-1', two)), ['ATTRIBUTE_VALUE_INVALID'])
  assert.deepEqual(await rig.sql('select 1 from settlements'), [])
})

test('a token for one amount pays out just that', async (t) => {
  const rig = await openAsking(t)
  const limited = callerOf(rig.merchantId, { amount: '10', currencyCode: 'EUR' })
  const ask = (id: string, amount?: number) =>
    rig.settlements.request(limited, id, {
      currencyCode: 'EUR',
      ...(amount !== undefined && { money: { amount, currencyCode: 'EUR' } }),
    })
  assert.deepEqual(await codesOf(ask('S-1', 11)), ['MONEY_NOT_PERMITTED'])
  assert.deepEqual(await codesOf(ask('S-1')), ['MONEY_NOT_PERMITTED'])
  assert.equal((await ask('S-1', 10)).net, '10')
})

test('S167 settlements to an account that one operator set wait until one to it was approved or paid', async (t) => {
  const rig = await openAsking(t)
  const ask = async (id: string): Promise<string | undefined> => {
    await rig.ask(id, 10)
    const [row] = await rig.sql(`select reasons::text from payout_approval_requests where id_payment = $1`, [
      id,
    ])
    return row === undefined ? undefined : String(row['reasons'])
  }
  const other = { ...ACCOUNT, accountNumber: 'SANDBOX-EUR-000011' }
  assert.equal(await ask('COMMAND-LINE'), undefined)
  await rig.setAccount(other, 'adam')
  assert.equal(await ask('FIRST'), '{NEW_SETTLEMENT_ACCOUNT}')
  assert.equal(await ask('SECOND'), '{NEW_SETTLEMENT_ACCOUNT}')
  await rig.sql(`update payout_approval_requests set approved_at = now() where id_payment = 'FIRST'`)
  assert.equal(await ask('THIRD'), undefined)
  // What the command line set counts, once money has arrived there.
  await rig.setAccount(ACCOUNT, 'adam')
  assert.equal(await ask('BACK'), '{NEW_SETTLEMENT_ACCOUNT}')
  assert.equal(await untilEnded(rig, 'COMMAND-LINE'), 'SUCCESS')
  assert.equal(await ask('PAID'), undefined)
})

test('the rules of payouts hold: people approve where they must', async (t) => {
  const prepare: ShopOptions['prepare'] = ({ merchantId, sql }) =>
    sql(`insert into payout_rules (merchant_id, currency_code, amount_from) values ($1, 'EUR', 50)`, [
      merchantId,
    ])
  const rig = await openAsking(t, { prepare })
  assert.equal((await rig.ask('S-1', 50)).paidOut?.processorStatus, 'AWAITING_APPROVAL')
  assert.equal((await rig.ask('S-2', 49)).paidOut?.processorStatus, 'QUEUED')
  assert.deepEqual(await rig.sql(`select id_payment, reasons from payout_approval_requests`), [
    { id_payment: 'S-1', reasons: ['AMOUNT'] },
  ])
})

test('an account that the method does not take is not registered', async (t) => {
  const rig = await openAsking(t)
  const wrong = [
    {},
    { accountNumber: '' },
    { accountNumber: 'SANDBOX-EUR-000099' },
    { ...ACCOUNT, iban: 'XS00' },
    { ...ACCOUNT, accountName: 'A\u202eshop' },
  ]
  for (const account of wrong) await assert.rejects(rig.setAccount(account), SettlementProblem)
})

test('lists go by the newest, in pages, and choose by day, currency and status', async (t) => {
  const rig = await openAsking(t)
  for (const id of ['S-1', 'S-2', 'S-3']) await rig.ask(id, 10)
  const all = { merchantId: rig.merchantId, from: undefined, before: undefined, currencyCodes: undefined }
  const list = async (given: Partial<Parameters<Rig['settlements']['list']>[0]> = {}) => {
    const filter = { ...all, statuses: undefined, after: undefined, limit: 10, ...given }
    const { items, hasMore } = await rig.settlements.list(filter)
    return [...items.map(({ idSettlement }) => idSettlement), ...(hasMore ? ['…'] : [])]
  }
  assert.deepEqual(await list(), ['S-3', 'S-2', 'S-1'])
  assert.deepEqual(await list({ limit: 2 }), ['S-3', 'S-2', '…'])
  assert.deepEqual(await list({ limit: 2, after: 'S-2' }), ['S-1'])
  assert.deepEqual(await list({ currencyCodes: ['USD'] }), [])
  assert.deepEqual(await list({ statuses: ['SUCCESS'] }), [])
  assert.deepEqual(await list({ statuses: ['SUCCESS', 'CREATED'] }), ['S-3', 'S-2', 'S-1'])
  assert.deepEqual(await list({ before: new Date('2020-01-01') }), [])
  assert.deepEqual(await list({ from: new Date('2020-01-01'), currencyCodes: ['EUR'] }), [
    'S-3',
    'S-2',
    'S-1',
  ])
  assert.deepEqual(await list({ merchantId: '999' }), [])
})
