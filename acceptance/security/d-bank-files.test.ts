import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { startGateway, temporaryFolder } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { statusReport } from '../support/pain002.ts'
import { runProgram } from '../support/process.ts'
import { camt, mt940, ownIban } from './support/bank-files.ts'

// Files of banks, as somebody hands them in who lies, or whose program is broken: through the API and the command line.

const TIMEOUT_MS = 60_000
const folder = temporaryFolder()
const database = (await testDatabase({ after })).url
const gateway = await startGateway({ after }, { databaseUrl: database })
const ada = gateway.operatorKey('ada')
const keyFile = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]
const ACCOUNT = '99999999/0000000001'
const IBAN = await ownIban(database)

const countsOf = async (): Promise<string> => {
  const [row] = await runSql(
    database,
    `select (select count(*) from statement_files) || ' ' || (select count(*) from statement_lines) as counts`,
  )
  return String(row?.['counts'])
}

/** A person would wait, too, when told to. */
async function admitted(request: RawRequest): Promise<RawResponse> {
  let response = await gateway.sendToOperators(request)
  const isAdmitted = async (): Promise<boolean> => {
    if (response.status === 429) response = await gateway.sendToOperators(request)
    return response.status !== 429
  }
  await waitUntil(isAdmitted, { timeoutMs: TIMEOUT_MS, what: 'the gateway to take a request' })
  return response
}

const read = (path: string): Promise<RawResponse> => admitted({ method: 'GET', path, token: ada })
const report = (content: string | Buffer): Promise<RawResponse> =>
  admitted({
    method: 'POST',
    path: '/operator/payout-reports?fileName=r.xml',
    token: ada,
    rawBody: content,
    headers: { 'content-type': 'application/xml' },
  })

const take = (text: string, query = ''): Promise<RawResponse> =>
  admitted({
    method: 'POST',
    path: `/operator/statements?fileName=file${query}`,
    token: ada,
    rawBody: text,
    headers: { 'content-type': 'text/plain' },
  })

/** What is said of a file that is refused as a whole. */
async function refusalOf(text: string, query = ''): Promise<string> {
  const before = await countsOf()
  const { status, body } = await take(text, query)
  assert.equal(status, 400, JSON.stringify(body))
  assert.equal(await countsOf(), before, 'something of it was stored')
  return textAt(body, 'message')
}

async function taken(text: string, query = ''): Promise<unknown> {
  const { status, body } = await take(text, query)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const linesIn = (body: unknown): readonly unknown[] =>
  listAt(body, 'statements').flatMap((statement) => [at(statement, 'lineCount'), at(statement, 'knownCount')])
const warningsIn = (body: unknown): string => listAt(body, 'warnings').map(String).join('\n')

const mapping = {
  account: ACCOUNT,
  currencyCode: 'EUR',
  columns: { bookedOn: 'Date', amount: 'Amount', bankReference: 'Id', texts: ['Text'] },
}
const asCsv = `&mapping=${encodeURIComponent(JSON.stringify(mapping))}`

/** A command that must end with this exit code; what it says. */
async function fails(code: number, ...parts: readonly string[]): Promise<string> {
  const outcome = await runCommand(parts)
  assert.equal(outcome.code, code, outcome.stdout + outcome.stderr)
  return outcome.stderr
}
const runCommand = (parts: readonly string[]) =>
  runProgram(['apps/gateway/bin/tollgate.mjs', ...parts], settings())
const settings = () => ({
  TOLLGATE_DATA_DIR: gateway.dataDir,
  TOLLGATE_DATABASE_URL: database,
  TOLLGATE_OPERATOR_PORT: new URL(gateway.operatorUrl).port,
})

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('D30 entities and document types: a statement, a notification and a report that declare them are refused with the line', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  const outside = '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">'
  for (const message of ['camt.053.001.08', 'camt.054.001.08'] as const) {
    const plain = camt(message, { id: 'B1', iban: IBAN, bookings: [{ cents: 100, text: '&b;' }] })
    for (const declared of [bomb, outside])
      assert.match(
        await refusalOf(plain.replace('\n', `\n${declared}`)),
        /^line 2: the file declares a document type/,
      )
    assert.match(await refusalOf(plain), /line 4: .* undefined entity/)
  }
  const pain = statusReport('PF1', [['E1', 'ACSC']])
  const refused = await report(pain.replace('\n', `\n${bomb}`))
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /It declares a document type/)
})

test('D34 a status report that is deep, giant, cut off or in other letters is refused with the place', async () => {
  const pain = statusReport('PF1', [['E1', 'ACSC']])
  const inside = (text: string): string => pain.replace('<OrgnlPmtInfId>', `${text}<OrgnlPmtInfId>`)
  const instructed = (amount: string): string =>
    pain.replace('</TxInfAndSts>', `<OrgnlTxRef><Amt>${amount}</Amt></OrgnlTxRef></TxInfAndSts>`)
  const cases: readonly (readonly [string, RegExp])[] = [
    [inside('<a>'.repeat(50)), /nested more than 40 deep \(line 5\)/],
    [inside(`<a>${'x'.repeat(1_100_000)}</a>`), /a text of more than 1048576 characters/],
    [inside('<a b="1" b="2"/>'), /line 5: duplicate attribute: b/],
    [pain.slice(0, 400), /It is not well-formed XML: line \d+/],
    [
      pain.replace('CstmrPmtStsRpt', 'Other').replace('/CstmrPmtStsRpt', '/Other'),
      /This is no status report/,
    ],
    // What is said of numbers and money is checked, so it has to be readable.
    [
      pain.replace('<GrpSts>', '<OrgnlNbOfTxs>two</OrgnlNbOfTxs><GrpSts>'),
      /OrgnlNbOfTxs.* is no number of transactions/,
    ],
    [pain.replace('<GrpSts>', '<OrgnlCtrlSum>9999,99</OrgnlCtrlSum><GrpSts>'), /OrgnlCtrlSum.* is no amount/],
    [instructed('<InstdAmt Ccy="EUR">9999,99</InstdAmt>'), /TxInfAndSts.*InstdAmt.* is no amount/],
    [instructed('<InstdAmt>9999.99</InstdAmt>'), /InstdAmt.* has no currency/],
    [
      pain.replace('</OrgnlPmtInfAndSts>', `${'<TxInfAndSts/>'.repeat(50_001)}</OrgnlPmtInfAndSts>`),
      /at most 50000 are read at once/,
    ],
    [pain.replace(/<OrgnlMsgId>.*<\/OrgnlMsgId>/, ''), /does not say which file it is about \(OrgnlMsgId\)/],
  ]
  for (const [content, said] of cases) {
    const response = await report(content)
    assert.equal(response.status, 400, String(said))
    assert.match(JSON.stringify(response.body), said)
  }
})

test('D35 a report about a file that is not ours is put aside, kept whole and listed, and the same one is taken once', async () => {
  const content = statusReport('NOT-OURS', [['E1', 'ACSC']])
  const post = () => report(content)
  const first = await post()
  assert.equal(first.status, 200)
  const again = await post()
  assert.equal(textAt(again.body, 'reportId'), textAt(first.body, 'reportId'))
  const listed = await read('/operator/payout-reports?aside=true')
  assert.ok(JSON.stringify(listed.body).includes(textAt(first.body, 'reportId')))
  const [kept] = await runSql(database, 'select octet_length(sealed) > $1 as whole from payout_reports', [
    content.length,
  ])
  assert.equal(kept?.['whole'], true)
})

test('D36 sums that do not agree are a warning that stays with the file, and refuse it where that is asked for', async () => {
  const wrong = camt('camt.053.001.08', {
    id: 'W1',
    iban: IBAN,
    closing: 999,
    bookings: [{ cents: 500, text: 'w', reference: 'W-1' }],
  })
  const short = mt940(ACCOUNT, [':61:2611201120C7,00NTRFNONREF//W-2', ':86:w'], 800)
  for (const text of [wrong, short]) {
    assert.match(await refusalOf(text, '&strict=true'), /does not add up: .* are not accounted for/)
    assert.match(warningsIn(await taken(text)), /does not add up/)
  }
  const files = await read('/operator/statements')
  assert.match(JSON.stringify(files.body), /does not add up/)
})

test('D37 a statement of somebody else’s account is refused, also where a person says that it is ours', async () => {
  const foreign = camt('camt.053.001.08', {
    id: 'F1',
    iban: 'DE02120300000000202051',
    bookings: [{ cents: 100, text: 'f' }],
  })
  assert.match(
    await refusalOf(foreign),
    /of the account DE02120300000000202051 in EUR, which is none of ours/,
  )
  const ours = camt('camt.053.001.08', { id: 'F2', iban: IBAN, bookings: [{ cents: 100, text: 'f' }] })
  const codes = await runSql(database, `select account_code from bank_accounts where currency_code = 'CZK'`)
  const other = String(codes[0]?.['account_code'])
  assert.match(await refusalOf(ours, `&account=${other}`), new RegExp(`which is .* and not ${other}`))
})

test('D38 a placeholder is no reference: of two equal payments with NONREF both count, and none is matched by it', async () => {
  const twice = [':61:2611201120C3,00NTRFNONREF//NONREF', ':86:gift']
  assert.deepEqual(linesIn(await taken(mt940(ACCOUNT, [...twice, ...twice], 600))), [2, 0])
  const inCamt = ['NONREF', 'NOTPROVIDED', 'N/A', '000'].map((reference) => ({
    cents: 400,
    text: 'same',
    reference,
  }))
  const body = await taken(camt('camt.053.001.08', { id: 'P1', iban: IBAN, bookings: inCamt }))
  assert.deepEqual(linesIn(body), [4, 0])
  assert.equal(at(body, 'matched'), 0)
  const [row] = await runSql(
    database,
    `select count(*)::int as named from statement_lines where bank_reference ~* '^(nonref|notprovided|n/a|0+)$'`,
  )
  assert.equal(row?.['named'], 0)
})

test('D39 the same file, the same lines in another one, and equal bookings that nobody can tell apart', async () => {
  const bookings = [{ cents: 1100, text: 'a', reference: 'D39-1' }]
  const first = camt('camt.053.001.08', { id: 'D1', iban: IBAN, bookings })
  assert.deepEqual(linesIn(await taken(first)), [1, 0])
  assert.equal(textAt(await taken(first), 'result'), 'KNOWN')
  assert.deepEqual(linesIn(await taken(first.replace('<Id>D1</Id>', '<Id>D1 </Id>'))), [0, 1])
  const nameless = (id: string) =>
    camt('camt.054.001.08', { id, iban: IBAN, bookings: [{ cents: 1300, text: 'nameless' }] })
  assert.deepEqual(linesIn(await taken(nameless('N1'))), [1, 0])
  const second = await taken(nameless('N2'))
  assert.deepEqual(linesIn(second), [1, 0])
  assert.match(warningsIn(second), /looks like statement line \d+, .* It is put aside/)
  const waiting = await read('/operator/statement-lines?states=UNKNOWN&limit=5')
  assert.match(JSON.stringify(waiting.body), /it looks like statement line \d+, which another file brought/)
  await gateway.cli('ledger', 'check')
})

test('D40 a file that was cut off, mixed up or is something else is refused with the line and what to do', async () => {
  const whole = camt('camt.053.001.08', { id: 'C1', iban: IBAN, bookings: [{ cents: 100, text: 'c' }] })
  const cases: readonly (readonly [text: string, said: RegExp, query?: string])[] = [
    [whole.slice(0, -30), /^line 4: this is not well-formed XML: .* Fetch it anew/],
    [whole.replace('<Cd>BOOK</Cd>', ''), /Ntry: Sts is missing/],
    [whole.replace('2026-11-20</Dt></BookgDt>', '2026-02-30</Dt></BookgDt>'), /Ntry: 2026-02-30 is no day/],
    [whole.replace('>1.00<', '>1,00<'), /Amt: "1,00" is no amount/],
    [whole.replaceAll('camt.053', 'camt.052'), /intraday report/],
    [mt940(ACCOUNT, []).replace(/:62F:[\s\S]*/, ''), /^line 1: .* Was the file cut off/],
    [mt940(ACCOUNT, [':61:26112011C']), /^line 5: .* is no booking/],
    [mt940(ACCOUNT, []).replace(':60F:', ':34F:'), /MT942/],
    ['PK\u0003\u0004', /^line 1: it is neither XML/],
    ['Date,Amount,Id,Text\n2026-11-20,1.00\n', /^line 2: it has 2 columns/, asCsv],
    [
      'Date,Amount,Id,Text\n20.11.2026,1.00,a,b\n',
      /^line 2: "20.11.2026" is no day of the form YYYY-MM-DD/,
      asCsv,
    ],
    ['Datum,Amount,Id,Text\n2026-11-20,1.00,a,b\n', /^line 1: there is no column "Date"/, asCsv],
  ]
  for (const [text, said, query] of cases) assert.match(await refusalOf(text, query), said)
})

test('D41 letters are read as the encoding that was named, by API and command line, and a wrong one is refused', async () => {
  const text = (reference: string): string =>
    mt940(ACCOUNT, [`:61:2611201120C2,00NTRFNONREF//${reference}`, ':86:J\u0081rgen'], 200)
  const path = fileOf('cp850.sta', Buffer.from(text('E-1'), 'latin1'))
  const imported = await gateway.cli('statements', 'import', path, '--encoding', 'cp850', ...keyFile)
  assert.doesNotMatch(imported.stderr, /windows-1252/)
  const { body } = await read('/operator/statement-lines?limit=1')
  const shown = await read(`/operator/statement-lines/${textAt(body, 'data', 0, 'lineId')}/details`)
  assert.match(JSON.stringify(shown.body), /Jürgen/)
  assert.match(await refusalOf(text('E-2'), '&encoding=klingon'), /should be in klingon, which is not known/)
  // A mark at its beginning says what a file is written in, whatever was named.
  assert.deepEqual(linesIn(await taken(`\ufeff${text('E-3')}`, '&encoding=utf-16le')), [1, 0])
  assert.match(
    await fails(6, 'statements', 'import', path, '--encoding', 'utf-8', ...keyFile),
    /cp850.sta: the file should be in utf-8, but it is not/,
  )
})

test('D41 a status report is read as its mark or first line says, byte by byte, and refused where its letters are of neither', async () => {
  const text = (messageId: string, encoding: string): string =>
    statusReport('NO-FILE', [['E1', 'ACSC']])
      .replace('UTF-8', encoding)
      .replace('BANK-NO-FILE', `BÜRO-${messageId}`)
  const utf16 = Buffer.from(`\ufeff${text('U16', 'UTF-16')}`, 'utf16le')
  const bigEndian = Buffer.from(`\ufeff${text('U16BE', 'UTF-16')}`, 'utf16le').swap16()
  const latin = Buffer.from(text('LATIN', 'ISO-8859-1'), 'latin1')
  const digests: string[] = []
  for (const [bytes, messageId] of [
    [utf16, 'U16'],
    [bigEndian, 'U16BE'],
    [latin, 'LATIN'],
  ] as const) {
    const { status, body, text: told } = await report(bytes)
    assert.equal(status, 200, told)
    assert.equal(textAt(body, 'messageId'), `BÜRO-${messageId}`)
    digests.push(createHash('sha256').update(bytes).digest('hex'))
  }
  const kept = await runSql(
    database,
    `select encode(content_hash, 'hex') as digest from payout_reports where message_id like 'BÜRO-%' order by report_id`,
  )
  // Of the bytes as they came, not of their letters.
  assert.deepEqual(
    kept.map(({ digest }) => digest),
    digests,
  )
  for (const [bytes, said] of [
    [Buffer.from(text('X', 'UTF-8'), 'latin1'), /should be in UTF-8, but it is not/],
    [Buffer.from(text('X', 'KLINGON'), 'latin1'), /should be in KLINGON, which is not known/],
    [Buffer.from(text('X', 'UTF-16'), 'utf16le'), /well-formed|should be in/],
  ] as const) {
    const response = await report(bytes)
    assert.equal(response.status, 400)
    assert.match(textAt(response.body, 'message'), said)
  }
  const path = fileOf('latin.xml', Buffer.from(text('COMMAND', 'ISO-8859-1'), 'latin1'))
  // Nothing follows from a report about no file of ours, and the command says so by its exit code.
  await fails(6, 'payout-files', 'report', path, ...keyFile)
  const { body } = await read('/operator/payout-reports?limit=1')
  assert.equal(textAt(body, 'data', 0, 'messageId'), 'BÜRO-COMMAND')
})

test('D42 days that no calendar has, lines of nothing and marks of other banks are clamped or left out, and said', async () => {
  const body = await taken(
    mt940(
      ACCOUNT,
      [
        ':61:2602300302C5,00 NTRFNONREF//V-1',
        ':86:x',
        ':61:261120    CR0,00NMSCNONREF',
        ':61:261120    CR6,00NOV NONREF//V-2',
        ':86:one',
        '-',
        'two',
      ],
      1100,
    ),
  )
  assert.deepEqual(linesIn(body), [2, 0])
  assert.match(warningsIn(body), /line 5: the value date 2026-02-30 .* 2026-02-28 is taken/)
  assert.match(warningsIn(body), /line 7 moves no money and is left out/)
})

test('D44 a rate list with entities, in other letters, of another base, with doubled rows or too many is refused with the line', async () => {
  await gateway.cli('rates', 'create', 'DOCS', '--base', 'EUR', '--name', 'Documents')
  const ecb = (inside: string): string =>
    `<?xml version="1.0"?>\n${inside}<gesmes:Envelope xmlns:gesmes="g" xmlns="e"><Cube><Cube time="2026-11-20"><Cube currency="USD" rate="1.1"/></Cube></Cube></gesmes:Envelope>`
  const cases: readonly (readonly [
    name: string,
    content: string | Uint8Array,
    format: string,
    said: RegExp,
  ])[] = [
    ['bomb.xml', ecb('<!DOCTYPE x [<!ENTITY a "b">]>'), 'ecb', /document type/],
    ['cut.xml', ecb('').slice(0, -20), 'ecb', /line 2/],
    ['letters.csv', Buffer.from('currencyCode,mid\nUSD,1.1\n\u00fc', 'latin1'), 'csv', /not in UTF-8/],
    ['twice.csv', 'currencyCode,mid\nUSD,1.1\nUSD,1.2\n', 'csv', /line 3: .*USD/],
    ['wrong.csv', 'currencyCode,mid\nUSD,-1\nGBP,abc\n', 'csv', /line 2: [\s\S]*line 3: /],
    ['many.csv', `currencyCode,mid\n${'USD,1.1\n'.repeat(200_000)}`, 'csv', /at most 500/],
    ['other.json', '{"baseCurrencyCode":"USD","rates":[]}', 'json', /baseCurrencyCode: is not EUR/],
  ]
  for (const [name, content, format, said] of cases) {
    const outcome = await runCommand([
      'rates',
      'import',
      'DOCS',
      fileOf(name, content),
      '--format',
      format,
      '--valid-from',
      '2026-11-20',
    ])
    assert.notEqual(outcome.code, 0, name)
    assert.match(outcome.stderr, said, name)
  }
})
