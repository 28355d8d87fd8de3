import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FileProblem } from '../errors.ts'
import { differencesIn, movementOf } from '../formats/balances.ts'
import type { ParsedFile } from '../formats/parsed.ts'
import { readStatementFile } from '../formats/recognise.ts'
import { bankFile, SKIPPED_WITHOUT_DATA } from './bank-files.ts'

/** What a file of a bank says: per statement its account, lines and movement; and where its own sums do not agree. */
interface Expected {
  readonly file: string
  readonly format: string
  readonly statements: readonly (readonly [account: string, lines: number, movement: string])[]
  /** The first line: what it moves, when, and the texts and references that say for what. */
  readonly first: readonly [movement: string, bookedOn: string, ...texts: string[]]
  readonly differences: readonly RegExp[]
  readonly warnings?: readonly RegExp[]
}

const FILES: readonly Expected[] = [
  {
    file: 'camt/camt053.v2.five.decimals.xml',
    format: 'CAMT_053',
    statements: [['NL26VAYB8060476890', 1, '8.85']],
    first: ['8.85', '2014-12-31', '000000001', 'Transaction Description', 'NL56AGDH9619008421'],
    differences: [/closes with 27.05: 0.05 EUR are not accounted for/],
  },
  {
    file: 'camt/camt053.v2.minimal.xml',
    format: 'CAMT_053',
    statements: [['NL26VAYB8060476890', 1, '8.85']],
    first: ['8.85', '2014-12-31', '4654654654654654', 'NAME NAME', 'NL56AGDH9619008421'],
    differences: [/is in SEK, but the account is in EUR/],
  },
  {
    file: 'camt/camt053.v2.multi.statement.xml',
    format: 'CAMT_053',
    statements: [
      ['NL26VAYB8060476890', 1, '8.85'],
      ['NL26VAYB8060476890', 1, '-7'],
    ],
    first: ['8.85', '2014-12-31', '000000001', 'Company Name 1', 'Transaction Description 1'],
    differences: [],
  },
  {
    file: 'camt/camt053.v4.xml',
    format: 'CAMT_053',
    statements: [['NL26VAYB8060476890', 1, '8.85']],
    first: ['8.85', '2014-12-31', '4654654654654654', 'NAME NAME'],
    differences: [/is in SEK, but the account is in EUR/],
  },
  {
    file: 'camt/camt054.v2.xml',
    format: 'CAMT_054',
    statements: [['CH2801234000123456789', 1, '-200000']],
    first: ['-200000', '2007-10-18', 'MUELL/FINP/RA12345', 'ISR ref number V1', 'Ref number V3 block 2'],
    differences: [],
    warnings: [/the 3 transactions of .*Ntry name no amounts/],
  },
  {
    file: 'camt/camt054.v8.xml',
    format: 'CAMT_054',
    statements: [['CH2801234000123456789', 1, '-200000']],
    first: ['-200000', '2007-10-18', 'UXC06170000006PI00001EE00001', 'ISR ref number V2'],
    differences: [/only 0 of its 3 transactions name an amount in SEK/],
  },
  {
    file: 'mt940/cmxl-mt940.sta',
    format: 'MT940',
    statements: [
      ['45050050/76198810', 11, '87.3'],
      ['10020030/1234567', 2, '2200'],
      ['BPHKPLPK/320000546101', 3, '10040'],
    ],
    first: ['-6800', '2013-10-17', '16703074', '999PN5477SCHECK-NR. 0000016703074'],
    differences: [],
  },
  {
    file: 'mt940/jejik-abnamro.sta',
    format: 'MT940',
    statements: [
      ['517852257', 8, '-321.44'],
      ['517852257', 2, '-24.49'],
    ],
    first: [
      '-9',
      '2011-05-24',
      'GIRO   428428 KPN - DIGITENNE    BETALINGSKENM.  000000042188659 5314606715                       BETREFT FACTUUR D.D. 20-05-2011 INCL. 1,44 BTW',
    ],
    differences: [/statement 1 .* -2038 EUR are not accounted for/, /statement 2 .* -1002.6 EUR/],
  },
  {
    file: 'mt940/jejik-generic.sta',
    format: 'MT940',
    statements: [
      ['11111111', 1, '-10'],
      ['11111111', 1, '-10'],
    ],
    first: ['-10', '2011-01-01'],
    differences: [],
  },
  {
    file: 'mt940/jejik-rabobank.sta',
    format: 'MT940',
    statements: [
      ['1291.99.348EUR', 1, '-1213.28'],
      ['1291.99.348EUR', 0, '0'],
      ['1291.99.348EUR', 2, '-281.51'],
      ['1526.89.184EUR', 2, '-94.3'],
    ],
    first: [
      '-1213.28',
      '2011-05-27',
      '0121470966',
      'Terugboeking',
      'KOSTEN KINDEROPVANG JUNI',
      'W.P. Jansen',
    ],
    differences: [/statement 1 .*1135.93 EUR/, /statement 3 .*236.56 EUR/],
  },
  {
    file: 'mt940/self-provided-multiline.sta',
    format: 'MT940',
    statements: [
      ['BILLLULLXXX/"NUMERO DE COMPTE IBAN 2"', 1, '-5'],
      ['BILLLULLXXX/"NUMERO DE COMPTE IBAN 2"', 1, '119'],
    ],
    first: [
      '-5',
      '2004-08-04',
      'REFERENCE DO 111',
      'NUMERODECOMPTEIBAN234567890123',
      'NOM DU DO / BENEFICIAIRE 11NOM DU DO / BENEFICIAIRE 22',
    ],
    differences: [],
    warnings: [/line 38: lines stand after the end of the last statement/],
  },
]

/** Everything that the first line says of persons and purposes. */
function saidFirst(file: ParsedFile): readonly string[] {
  const details = file.statements[0]?.entries[0]?.parts[0]?.details ?? {}
  return [...new Set(Object.values(details).flat())]
}

/** One text for each pattern, in order. */
function assertAll(texts: readonly string[], patterns: readonly RegExp[]): void {
  assert.equal(texts.length, patterns.length, texts.join('\n'))
  for (const [index, pattern] of patterns.entries()) assert.match(texts[index] ?? '', pattern)
}

for (const expected of FILES) {
  test(`${expected.file} is read to its right lines`, { skip: SKIPPED_WITHOUT_DATA }, () => {
    const file = readStatementFile(bankFile(expected.file))
    assert.equal(file.format, expected.format)
    assert.deepEqual(
      file.statements.map(({ account, entries }) => [
        account.text,
        entries.flatMap(({ parts }) => parts).length,
        movementOf(entries),
      ]),
      expected.statements,
    )
    const [movement, bookedOn, ...texts] = expected.first
    const entry = file.statements[0]?.entries[0]
    assert.deepEqual([movementOf(entry === undefined ? [] : [entry]), entry?.bookedOn], [movement, bookedOn])
    const said = saidFirst(file)
    for (const text of texts) assert.ok(said.includes(text), `${text} is not among ${said.join(' | ')}`)
    assertAll(differencesIn(file), expected.differences)
    assertAll(file.warnings, expected.warnings ?? [])
  })
}

test('the collection of 26 German statements adds up, page after page', {
  skip: SKIPPED_WITHOUT_DATA,
}, () => {
  const file = readStatementFile(bankFile('mt940/betterplace-sepa_mt9401.sta'))
  assert.equal(file.statements.length, 26)
  assert.deepEqual(differencesIn(file), [])
  const entries = file.statements.flatMap((statement) => statement.entries)
  assert.equal(entries.length, 97)
  assert.equal(movementOf(entries), '-9269135.9')
  assert.deepEqual(
    file.statements.flatMap(({ pageOf }) => (pageOf === undefined ? [] : [pageOf])),
    [6, 8, 10, 12, 15, 15],
  )
  assert.deepEqual(saidFirst(file), [
    'TFNR 40005 00005',
    'Grund nicht spezifiziert Reject aus SEPA-Ueberweisungsauftrag',
    'RETOURE',
    'TFNr 40005 MSGID',
  ])
  // RC takes a credit back: money goes.
  const reversal = entries.find(({ isReversal }) => isReversal)
  assert.deepEqual(
    [reversal?.direction, reversal?.amount, reversal?.transactionCode],
    ['DEBIT', '204.88', 'NRTI'],
  )
  assert.deepEqual(file.statements[1]?.entries[0]?.parts[0]?.details, {
    partyName: 'Richter Renate 70 Zeichen Beginn Fuellzeichen xxxxxxxx',
    partyAccount: 'DE42100100100043921105',
    partyBank: 'PBNKDEFF100',
    endToEndId: 'EndToEndIdTFNR2000400001',
    texts: [
      `TO 13 TFNr 20004 Eingangskanal Mint ${'.'.repeat(42)}  ${'.'.repeat(59)}`,
      'SEPA-Ueberweisungseingang Auftraggeber: Richter Renat',
      'GUTSCHRIFT',
      'Christian Callas 70 Zeichen',
      ' xxxxxxxxxxxxxxxxxxxxxxxxxx',
    ],
  })
})

test('a message without a statement is refused with its path', { skip: SKIPPED_WITHOUT_DATA }, () => {
  assert.throws(
    () => readStatementFile(bankFile('camt/camt053.v2.wrong.xml')),
    (error: unknown) =>
      error instanceof FileProblem && /^\/Document\/BkToCstmrStmt: it holds no statement/.test(error.message),
  )
})
