import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, testDatabase } from '@tollgate/testkit'
import { expectError, expectSuccess, violatedFields } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'
import { createPayin, newId } from '../support/payins.ts'

// Finding payments: by whom, by what, and what is shown.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const { get } = await operatorsOf(gateway, {
  auditor: ['olga', 'AUDITOR'],
  catalogue: ['carl', 'CATALOGUE'],
  admin: ['adam', 'ADMIN'],
})
const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*')

const find = async (query: string) => expectSuccess(await get('auditor', `payments?${query}`), 200)
const idsOf = async (query: string): Promise<readonly string[]> =>
  listAt(await find(query), 'data').map((found) => textAt(found, 'idPayment'))

test('S108 GET /operator/payments → 200, GET /operator/payments → 400, GET /operator/payments → 410: found by id and reference by those who may read payments, and only by filters that are what they should be', async () => {
  const id = newId()
  await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
  const [found] = listAt(await find(`idPayment=${id}`), 'data')
  assert.equal(textAt(found, 'merchantCode'), 'DEMO')
  assert.equal(textAt(found, 'kind'), 'PAYIN')
  assert(!JSON.stringify(found).includes('sandbox.test'), 'no personal data is shown')
  const reference = textAt(found, 'reference')
  const amount = String(at(found, 'money', 'amount'))
  const currency = textAt(found, 'money', 'currencyCode')
  const method = textAt(found, 'paymentMethodCode')
  assert.deepEqual(await idsOf(`reference=${encodeURIComponent(reference)}`), [id])

  for (const [fits, fitsNot] of [
    ['merchantCode=DEMO', undefined],
    ['kind=PAYIN', 'kind=PAYOUT'],
    [undefined, 'status=REVERSED'],
    [`currencyCode=${currency}`, 'currencyCode=XXX'],
    [`paymentMethodCode=${method}`, 'paymentMethodCode=NONE'],
    [`amountFrom=${amount}`, `amountFrom=${amount}1`],
    [`amountTo=${amount}`, 'amountTo=0.01'],
    ['createdFrom=2020-01-01T00:00:00Z', 'createdFrom=2999-01-01T00:00:00Z'],
    ['createdTo=2999-01-01T00:00:00Z', 'createdTo=2020-01-01T00:00:00Z'],
  ] as const) {
    if (fits !== undefined) assert.deepEqual(await idsOf(`idPayment=${id}&${fits}`), [id], fits)
    if (fitsNot !== undefined) assert.deepEqual(await idsOf(`idPayment=${id}&${fitsNot}`), [], fitsNot)
  }
  assert.deepEqual(await idsOf(`idCustomer=${id}&merchantCode=DEMO`), [])

  for (const role of ['catalogue', 'admin'] as const)
    expectError(await get(role, `payments?idPayment=${id}`), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await get('auditor', `payments?idPayment=${id}&merchantCode=NONE`), 410, 'ENTITY_NOT_FOUND')
  for (const [query, field] of [
    ['', 'idPayment'],
    ['kind=PAYIN', 'idPayment'],
    ['createdTo=2026-11-21T00:00:00Z', 'idPayment'],
    ['createdFrom=2026-01-01T00:00:00Z&createdTo=2026-03-01T00:00:00Z', 'createdTo'],
    [`idPayment=${id}&reference=${reference}`, 'idPayment'],
    ['idCustomer=C-1', 'merchantCode'],
    [`reference=${'x'.repeat(251)}`, 'reference'],
    [`idPayment=${id}&amountFrom=1e9`, 'amountFrom'],
    [`idPayment=${id}&amountTo=NaN`, 'amountTo'],
    [`idPayment=${id}&createdFrom=2026-13-01T00:00:00Z`, 'createdFrom'],
    [`idPayment=${id}&status=LOST`, 'status'],
    [`idPayment=${id}&cursor=${Buffer.from("1:1:PAYIN:x'--").toString('base64url')}`, 'cursor'],
  ] as const) {
    const refused = await get('auditor', `payments?${query}`)
    expectError(refused, 400, 'ATTRIBUTE_VALUE_INVALID')
    assert(violatedFields(refused).includes(field), `${query}: ${refused.text}`)
  }
})

test('a payment of a merchant that moved to another cell is left out for who asks that cell, too', async () => {
  const id = newId()
  await createPayin(gateway, token, { id })
  const moveTo = (cell: string | null) =>
    runSql(databaseUrl, `update merchants set cell = $1 where merchant_code = 'DEMO'`, [cell])
  const lead = 'createdFrom=2020-01-01T00:00:00Z&createdTo=2020-01-02T00:00:00Z'
  assert.deepEqual(await idsOf(`idPayment=${id}&withoutCells=B,C`), [id])
  await moveTo('C')
  try {
    assert.deepEqual(await idsOf(`idPayment=${id}`), [id])
    assert.deepEqual(await idsOf(`idPayment=${id}&withoutCells=B`), [id])
    assert.deepEqual(await idsOf(`idPayment=${id}&withoutCells=B,C`), [])
    assert.deepEqual(await idsOf(`${lead}&withoutCells=C`), [])
  } finally {
    await moveTo(null)
  }
  const refused = await get('auditor', `payments?idPayment=${id}&withoutCells=b`)
  assert(violatedFields(refused).includes('withoutCells'), refused.text)
})

test('a payment is found by each of its references, however they are typed, and once where several are the same', async () => {
  const id = newId()
  const created = await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
  const printed = textAt(created.body, 'paymentMethodResponse', 'reference')
  const spelled = `${printed.replaceAll(/(.{4})(?=.)/g, '$1 ')} `
  for (const text of [spelled, spelled.toLowerCase(), printed.toLowerCase(), printed.slice(4).toLowerCase()])
    assert.deepEqual(await idsOf(`reference=${encodeURIComponent(text)}`), [id], text)
  const setTo = (own: string, printed: string, external: string) =>
    runSql(
      databaseUrl,
      `update payments set reference = $2, instructions = jsonb_build_object('reference', $3::text), external_reference = $4 where id_payment = $1`,
      [id, own, printed, external],
    )
  await setTo(`OWN-${id}`, `PRINTED-${id}`, `bank ${id}`)
  for (const reference of [`OWN-${id}`, `PRINTED-${id}`, `bank ${id}`])
    assert.deepEqual(await idsOf(`reference=${reference}&kind=PAYIN`), [id], reference)
  for (const [own, printed, external] of [
    ['S', 'S', 'S'],
    ['OWN', 'S', 'S'],
    ['S', 'PRINTED', 'S'],
    ['S', 'S', 'BANK'],
  ] as const) {
    const named = (text: string): string => `${text}-${id}`
    await setTo(named(own), named(printed), named(external))
    assert.deepEqual(await idsOf(`reference=${named('S')}`), [id], `${own} ${printed} ${external}`)
  }
})

test('payments with the same reference of an institution come page by page, each once; the command line finds them, too', async () => {
  const ids = [newId(), newId(), newId()]
  for (const id of ids) await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
  await runSql(databaseUrl, `update payments set external_reference = 'SAME' where id_payment = any($1)`, [
    ids,
  ])
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await find(`reference=SAME&limit=1${cursor}`)
    seen.push(...listAt(page, 'data').map((found) => textAt(found, 'idPayment')))
    cursor = at(page, 'nextCursor') === undefined ? '' : `&cursor=${textAt(page, 'nextCursor')}`
  } while (cursor !== '')
  assert.deepEqual(seen, ids.toReversed())
  const told = await gateway.cli('payments', 'list', '--reference', 'SAME', '--amount-from', '0.01', '--json')
  assert.deepEqual(
    listAt(JSON.parse(told.stdout), 'data').map((found) => textAt(found, 'idPayment')),
    seen,
  )
  assert.match((await gateway.cli('payments', 'list', '--id', ids[0] ?? '')).stdout, /PAYIN/)
})

test('S117 GET /operator/payments → 200, GET /operator/payments/export → 200, GET /operator/payments/export → 400, GET /operator/payments/export → 410: payments of a span of time, and all of them as CSV or JSON lines that add up; a text is never a formula', async () => {
  const createdFrom = new Date().toISOString()
  const ids = [newId(), newId(), newId()]
  for (const [index, id] of ids.entries())
    await createPayin(gateway, token, { id, amount: `${index + 1}.25`, email: 'success@sandbox.test' })
  await runSql(databaseUrl, `update payments set external_reference = '=1+1' where id_payment = $1`, [ids[0]])
  const span = `createdFrom=${createdFrom}`
  assert.deepEqual(await idsOf(span), ids.toReversed())
  assert.deepEqual(await idsOf(`${span}&amountFrom=2&amountTo=3`), [ids[1]])
  const first = await find(`${span}&limit=2`)
  assert.deepEqual(await idsOf(`${span}&limit=2&cursor=${textAt(first, 'nextCursor')}`), [ids[0]])

  const csv = await get('auditor', `payments/export?${span}`)
  assert.equal(csv.status, 200, csv.text)
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8; header=present/)
  const [head = '', ...lines] = csv.text.trimEnd().split('\r\n')
  const column = (name: string): number => head.split(',').indexOf(name)
  const cells = lines.map((line) => line.split(','))
  assert.deepEqual(
    cells.map((row) => row[column('idPayment')]),
    ids.toReversed(),
  )
  assert.equal(
    cells.reduce((sum, row) => sum + Number(row[column('amount')]), 0),
    6.75,
  )
  assert.equal(cells[2]?.[column('externalReference')], "'=1+1")

  const json = await get('auditor', `payments/export?${span}&format=jsonl&kind=PAYIN`)
  const rows: readonly unknown[] = json.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    rows.map((row) => textAt(row, 'amount')),
    ['3.25', '2.25', '1.25'],
  )
  assert.equal((await get('auditor', `payments/export?${span}&kind=PAYOUT&format=jsonl`)).text, '')

  expectError(await get('catalogue', `payments/export?${span}`), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await get('auditor', `payments/export?${span}&merchantCode=NONE`), 410, 'ENTITY_NOT_FOUND')
  for (const query of ['', `${span}&format=xml`, 'createdFrom=yesterday'])
    expectError(await get('auditor', `payments/export?${query}`), 400, 'ATTRIBUTE_VALUE_INVALID')
})
