import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, testDatabase } from '@tollgate/testkit'
import { expectError, expectSuccess, violatedFields } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { addMerchant } from '../support/merchant.ts'
import { operatorsOf } from '../support/operators.ts'

// How much was paid by hour and day: who reads it, and that it is what was counted.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const { get } = await operatorsOf(gateway, {
  auditor: ['olga', 'AUDITOR'],
  catalogue: ['carl', 'CATALOGUE'],
})
await addMerchant(gateway, 'OTHER')

/** As the worker writes it: hour, merchant, method, what was entered, payments, amount. */
const COUNTED = [
  ['2026-03-10T08:00:00Z', 'DEMO', 'BANK_TRANSFER', 'CREATED', 4, '40'],
  ['2026-03-10T08:00:00Z', 'DEMO', 'BANK_TRANSFER', 'SUCCESS', 1, '10.000000000000000001'],
  ['2026-03-10T09:00:00Z', 'DEMO', 'CARD', 'LATE', 1, '10'],
  ['2026-03-10T09:00:00Z', 'OTHER', 'CARD', 'SUCCESS', 2, '20'],
  ['2026-03-10T09:00:00Z', 'OTHER', 'CARD', 'EXPIRED', 1, '10'],
] as const
for (const [hour, merchant, ...rest] of COUNTED)
  for (const step of ['HOUR', 'DAY'])
    await runSql(
      databaseUrl,
      `insert into payment_volumes as v select $1, date_trunc($1, $2::timestamptz, 'UTC'), merchant_id, 'PAYIN', $4, 'EUR', $5, $6, $7
      from merchants where merchant_code = $3 on conflict (step, begins_at, merchant_id, kind, method_code, currency_code, entered)
      do update set payments = v.payments + excluded.payments, amount = v.amount + excluded.amount`,
      [step, hour, merchant, ...rest],
    )
await runSql(
  databaseUrl,
  `insert into payment_house_volumes
    select step, begins_at, kind, method_code, currency_code, entered, sum(payments), sum(amount) from payment_volumes group by 1, 2, 3, 4, 5, 6`,
)

const CLI_TIMEOUT_MS = 60_000
const SPAN = 'from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z'

const rowsOf = async (query: string): Promise<readonly string[]> =>
  listAt(expectSuccess(await get('auditor', `volumes?${query}&${SPAN}`), 200), 'data').map((row) => {
    const names = ['merchantCode', 'paymentMethodCode'].filter((name) => at(row, name) !== undefined)
    const who = names.map((name) => textAt(row, name)).join(' ') || 'all'
    const counts = ['created', 'succeeded', 'late', 'expired'].map((name) =>
      String(at(row, name, 'payments')),
    )
    return `${textAt(row, 'from').slice(11, 16)} ${who} ${counts.join(' ')}, ${String(at(row, 'succeeded', 'amount'))}`
  })

test('S135 GET /operator/volumes → 200, GET /operator/volumes → 400, GET /operator/volumes → 410: as counted, added up, for readers of payments alone', async () => {
  assert.deepEqual(await rowsOf('step=DAY'), ['00:00 all 4 4 1 1, 40.000000000000000001'])
  assert.deepEqual(await rowsOf('step=HOUR'), [
    '08:00 all 4 1 0 0, 10.000000000000000001',
    '09:00 all 0 3 1 1, 30',
  ])
  assert.deepEqual(await rowsOf('step=DAY&by=MERCHANT'), [
    '00:00 DEMO 4 2 1 0, 20.000000000000000001',
    '00:00 OTHER 0 2 0 1, 20',
  ])
  assert.deepEqual(await rowsOf('step=DAY&by=METHOD&merchantCode=DEMO'), [
    '00:00 BANK_TRANSFER 4 1 0 0, 10.000000000000000001',
    '00:00 CARD 0 1 1 0, 10',
  ])
  assert.deepEqual(await rowsOf('step=DAY&paymentMethodCode=CARD&currencyCode=EUR&kind=PAYIN'), [
    '00:00 all 0 3 1 1, 30',
  ])
  assert.deepEqual(await rowsOf('step=DAY&kind=PAYOUT'), [])

  expectError(await get('catalogue', `volumes?step=DAY&${SPAN}`), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await get('auditor', `volumes?step=DAY&merchantCode=NONE&${SPAN}`), 410, 'ENTITY_NOT_FOUND')
  for (const query of [SPAN, 'step=DAY&from=2026-03-10T00:00:00Z'])
    expectError(await get('auditor', `volumes?${query}`), 400, 'ATTRIBUTE_REQUIRED')
  for (const [query, field] of [
    ['step=WEEK&from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z', 'step'],
    ['step=DAY&from=2026-03-10T01:00:00Z&to=2026-03-11T00:00:00Z', 'from'],
    ['step=HOUR&from=2026-03-10T01:30:00Z&to=2026-03-11T00:00:00Z', 'from'],
    ['step=HOUR&from=2026-13-10T01:00:00Z&to=2026-03-11T00:00:00Z', 'from'],
    ['step=HOUR&from=2026-03-11T00:00:00Z&to=2026-03-11T00:00:00Z', 'to'],
    ['step=HOUR&from=2026-03-01T00:00:00Z&to=2026-04-01T01:00:00Z', 'to'],
    ['step=DAY&from=2026-01-01T00:00:00Z&to=2027-03-01T00:00:00Z', 'to'],
  ] as const) {
    const refused = await get('auditor', `volumes?${query}`)
    expectError(refused, 400, 'ATTRIBUTE_VALUE_INVALID')
    assert(violatedFields(refused).includes(field), `${query}: ${refused.text}`)
  }
})

test('the command line shows the same, and says which day is none', async () => {
  const span = ['payments', 'volumes', '--to', '2026-03-11', '--from'] as const
  const shown = await gateway.cli(...span, '2026-03-10')
  assert.match(shown.stdout, /PAYIN +all +4 +4 +40\.000000000000000001 EUR +0 +0 +1 +0/)
  const refused = await gateway.tryCli([...span, '2026-02-30'], CLI_TIMEOUT_MS)
  assert.match(refused.stderr, /--from must be a day, such as 2026-11-21; it is "2026-02-30"/)
  assert.equal(refused.code, 2)
})
