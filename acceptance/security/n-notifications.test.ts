import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { PaymentState } from '@tollgate/rail-protocol'
import { type SqlRow, testDatabase, waitUntil } from '@tollgate/testkit'
import { tollgate } from './support/cli.ts'
import { type Gateway, startGateway } from './support/gateway.ts'
import { institutionOf, institutionSettings, type Sending } from './support/institution.ts'
import { addMerchant, type Merchant } from './support/merchant.ts'

const SECRETS = { bank: Buffer.alloc(32, 1), rival: Buffer.alloc(32, 2) }
const settings = institutionSettings({ after }, SECRETS)
const gateway = await startGateway({ after }, { env: settings })
const shop = await addMerchant(gateway, 'SHOP')
const bank = institutionOf(gateway, 'bank', SECRETS.bank)

/** A payin of 25 EUR that goes by the rail, with its reference. */
async function payin(
  id: string,
  given: { merchant?: Merchant; rail?: string; at?: Gateway } = {},
): Promise<string> {
  const { merchant = shop, rail = 'bank', at = gateway } = given
  const created = await merchant.create(id)
  assert.equal(created.status, 201, created.text)
  // The catalogue of the sandbox knows no rail of ours.
  const [row] = await at.sql(`update payments set rail = $1 where id_payment = $2 returning reference`, [
    rail,
    id,
  ])
  return String(row?.['reference'])
}

const ASKED = { amount: '25', currencyCode: 'EUR' }

const stateOf = (reference: string, given: Partial<PaymentState> = {}): PaymentState => ({
  reference,
  merchantCode: 'SHOP',
  direction: 'PAYIN',
  status: 'SUCCEEDED',
  institutionReference: 'BANK-1',
  money: ASKED,
  updatedAt: new Date().toISOString(),
  ...given,
})

async function statusOf(id: string, merchant = shop): Promise<string> {
  return JSON.parse((await merchant.read(`/payins/${id}`)).text).process.status
}

/** The messages about a reference, once none of them waits any more. */
async function outcomesOf(reference: string): Promise<readonly string[]> {
  const rows = async (): Promise<readonly SqlRow[]> =>
    gateway.sql(
      `select state, reason from rail_notifications where reference = $1 order by notification_no`,
      [reference],
    )
  await waitUntil(async () => (await rows()).every((row) => row['state'] !== 'PENDING'), {
    timeoutMs: 60_000,
    what: 'the messages to be worked off',
  })
  return (await rows()).map((row) => [row['state'], row['reason']].filter(Boolean).join(' '))
}

const forgeryCount = async (): Promise<number> =>
  Number((await gateway.sql(`select count(*)::integer as n from rail_forgeries`))[0]?.['n'])

test('N1 a message that does not prove where it comes from is refused, changes nothing, and is counted and kept', async () => {
  const reference = await payin('n1')
  const body = JSON.stringify({ idNotification: 'N1', payment: stateOf(reference) })
  const forgeries: readonly (readonly [string, Sending])[] = [
    ['without signature', { headers: () => ({}) }],
    ['another secret', { secret: Buffer.alloc(32, 9) }],
    ['the secret of another rail', { secret: SECRETS.rival }],
    ['another key id', { keyId: 'bank-2' }],
    ['signed as the gateway signs', { reflected: true }],
    ['signed for another path', { path: '/rails/rival/notifications' }],
    ['signed for another method', { method: 'PUT' }],
    ['too old', { shiftSeconds: -302 }],
    ['from the future', { shiftSeconds: 302 }],
    ['another body', { bodySent: body.replace('"25"', '"2500"') }],
    ['whitespace added', { bodySent: `${body} ` }],
    ['no body', { bodySent: '' }],
    [
      'a fresh time on an old signature',
      {
        headers: (signed) => ({ ...signed, 'Tollgate-Timestamp': String(Math.floor(Date.now() / 1000) + 1) }),
      },
    ],
    [
      'a doubled signature',
      {
        headers: (signed) => ({
          ...signed,
          'Tollgate-Signature': `${signed['Tollgate-Signature']}, ${signed['Tollgate-Signature']}`,
        }),
      },
    ],
  ]
  const before = await forgeryCount()
  for (const [what, how] of forgeries) assert.equal(await bank.post(body, how), 401, what)
  assert.equal(await statusOf('n1'), 'CREATED')
  assert.deepEqual(await outcomesOf(reference), [])
  assert.equal(await forgeryCount(), before + forgeries.length)
  const metrics = await (await fetch(gateway.metricsUrl)).text()
  const counted = /tollgate_rail_notifications_total\{rail="bank",result="FORGED"\} (\d+)/.exec(metrics)?.[1]
  assert.equal(Number(counted), before + forgeries.length)
  const listed = JSON.parse(await tollgate(gateway, '--json', 'notifications', 'list', '--forged'))
  assert.equal(listed.data.length, before + forgeries.length)
  assert.equal(await bank.post(body), 200, 'and the honest message is believed')
  assert.deepEqual(await outcomesOf(reference), ['APPLIED'])
})

test('N1 a rail that there is not, and one that hears of nobody, are 404 for whoever asks', async () => {
  const body = JSON.stringify({ idNotification: 'x', payment: stateOf('ABC') })
  for (const railCode of ['nobody', 'sandbox', 'BANK', 'a.b'])
    assert.ok([400, 404].includes(await bank.post(body, { railCode })), railCode)
})

test('N2 a message that is proven counts for its own merchant, direction and rail alone', async () => {
  const rivalShop = await addMerchant(gateway, 'RIVAL')
  const theirs = await payin('n2-theirs', { merchant: rivalShop })
  const elsewhere = await payin('n2-elsewhere', { rail: 'rival' })
  const ours = await payin('n2-ours')
  // The signature is the bank's; what it says is about a payment that is not as it says.
  assert.equal(await bank.report(stateOf(theirs)), 200)
  assert.equal(await bank.report(stateOf(elsewhere)), 200)
  assert.equal(await bank.report(stateOf(ours, { direction: 'PAYOUT' })), 200)
  assert.equal(await bank.report(stateOf(ours, { merchantCode: 'RIVAL' })), 200)
  assert.deepEqual(await outcomesOf(theirs), ['QUARANTINED MERCHANT_DIFFERS'])
  assert.deepEqual(await outcomesOf(elsewhere), ['QUARANTINED RAIL_DIFFERS'])
  assert.deepEqual(await outcomesOf(ours), ['QUARANTINED DIRECTION_DIFFERS', 'QUARANTINED MERCHANT_DIFFERS'])
  assert.equal(await statusOf('n2-theirs', rivalShop), 'CREATED')
  assert.equal(await statusOf('n2-elsewhere'), 'CREATED')
  assert.equal(await statusOf('n2-ours'), 'CREATED')
})

test('N3 other money than was asked for never makes a payment succeed; people look at it', async () => {
  const others = [
    ['24.99', 'EUR'],
    ['25.01', 'EUR'],
    ['25', 'USD'],
    ['0', 'EUR'],
    ['2500', 'EUR'],
    ['25.0000000000000000000000000000000000001', 'EUR'],
  ] as const
  for (const [index, [amount, currencyCode]] of others.entries()) {
    const reference = await payin(`n3-${index}`)
    const money = { amount, currencyCode }
    // Asked for as much as it says, and paid as much as it was asked for: each by itself is wrong.
    assert.equal(await bank.report(stateOf(reference, { money, received: ASKED })), 200)
    assert.equal(await bank.report(stateOf(reference, { money })), 200)
    assert.equal(await bank.report(stateOf(reference, { received: money })), 200)
    assert.deepEqual(await outcomesOf(reference), Array(3).fill('QUARANTINED MONEY_DIFFERS'))
    const { process } = JSON.parse((await shop.read(`/payins/n3-${index}`)).text)
    assert.deepEqual([process.status, process.processorStatus], ['CREATED', 'IN_REVIEW'])
  }
  const [booked] = await gateway.sql(
    `select count(*)::integer as n from ledger_transfers where id_payment like 'n3-%'`,
  )
  assert.equal(booked?.['n'], 0)
})

test('N3 the same money in another spelling is the same money', async () => {
  const reference = await payin('n3-spelling')
  assert.equal(
    await bank.report(stateOf(reference, { money: { amount: '25.00', currencyCode: 'EUR' } })),
    200,
  )
  assert.deepEqual(await outcomesOf(reference), ['APPLIED'])
})

test('N4 a repeat changes nothing, one after the other or all at once', async () => {
  const reference = await payin('n4-repeat')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      bank.report(stateOf(reference, { updatedAt: '2026-01-01T00:00:00Z' }), 'n4-repeat'),
    ),
  )
  assert.deepEqual(new Set(answers), new Set([200]))
  assert.deepEqual(await outcomesOf(reference), ['APPLIED'])
  assert.equal(await bank.report(stateOf(reference), 'n4-repeat'), 200)
  assert.equal(await bank.report(stateOf(reference), 'n4-another-id'), 200)
  assert.deepEqual(await outcomesOf(reference), ['APPLIED', 'KNOWN'])
  const [transfers] = await gateway.sql(
    `select count(*)::integer as n from ledger_transfers where id_payment = 'n4-repeat'`,
  )
  assert.equal(transfers?.['n'], 1)
})

test('N4 an id that comes again with other content is not the message that it was', async () => {
  const reference = await payin('n4-reused')
  assert.equal(await bank.report(stateOf(reference, { status: 'PENDING' }), 'n4-reused'), 200)
  assert.equal(await bank.report(stateOf(reference), 'n4-reused'), 200)
  assert.deepEqual(await outcomesOf(reference), ['KNOWN', 'QUARANTINED ID_REUSED'])
  assert.equal(await statusOf('n4-reused'), 'CREATED')
})

test('N4 what comes in another order ends in the same, and what contradicts flips nothing', async () => {
  const paid = await payin('n4-paid')
  assert.equal(await bank.report(stateOf(paid)), 200)
  assert.deepEqual(await outcomesOf(paid), ['APPLIED'])
  for (const status of ['PENDING', 'FAILED', 'CANCELLED'] as const)
    assert.equal(await bank.report(stateOf(paid, { status })), 200)
  assert.deepEqual(await outcomesOf(paid), [
    'APPLIED',
    'KNOWN',
    'QUARANTINED CONTRADICTS',
    'QUARANTINED CONTRADICTS',
  ])
  assert.equal(await statusOf('n4-paid'), 'SUCCESS')
  const failed = await payin('n4-failed')
  assert.equal(await bank.report(stateOf(failed, { status: 'FAILED' })), 200)
  assert.deepEqual(await outcomesOf(failed), ['APPLIED'])
  assert.equal(await bank.report(stateOf(failed)), 200)
  assert.deepEqual(await outcomesOf(failed), ['APPLIED', 'QUARANTINED CONTRADICTS'])
  assert.equal(await statusOf('n4-failed'), 'FAILED')
  // The return overtakes the success: it waits for it.
  const returned = await payin('n4-returned')
  assert.equal(await bank.report(stateOf(returned, { status: 'RETURNED' })), 200)
  assert.equal(await bank.report(stateOf(returned)), 200)
  assert.deepEqual([...(await outcomesOf(returned))].sort(), ['APPLIED', 'APPLIED'])
  assert.equal(await statusOf('n4-returned'), 'REVERSED')
})

test('N4 what an institution signs but nobody understands is kept, and answered so that it is not sent for ever', async () => {
  const bodies = [
    '',
    '{',
    '[]',
    '{"idNotification":"n4-odd"}',
    JSON.stringify({ idNotification: 'n4-odd', payment: { ...stateOf('ABC'), status: 'PAID' } }),
  ]
  for (const body of bodies) assert.equal(await bank.post(body), 200, body)
  for (const body of bodies) assert.equal(await bank.post(body), 200, body)
  const rows = await gateway.sql(`select repeats from rail_notifications where reason = 'UNREADABLE'`)
  assert.equal(rows.length, bodies.length)
  assert.ok(rows.every((row) => row['repeats'] === 1))
})

test('N5 a message that is ahead of its payment waits for it, for a minute', async () => {
  const early = 'N5EARLY00001'
  assert.equal(await bank.report(stateOf(early)), 200)
  await payin('n5')
  await gateway.sql(`update payments set reference = $1 where id_payment = 'n5'`, [early])
  assert.deepEqual(await outcomesOf(early), ['APPLIED'])
  assert.equal(await statusOf('n5'), 'SUCCESS')
  const never = 'N5NEVER00001'
  assert.equal(await bank.report(stateOf(never)), 200)
  const waiting = await gateway.sql(`select state from rail_notifications where reference = $1`, [never])
  assert.equal(waiting[0]?.['state'], 'PENDING')
  await gateway.sql(
    `update rail_notifications set received_at = received_at - interval '60 seconds', due_at = now() where reference = $1`,
    [never],
  )
  assert.deepEqual(await outcomesOf(never), ['QUARANTINED REFERENCE_UNKNOWN'])
  const list = await tollgate(gateway, 'notifications', 'list', '--state', 'QUARANTINED')
  assert.match(list, /REFERENCE_UNKNOWN/)
})

/** The time to pay ends now, and the worker is at it. */
const endTime = (ids: readonly string[]) =>
  gateway.sql(
    `with ended as (update payments set expire_at = clock_timestamp() where id_payment = any($1))
     update payment_tasks set due_at = clock_timestamp() where id_payment = any($1) and task = 'EXPIRE'`,
    [ids],
  )

test('P20 money that comes before, at and after the end of the time to pay is the payment’s, once, and other money goes to people', async () => {
  const idsOf = (when: string): readonly string[] => Array.from({ length: 10 }, (_, n) => `p20-${when}-${n}`)
  const [before, at, late, other] = [idsOf('before'), idsOf('at'), idsOf('late'), idsOf('other')]
  const references = new Map<string, string>()
  for (const id of [...before, ...at, ...late, ...other]) references.set(id, await payin(id))
  const report = (ids: readonly string[], given: Partial<PaymentState> = {}) =>
    Promise.all(ids.map((id) => bank.report(stateOf(references.get(id) ?? '', given))))
  const untilAll = (ids: readonly string[], status: string): Promise<void> =>
    waitUntil(
      async () => (await Promise.all(ids.map((id) => statusOf(id)))).every((each) => each === status),
      {
        timeoutMs: 60_000,
        what: `all to be ${status}`,
      },
    )
  await report(before)
  await untilAll(before, 'SUCCESS')
  await Promise.all([endTime([...before, ...at, ...late, ...other]), report(at)])
  await untilAll([...late, ...other], 'EXPIRED')
  await Promise.all([report(late), report(other, { received: { amount: '24', currencyCode: 'EUR' } })])
  const paid = [...before, ...at, ...late]
  await untilAll(paid, 'SUCCESS')
  const booked = await gateway.sql(
    `select id_payment, count(*)::integer as n from ledger_transfers where id_payment like 'p20-%' group by id_payment`,
  )
  assert.deepEqual(
    booked.map((row) => [row['id_payment'], row['n']]).sort(),
    paid.map((id) => [id, 1]).sort(),
  )
  const phases = await gateway.sql(
    `select id_payment, processor_status from payments where id_payment like 'p20-late-%'`,
  )
  assert.deepEqual(new Set(phases.map((row) => row['processor_status'])), new Set(['CONFIRMED_LATE']))
  for (const id of other) {
    assert.deepEqual(await outcomesOf(references.get(id) ?? ''), ['QUARANTINED MONEY_DIFFERS'])
    assert.equal(await statusOf(id), 'EXPIRED')
  }
})

test('N6 what was answered 200 survives a kill, and is applied by whoever comes next', async (t) => {
  const { url: databaseUrl } = await testDatabase(t)
  const first = await startGateway(t, { env: settings, databaseUrl })
  const merchant = await addMerchant(first, 'SHOP')
  const institution = institutionOf(first, 'bank', SECRETS.bank)
  const ids = Array.from({ length: 30 }, (_, n) => `n6-${n}`)
  const references: string[] = []
  for (const id of ids) references.push(await payin(id, { merchant, at: first }))
  const acknowledged: string[] = []
  const reports = references.map(async (reference, n) => {
    const status = await institution.report(stateOf(reference)).catch(() => 0)
    if (status === 200) acknowledged.push(reference)
    if (n === 10) await first.kill()
  })
  await Promise.all(reports)
  assert.ok(acknowledged.length > 0)
  const stored = await first.sql(`select reference from rail_notifications`)
  const kept = new Set(stored.map((row) => String(row['reference'])))
  for (const reference of acknowledged)
    assert.ok(kept.has(reference), `${reference} was answered and is lost`)
  await startGateway(t, { beside: first, env: settings })
  // The leases of the worker that died end here, and not half a minute later.
  await first.sql(`update rail_notifications set due_at = now() where state = 'PENDING'`)
  const waiting = `select 1 from rail_notifications where state = 'PENDING'`
  await waitUntil(async () => (await first.sql(waiting)).length === 0, {
    timeoutMs: 45_000,
    what: 'the messages to be worked off',
  })
  // KNOWN is one that the dead worker had applied, and had not noted yet.
  const refused = await first.sql(
    `select reference, reason, detail from rail_notifications where state not in ('APPLIED', 'KNOWN')`,
  )
  assert.deepEqual(refused, [])
  const [paid] = await first.sql(`select count(*)::integer as n from payments where status = 'SUCCESS'`)
  assert.equal(paid?.['n'], kept.size)
})
