import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { statusReport } from '../support/pain002.ts'
import { newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'
import { camt, MIB, mt940, ownIban, type Posted, postAndLook } from './support/bank-files.ts'

// Files of banks that are as large as they may be, and made to keep others waiting.

const TIMEOUT_MS = 60_000
const database = (await testDatabase({ after })).url
const gateway = await startGateway({ after }, { databaseUrl: database })
const ada = gateway.operatorKey('ada')
const livez = `${gateway.url}/livez`
const ACCOUNT = '99999999/0000000001'
const IBAN = await ownIban(database)

/** Posts a large statement and looks at /livez meanwhile. */
const postLarge = (body: string, query = ''): Promise<Posted> =>
  postTo(`/operator/statements?fileName=large${query}`, body)

/** Posts a large body and looks at /livez meanwhile. */
async function postTo(path: string, body: string): Promise<Posted> {
  const url = `${gateway.operatorUrl}${path}`
  let posted = await postAndLook(url, { token: ada, body, lookAt: livez })
  const isAdmitted = async (): Promise<boolean> => {
    if (posted.status === 429) posted = await postAndLook(url, { token: ada, body, lookAt: livez })
    return posted.status !== 429
  }
  await waitUntil(isAdmitted, { timeoutMs: TIMEOUT_MS, what: 'the gateway to take a file' })
  return posted
}

/** More than an event loop answers that does the work itself: that one answers what had arrived before it began. */
const LOOKS_MIN = 10

/** Of a statement, as far as XML goes. */
const wrapped = (inside: string): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${inside}</Stmt></BkToCstmrStmt></Document>`
const filled = (piece: string, bytes = 15.5 * MIB): string => piece.repeat(Math.ceil(bytes / piece.length))

const mapping = {
  account: ACCOUNT,
  currencyCode: 'EUR',
  columns: { bookedOn: 'Date', amount: 'Amount', bankReference: 'Id', texts: ['Text'] },
}
const asCsv = `&mapping=${encodeURIComponent(JSON.stringify(mapping))}`

test('D31 XML of 16 MiB that is deep, has many elements, many attributes or one giant text never keeps others waiting', async () => {
  const many = await postLarge(wrapped(filled('<a></a>')))
  assert.match(many.text, /more than 2000000 elements.*Take smaller periods/)
  assert.ok(many.looks >= LOOKS_MIN, `${many.looks} looks`)
  const attributes = await postLarge(
    wrapped(filled(`<a ${Array.from({ length: 60 }, (_, index) => `b${index}=""`).join(' ')}/>`)),
  )
  assert.match(attributes.text, /more than 1000000 attributes/)
  assert.ok(attributes.looks >= LOOKS_MIN, `${attributes.looks} looks`)
  const few = [
    [wrapped(filled('<a>')), /nested more than 40 deep/],
    [wrapped(`<a>${filled('x')}</a>`), /a text of more than 1048576 characters/],
    [wrapped(`<a ${filled('b="" ').slice(0, 4 * MIB)}/>`), /more than 64 attributes/],
    [wrapped(`<!--${filled('- -')}-->`), /malformed comment/],
  ] as const
  for (const [text, said] of few) {
    const { status, text: told } = await postLarge(text)
    assert.equal(status, 400, told)
    assert.match(told, said)
  }
})

test('D32 MT940 of 16 MiB that makes patterns go to and fro never keeps others waiting', async () => {
  const bookings = await postLarge(mt940(ACCOUNT, [filled(':61:2611201120C1,00NTRFNONREF\r\n:86:x\r\n')]))
  assert.match(bookings.text, /bookings, more than 200000/)
  assert.ok(bookings.looks >= LOOKS_MIN, `${bookings.looks} looks`)
  const slashes = `:61:2611201120C1,00NTRFNONREF\r\n:86:/EREF/x/REMI/${'/'.repeat(9_000)}x\r\n`
  const { status, looks } = await postLarge(mt940(ACCOUNT, [filled(slashes, 2 * MIB)], 100))
  assert.ok([200, 400].includes(status))
  assert.ok(looks >= LOOKS_MIN, `${looks} looks`)
  const long = await postLarge(mt940(ACCOUNT, [`:86:${filled('?20?20 ')}`]))
  assert.match(long.text, /line 5: the line has \d+ characters; MT940 has 65/)
  const field = await postLarge(mt940(ACCOUNT, [':61:2611201120C1,00NTRFNONREF', ':86:x', filled('x\r\n')]))
  assert.match(field.text, /the field has more than 1000 lines/)
})

test('D33 CSV of 16 MiB of open quotation marks, endless cells or lines never keeps others waiting', async () => {
  const head = 'Date,Amount,Id,Text\n'
  const lines = await postLarge(`${head}${filled('2026-11-20,1.00,a,b\n')}`, asCsv)
  assert.match(lines.text, /more than 200000 bookings/)
  assert.ok(lines.looks >= LOOKS_MIN, `${lines.looks} looks`)
  for (const row of [
    `2026-11-20,1.00,a,"${filled('""')}`,
    `2026-11-20,1.00,a,${filled('b')}`,
    filled(','),
    filled('"a" '),
  ]) {
    const { status, text } = await postLarge(`${head}${row}`, asCsv)
    assert.equal(status, 400, text)
    assert.match(text, /the file is no CSV|columns|no line of it is a booking/)
  }
})

test('D43 more files at once than are read wait, and those beyond are told to come back; each is taken whole or not at all', async () => {
  const path = '/operator/statements?fileName=many'
  const file = (id: string): string =>
    camt('camt.053.001.08', {
      id,
      iban: IBAN,
      bookings: Array.from({ length: 300 }, (_, index) => ({
        cents: 100,
        text: 'm',
        reference: `${id}-${index}`,
      })),
    })
  const url = `${gateway.operatorUrl}${path}`
  const posted = await Promise.all(
    Array.from({ length: 24 }, () => postAndLook(url, { token: ada, body: file(newId()), lookAt: livez })),
  )
  for (const { status, retryAfter, text } of posted) {
    assert.ok([200, 429, 500].includes(status), text)
    if (status !== 200) assert.ok(retryAfter !== undefined, text)
  }
  const accepted = posted.filter(({ status }) => status === 200)
  assert.ok(accepted.length > 0)
  const [row] = await runSql(
    database,
    `select count(*)::int as lines from statement_lines l join statements s using (statement_id) join statement_files f using (file_id) where f.file_name = 'many'`,
  )
  const files = Number(row?.['lines']) / 300
  assert.ok(Number.isInteger(files), 'no file is taken in part')
  const unknown = posted.filter(({ status }) => status === 500)
  assert.ok(files >= accepted.length && files <= accepted.length + unknown.length, String(files))
})

test('D45 a statement of 6,000 entries full of what looks like references is taken while others are answered', async () => {
  const bookings = Array.from({ length: 6_000 }, (_, index) => ({
    cents: 100,
    text: `7Q2M8KX4ZC0D ${'VS1/'.repeat(20)}`,
    reference: `L-${index}`,
  }))
  const file = camt('camt.053.001.08', { id: 'LARGE', iban: IBAN, bookings })
  // Of a file that ends too early all is read and nothing stored: there is no other pause in which to answer.
  const broken = await postLarge(file.slice(0, file.lastIndexOf('</')))
  assert.equal(broken.status, 400, broken.text)
  assert.ok(broken.looks >= LOOKS_MIN, `${broken.looks} looks`)
  const { status, looks, text } = await postLarge(file)
  assert.equal(status, 200, text)
  assert.ok(looks >= LOOKS_MIN, `${looks} looks`)
})

test('D47 a status report of 50,000 transactions, about a file of ours or none, never keeps others waiting, is stored whole and read page by page', async () => {
  const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
  await fundBalance(gateway, token, { id: newId(), amount: '500' })
  await createPayout(gateway, token, { id: newId(), email: 'file@sandbox.test' })
  const run = await gateway.sendToOperators({
    method: 'POST',
    path: '/operator/payout-files',
    token: ada,
    body: { currencyCode: 'EUR' },
  })
  const ours = textAt(expectSuccess(run, 200), 'files', 0, 'fileId')
  const lines = Array.from({ length: 50_000 }, (_, index) => [`UNKNOWN-${index}`, 'ACSC'] as const)
  for (const fileId of [ours, 'NOT-OURS']) {
    const { status, looks, text } = await postTo(
      '/operator/payout-reports?fileName=large.xml',
      statusReport(fileId, lines),
    )
    assert.equal(status, 200, text.slice(0, 500))
    assert.ok(looks >= LOOKS_MIN, `${looks} looks`)
    const taken: unknown = JSON.parse(text)
    assert.deepEqual([at(taken, 'counts', 'ASIDE'), listAt(taken, 'entries').length], [50_000, 1_000])
    const path = `/operator/payout-reports/${textAt(taken, 'reportId')}`
    const cursor = textAt(taken, 'nextCursor')
    const next = await gateway.sendToOperators({
      method: 'GET',
      path: `${path}?cursor=${cursor}`,
      token: ada,
    })
    assert.equal(at(expectSuccess(next, 200), 'entries', 0, 'position'), 1_001)
    const last = Buffer.from('49500').toString('base64url')
    const end = await gateway.sendToOperators({ method: 'GET', path: `${path}?cursor=${last}`, token: ada })
    assert.deepEqual(
      [listAt(expectSuccess(end, 200), 'entries').length, at(end.body, 'nextCursor')],
      [500, undefined],
    )
  }
  // What ends in the middle is read and nothing more: all of the looks are while it is read.
  const cut = await postTo(
    '/operator/payout-reports?fileName=cut.xml',
    statusReport(ours, lines).slice(0, -20),
  )
  assert.equal(cut.status, 400, cut.text.slice(0, 500))
  assert.ok(cut.looks >= LOOKS_MIN, `${cut.looks} looks`)
})

test('D48 a rate list of thousands of sheets, or of 16 MiB and damaged, never keeps others waiting', async () => {
  const path = '/operator/rate-lists/LARGE/sheets'
  const made = { code: 'LARGE', baseCurrencyCode: 'EUR', name: 'Large' }
  expectSuccess(
    await gateway.sendToOperators({
      method: 'POST',
      path: '/operator/rate-lists',
      token: ada,
      body: made,
    }),
    201,
  )
  const day = (index: number): string =>
    new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString().slice(0, 10)
  const rows = Array.from(
    { length: 40 },
    (_, index) => `<Cube currency="A${String.fromCharCode(65 + (index % 26))}${index}" rate="1.${index}5"/>`,
  ).join('')
  const ecb = (count: number): string =>
    `<?xml version="1.0"?><gesmes:Envelope xmlns:gesmes="g" xmlns="e"><Cube>${Array.from({ length: count }, (_, index) => `<Cube time="${day(index)}">${rows}</Cube>`).join('\n')}</Cube></gesmes:Envelope>`
  const whole = await postTo(`${path}?format=ECB`, ecb(2_500))
  assert.equal(whole.status, 200, whole.text.slice(0, 500))
  assert.ok(whole.looks >= LOOKS_MIN, `${whole.looks} looks`)
  const json = `{"rates":[${filled('{"currencyCode":"USD","mid":1.1},')}{}]}`
  for (const [format, body] of [
    ['ECB', ecb(9_500).slice(0, -20)],
    ['CSV', `currencyCode,mid\n${filled('USD,1.1\n')}`],
    ['JSON', json],
  ] as const) {
    const { status, text, looks } = await postTo(`${path}?format=${format}&validFrom=2026-11-20`, body)
    assert.equal(status, 400, text.slice(0, 500))
    // The others are refused at their first lines.
    if (format === 'ECB') assert.ok(looks >= LOOKS_MIN, `${looks} looks`)
  }
})
