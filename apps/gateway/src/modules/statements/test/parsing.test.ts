import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FileProblem } from '../errors.ts'
import { differencesIn } from '../formats/balances.ts'
import { readCsvMapping } from '../formats/csv-mapping.ts'
import { readStatementFile } from '../formats/recognise.ts'
import { OWN_IBAN, writeCamt } from './camt-writer.ts'

const problemOf = (text: string | Uint8Array, mapping?: string): string => {
  try {
    readStatementFile(Buffer.from(text), mapping === undefined ? {} : { mapping: readCsvMapping(mapping) })
  } catch (error) {
    assert.ok(error instanceof FileProblem, String(error))
    return error.message
  }
  return assert.fail('it was read')
}
const camt = (inside: string): string =>
  writeCamt({ statements: [{ entries: [{ amount: '1', text: inside }] }] })
const detailsIn = (text: string | Uint8Array, mapping?: string) =>
  readStatementFile(
    Buffer.from(text),
    mapping === undefined ? {} : { mapping: readCsvMapping(mapping) },
  ).statements.flatMap(({ entries }) => entries.flatMap(({ parts }) => parts.map(({ details }) => details)))

test('nothing in an XML file names another file or grows', () => {
  const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`
  const external = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>`
  for (const declared of [entities, external, '<!DOCTYPE x SYSTEM "http://a.example/x.dtd">'])
    assert.match(
      problemOf(camt('&b;').replace('?>', `?>${declared}`)),
      /line 1: the file declares a document type/,
    )
  assert.match(
    problemOf(camt('x').replace('>x<', '>&a;<')),
    /^line \d+: this is not well-formed XML: undefined entity/,
  )
  assert.match(
    problemOf(`${'<a>'.repeat(60)}${'</a>'.repeat(60)}`),
    /elements that are nested more than 40 deep, more than is read/,
  )
})

test('what is wrong with the XML itself is said with its place, and with what to do', () => {
  assert.equal(
    problemOf('<?xml version="1.0"?>\n<!DOCTYPE a><a/>'),
    'line 2: the file declares a document type; no bank needs one, and it is not taken. Ask the bank for the plain message.',
  )
  assert.equal(
    problemOf('<a>\n1 & 2</a>'),
    'line 2: this is not well-formed XML: unclosed tag: a. Was the file cut off? Fetch it anew.',
  )
  assert.match(problemOf('<a/>\n<b/>'), /^line 2: .* documents may contain only one root\. Was/)
  assert.match(problemOf('<a><b/>\n<b>&x;</b></a>'), /^line 2: .* undefined entity\. Was/)
})

test('characters of XML are read as what they stand for, once', () => {
  assert.deepEqual(detailsIn(camt('T & S <3 "q" &amp;')), [{ texts: ['T & S <3 "q" &amp;'] }])
  const byNumber = camt('X').replace('>X<', '>&#39;&#x41;&amp;#66;<')
  assert.deepEqual(detailsIn(byNumber), [{ texts: ["'A&#66;"] }])
  assert.deepEqual(detailsIn(camt('X').replace('>X<', '><![CDATA[ <5 &amp; ]]><')), [{ texts: ['<5 &amp;'] }])
})

test('a file that is cut off, empty or something else says so', () => {
  const whole = camt('x')
  assert.match(problemOf(whole.slice(0, whole.length - 40)), /^line \d+: this is not well-formed XML/)
  assert.match(problemOf(''), /the file is empty/)
  assert.match(problemOf('PK\u0003\u0004'), /neither XML .* nor MT940/)
  assert.match(problemOf('<html><body/></html>'), /it holds no element Document/)
  assert.match(problemOf(whole.replaceAll('camt.053', 'camt.052')), /this is camt.052, an intraday report/)
  assert.match(
    problemOf(whole.replaceAll('camt.053', 'pain.001')),
    /this is pain.001; statements are camt.053/,
  )
  assert.match(problemOf(whole.replace('053.001.08', '053.001.01')), /this is version 1 of camt.053/)
  assert.match(
    problemOf(`${whole}${whole.slice(whole.indexOf('<Document'))}`),
    /one root element|well-formed/,
  )
})

test('what is wrong in a booking is named with its path', () => {
  const wrongs = [
    [
      /<Amt Ccy="EUR">1<\/Amt><CdtDbtInd>CRDT<\/CdtDbtInd><Sts>/,
      '<Amt Ccy="EUR">1,5</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>',
      /Ntry\/Amt: "1,5" is no amount/,
    ],
    [/<Ntry><Amt Ccy="EUR">/, '<Ntry><Amt>', /Ntry\/Amt: the amount has no currency/],
    [/<BookgDt><Dt>2026-11-20</, '<BookgDt><Dt>2026-02-30<', /Ntry: 2026-02-30 is no day of the calendar/],
    [/<Sts><Cd>BOOK<\/Cd><\/Sts>/, '', /Ntry: Sts is missing/],
    [/(<Ntry>.*?)CRDT/s, '$1X', /Ntry: CdtDbtInd says neither/],
    [/<Acct>.*<\/Acct>/, '', /Stmt: nothing says which account it is of/],
  ] as const
  for (const [place, instead, message] of wrongs)
    assert.match(problemOf(camt('x').replace(place, instead)), message)
})

test('an envelope of a channel and prefixes are looked through', () => {
  const inside = camt('x').replace(/^<\?xml.*\?>\s*/, '')
  const prefixed = inside.replaceAll(/<(\/?)(?=[A-Z])/g, '<$1c:').replace('xmlns=', 'xmlns:c=')
  for (const text of [`<DataPDU><Body><AppHdr/>${inside}</Body></DataPDU>`, prefixed])
    assert.deepEqual(detailsIn(text), [{ texts: ['x'] }])
})

test('files come in the encodings of their banks', () => {
  const latin = Buffer.from(camt('Grüße').replace('UTF-8', 'ISO-8859-1'), 'latin1')
  const utf16 = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from(camt('Grüße').replace('UTF-8', 'UTF-16'), 'utf16le'),
  ])
  for (const bytes of [latin, utf16, Buffer.from(`\ufeff${camt('Grüße')}`)])
    assert.deepEqual(detailsIn(bytes), [{ texts: ['Grüße'] }])
  assert.match(problemOf(Buffer.from(camt('Grüße'), 'latin1')), /should be in UTF-8, but it is not/)
})

const MT940 = [
  ':20:A',
  ':25:NL91ABNA0417164300 EUR',
  ':28C:1',
  ':60F:C251231EUR10,',
  ':61:2601021231C5,00NTRFE2E-1//BANK-1',
  ':86:/TRTP/SEPA/IBAN/CZ6508000000192000145399/BIC/GIBACZPX/NAME/Jana Nova/REMI/order',
  ' 12/EREF/E2E-9/',
  ':61:260102RD2,00NTRFNONREF',
  ':86:166?20SVWZ+Hello?32Jana?31CZ65',
  ':61:260102EC7,00NTRFNONREF',
  ':62F:C260102EUR17,00',
  '-',
]

test('MT940: directions, years, expected bookings and codes between slashes', () => {
  const file = readStatementFile(Buffer.from(`{1:F01}{2:O940}{4:\r\n${MT940.join('\r\n')}}\r\n`))
  assert.deepEqual(differencesIn(file), [])
  const [statement] = file.statements
  assert.deepEqual(
    [statement?.account, statement?.pendingCount],
    [{ iban: 'NL91ABNA0417164300', text: 'NL91ABNA0417164300 EUR' }, 1],
  )
  assert.deepEqual(
    statement?.entries.map(({ direction, isReversal, bookedOn, valuedOn, bankReference, parts }) => [
      direction,
      isReversal,
      bookedOn,
      valuedOn,
      bankReference,
      parts[0]?.details,
    ]),
    [
      [
        'CREDIT',
        false,
        '2025-12-31',
        '2026-01-02',
        'BANK-1',
        {
          partyName: 'Jana Nova',
          partyAccount: 'CZ6508000000192000145399',
          partyBank: 'GIBACZPX',
          endToEndId: 'E2E-9',
          references: ['E2E-1'],
          transferReferences: ['E2E-1'],
          texts: ['order 12'],
        },
      ],
      [
        'CREDIT',
        true,
        '2026-01-02',
        '2026-01-02',
        undefined,
        { partyName: 'Jana', partyAccount: 'CZ65', texts: ['Hello'] },
      ],
    ],
  )
})

test('MT940: what is wrong is named with its line', () => {
  const without = (tag: string): string => MT940.filter((line) => !line.startsWith(tag)).join('\n')
  assert.match(problemOf(without(':62F:')), /^line 1: the statement has no closing balance/)
  assert.match(problemOf(without(':60F:')), /no opening balance/)
  assert.match(problemOf(without(':25:')), /names no account/)
  assert.match(
    problemOf(MT940.join('\n').replace('C5,00N', 'C5.00N')),
    /^line 5: "5.00" is no amount with the decimal sign ","/,
  )
  assert.match(
    problemOf(MT940.join('\n').replace('2601021231', '2613021231')),
    /^line 5: 2026-13-02 is no day/,
  )
  assert.match(problemOf(MT940.join('\n').replace(':61:', ':61:x')), /^line 5: .* is no booking/)
  assert.match(problemOf(`:20:A\n:25:1\n:34F:EUR0,\n`), /MT942, an interim report/)
})

const MAPPING = {
  delimiter: ';',
  encoding: 'windows-1250',
  linesSkipped: 1,
  decimalSign: ',',
  thousandsSign: ' ',
  dateFormat: 'DD.MM.YYYY',
  account: '19-2000145399',
  currencyCode: 'CZK',
  bookedWords: ['Zaúčtováno'],
  columns: {
    bookedOn: 'Datum',
    amount: 'Částka',
    variableSymbol: 'VS',
    partyName: 'Název protistrany',
    partyAccount: 5,
    texts: ['Zpráva'],
    status: 'Stav',
  },
}
const CSV = [
  'Výpis z účtu',
  'Datum;Částka;VS;Název protistrany;Protiúčet;Zpráva;Stav',
  '20.11.2026 10:15;1 234,50;0000012345;Nováková Jana;123/0800;"děkuji; moc";Zaúčtováno',
  '21.11.2026;-5,00;;Banka;;poplatek;Zaúčtováno',
  '22.11.2026;7,00;;;;;Čeká',
].join('\r\n')
const LETTERS = new Map(
  Object.entries({ á: 0xe1, č: 0xe8, Č: 0xc8, ú: 0xfa, ě: 0xec, í: 0xed, ý: 0xfd, é: 0xe9 }),
)
/** In windows-1250, as far as these letters go. */
const czech = (text: string): Buffer =>
  Buffer.from(Array.from(text, (each) => LETTERS.get(each) ?? each.charCodeAt(0)))

test('CSV by its mapping: columns, signs, dates, encoding, and what is not booked', () => {
  const mapping = readCsvMapping(JSON.stringify(MAPPING))
  const { statements } = readStatementFile(czech(CSV), { mapping })
  const [statement] = statements
  assert.ok(statement !== undefined)
  assert.equal(statement.pendingCount, 1)
  assert.deepEqual(
    statement.entries.map(({ where, direction, amount, bookedOn, parts }) => [
      where,
      direction,
      amount,
      bookedOn,
      parts[0]?.details,
    ]),
    [
      [
        'line 3',
        'CREDIT',
        '1234.5',
        '2026-11-20',
        {
          partyName: 'Nováková Jana',
          partyAccount: '123/0800',
          variableSymbol: '12345',
          texts: ['děkuji; moc'],
        },
      ],
      ['line 4', 'DEBIT', '5', '2026-11-21', { partyName: 'Banka', texts: ['poplatek'] }],
    ],
  )
})

test('CSV: amounts in two columns, a column for the direction, several accounts in one file', () => {
  const two = {
    account: 'A',
    currencyCode: 'EUR',
    columns: { bookedOn: 1, credit: 2, debit: 3 },
    hasHeader: false,
  }
  const read = (text: string, mapping: unknown) =>
    readStatementFile(Buffer.from(text), { mapping: readCsvMapping(JSON.stringify(mapping)) }).statements
  assert.deepEqual(
    read('2026-11-20,5.00,\n2026-11-20,,-6.00\n', two)[0]?.entries.map(
      ({ direction, amount }) => `${direction} ${amount}`,
    ),
    ['CREDIT 5', 'DEBIT 6'],
  )
  const directed = {
    creditWords: ['H'],
    columns: {
      bookedOn: 'date',
      amount: 'amount',
      direction: 'side',
      account: 'account',
      currencyCode: 'currency',
    },
  }
  const text = `date,amount,side,account,currency\n2026-11-20,5,H,${OWN_IBAN},EUR\n2026-11-20,6,S,37040044/0532013000,EUR\n`
  assert.deepEqual(
    read(text, directed).map(({ account, entries }) => [
      account.iban ?? `${account.bankCode} ${account.accountNumber}`,
      entries[0]?.direction,
    ]),
    [
      [OWN_IBAN, 'CREDIT'],
      ['37040044 0532013000', 'DEBIT'],
    ],
  )
})

const csvEntries = (text: string, mapping: object) =>
  readStatementFile(Buffer.from(text), {
    mapping: readCsvMapping(
      JSON.stringify({ hasHeader: false, account: 'A', currencyCode: 'EUR', ...mapping }),
    ),
  }).statements.flatMap(({ entries }) =>
    entries.map(({ direction, isReversal, amount }) => `${direction} ${amount}${isReversal ? ' back' : ''}`),
  )

test('CSV: a credit below zero takes a booking back; a debit below zero is a debit', () => {
  const two = { columns: { bookedOn: 1, credit: 2, debit: 3 } }
  assert.deepEqual(csvEntries('2026-11-20,-100.00,\n2026-11-20,0,-6\n2026-11-20,,7\n', two), [
    'DEBIT 100 back',
    'DEBIT 6',
    'DEBIT 7',
  ])
  const said = { creditWords: ['H'], columns: { bookedOn: 1, amount: 2, direction: 3 } }
  assert.deepEqual(csvEntries('2026-11-20,-200,H\n2026-11-20,-5,S\n2026-11-20,-4,\n', said), [
    'DEBIT 200 back',
    'DEBIT 5',
    'DEBIT 4',
  ])
  assert.throws(
    () => csvEntries('2026-11-20,5\n2026-11-20,-100\n', { columns: { bookedOn: 1, credit: 2 } }),
    /line 2: -100 in the column "credit" is below zero\. Name the column "amount"/,
  )
})

test('CSV: a thousands sign stands between groups of digits, as here or in India', () => {
  const columns = { bookedOn: 1, amount: 2 }
  const german = { delimiter: ';', decimalSign: ',', thousandsSign: '.', columns }
  for (const [written, amount] of [
    ['1.234.567,89', '1234567.89'],
    ['12.34.567,80', '1234567.8'],
    ['123.450', '123450'],
    ['1234,5', '1234.5'],
    ['+ 0.001', '1'],
  ] as const)
    assert.deepEqual(csvEntries(`2026-11-20;${written}\n`, german), [`CREDIT ${amount}`])
  for (const written of ['123.45', '1.2345', '1234.567', '.123', '123.', '1..234', '12.34', '0,123.456'])
    assert.throws(
      () => csvEntries(`2026-11-20;${written}\n`, german),
      /line 1: ".+" is no amount with the decimal sign "," and "\." before each three digits\./,
      written,
    )
  const spaced = { delimiter: ';', decimalSign: ',', columns }
  assert.deepEqual(csvEntries('2026-11-20;- 12\u00a0345,6\n', spaced), ['DEBIT 12345.6'])
  assert.throws(() => csvEntries('2026-11-20;123 45\n', spaced), /line 1: "123 45" is no amount/)
})

test('a transaction of a batch that moves no money is left out with a warning', () => {
  const parts = ['30', '20', '0.00'].map((amount) => ({ amount }))
  const text = writeCamt({ statements: [{ entries: [{ amount: '50', parts }] }] })
  const { statements, warnings } = readStatementFile(Buffer.from(text))
  assert.deepEqual(
    statements[0]?.entries[0]?.parts.map(({ amount }) => amount),
    ['30', '20'],
  )
  assert.match(warnings.join(), /TxDtls.* moves no money and is left out/)
})

test('CSV: what is wrong with a mapping or a line is named', () => {
  const mapping = (change: object): string => JSON.stringify({ ...MAPPING, ...change })
  const columns = (change: object): string => mapping({ columns: { ...MAPPING.columns, ...change } })
  assert.match(problemOf(czech(CSV), '{'), /the mapping is no JSON/)
  assert.match(problemOf(czech(CSV), mapping({ decimalsign: ',' })), /^mapping/)
  assert.match(
    problemOf(czech(CSV), columns({ amount: 'Amount' })),
    /^line 2: there is no column "Amount" for amount; the columns are "Datum"/,
  )
  assert.match(
    problemOf(czech(CSV), mapping({ dateFormat: 'MM/DD/YYYY' })),
    /^line 3: .* is no day of the form MM\/DD\/YYYY/,
  )
  assert.match(problemOf(czech(CSV), mapping({ decimalSign: '.' })), /^line 3: "1 234,50" is no amount/)
  assert.match(problemOf(czech(CSV), mapping({ encoding: 'utf-8' })), /should be in utf-8, but it is not/)
  assert.match(problemOf(czech(CSV), mapping({ encoding: 'klingon' })), /klingon, which is not known/)
  assert.match(problemOf(czech(CSV), mapping({ columns: { bookedOn: 1 } })), /name the column "amount"/)
  assert.match(problemOf('a;b'), /A CSV file needs a mapping/)
})
