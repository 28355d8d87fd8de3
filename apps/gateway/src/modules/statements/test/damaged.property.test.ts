import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAmount, isNegative } from '@tollgate/money'
import { testRounds } from '@tollgate/testkit'
import fc from 'fast-check'
import { edited, edits } from '../../../platform/test/index.ts'
import { FileProblem } from '../errors.ts'
import { differencesIn } from '../formats/balances.ts'
import { type CsvMapping, readCsvMapping } from '../formats/csv-mapping.ts'
import type { ParsedFile } from '../formats/parsed.ts'
import { readStatementFile } from '../formats/recognise.ts'
import { StatementProblem } from '../index.ts'
import { bankFile, SKIPPED_WITHOUT_DATA } from './bank-files.ts'
import { writeCamt } from './camt-writer.ts'
import { faultsOf, openRig, placesOfMoney } from './rig.ts'

// Files of banks that were damaged on the way, or made by somebody who means harm.

const RUNS = testRounds(400)
/** What a file of some kilobytes may cost at the most, in seconds of the processor; a thousand times what it costs. */
const SECONDS_MAX = 3

const ENTRIES = [
  {
    amount: '100',
    text: 'order RF18 5390 0754 7034',
    bankReference: 'B-1',
    name: 'Jana Nová',
    iban: 'CZ6508000000192000145399',
  },
  { amount: '-12.34', text: 'fee & <more>', charge: '0.10' },
  {
    amount: '30',
    parts: [
      { amount: '10', endToEndId: 'E-1' },
      { amount: '20', structured: 'RF18539007547034' },
    ],
  },
  { amount: '7', status: 'PDNG' as const },
]
const CAMT = (['02', '04', '08'] as const).flatMap((version) =>
  (['053', '054'] as const).map((message) =>
    writeCamt({ message, version, statements: [{ entries: ENTRIES }, { entries: ENTRIES.slice(1) }] }),
  ),
)
const MT940 = [
  [
    ':20:A',
    ':25:NL91ABNA0417164300 EUR',
    ':28C:1/1',
    ':60F:C251231EUR10,',
    ':61:2601021231C5,00NTRFE2E-1//BANK-1',
  ],
  [
    ':86:/TRTP/SEPA/IBAN/CZ6508000000192000145399/NAME/Jana Nova/REMI/order',
    ' 12/EREF/E2E-9/',
    ':61:260102RD2,00NTRFNONREF',
  ],
  [':86:166?20SVWZ+Hello?32Jana?31CZ65', ':61:260102EC7,00NTRFNONREF', ':62F:C260102EUR17,00', '-', ''],
]
  .flat()
  .join('\r\n')
const CSV = 'date;amount;text;side\r\n20.11.2026;1 234,50;"a; ""b""";C\r\n21.11.2026;5,00;fee;D\r\n'
const MAPPING: CsvMapping = readCsvMapping(
  JSON.stringify({
    delimiter: ';',
    decimalSign: ',',
    thousandsSign: ' ',
    dateFormat: 'DD.MM.YYYY',
    creditWords: ['C'],
    account: '19-2000145399',
    currencyCode: 'EUR',
    columns: { bookedOn: 'date', amount: 'amount', direction: 'side', texts: ['text'] },
  }),
)

interface Sample {
  readonly text: string
  readonly mapping?: CsvMapping
}
const samples: readonly Sample[] = [
  ...CAMT.map((text) => ({ text })),
  { text: MT940 },
  { text: CSV, mapping: MAPPING },
]

const PUTS = fc.oneof(
  fc.constantFrom(
    '',
    '\u0000',
    '\ufeff',
    '\r',
    '\n',
    '\n\n',
    ' ',
    '"',
    ';',
    ',',
    '.',
    '-',
    '9',
    '0',
    'e9',
    '1'.repeat(60),
  ),
  fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '&',
    '&#0;',
    '&#x110000;',
    '&lol;',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?a?>',
  ),
  fc.constantFrom(
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '<Ntry>',
    '</Ntry>',
    '<Amt Ccy="EUR">',
    '<a:b xmlns:a="x"/>',
    ' a="1" a="2"',
  ),
  fc.constantFrom(
    '\r\n:61:',
    ':86:',
    '\r\n:62F:C260102EUR17,00',
    '?20',
    '/REMI/',
    '\r\n-\r\n',
    '{4:',
    '}',
    '<Dt>2026-02-30</Dt>',
  ),
  fc.constantFrom(
    '<x>'.repeat(200),
    '"'.repeat(99),
    '?'.repeat(200),
    'é',
    '\u202e',
    '__proto__',
    '<__proto__>1</__proto__>',
  ),
)

/** One letter or digit is another one, or more; or nothing at all. */
const slips = fc.array(
  fc.record({
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.integer({ min: 0, max: 1 }),
    put: fc.constantFrom('', '0', '7', 'a', ' '),
  }),
  { maxLength: 1 },
)

/** A damaged file: edited as a text, and then cut, doubled or altered as bytes. */
const damaged = fc
  .record({
    sample: fc.constantFrom(...samples),
    changes: fc.oneof(edits(PUTS), slips),
    how: fc.constantFrom('whole', 'whole', 'cut', 'doubled', 'noisy', 'utf16'),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    byte: fc.integer({ min: 0, max: 255 }),
  })
  .map(({ sample: { text, mapping }, changes, how, place, byte }) => {
    const bytes = Buffer.from(edited(text, changes))
    const at = Math.floor(place * bytes.length)
    if (how === 'noisy') bytes.fill(byte, at, Math.min(at + 1, bytes.length))
    const made = {
      whole: bytes,
      noisy: bytes,
      cut: bytes.subarray(0, at),
      doubled: Buffer.concat([bytes.subarray(0, at), bytes]),
      utf16: Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        Buffer.from(bytes.toString(), 'utf16le').subarray(0, bytes.length * 2 - 1),
      ]),
    }[how]
    return { bytes: made, mapping }
  })

/** What was read, or undefined where it was refused in words. */
function readDamaged(bytes: Uint8Array, mapping: CsvMapping | undefined): ParsedFile | undefined {
  const before = process.cpuUsage()
  try {
    const file = readStatementFile(bytes, { mapping })
    differencesIn(file)
    return file
  } catch (error) {
    assert.ok(error instanceof FileProblem, error instanceof Error ? error.stack : String(error))
    assert.match(error.message, /^[^\n]{10,501}$/)
    return undefined
  } finally {
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < SECONDS_MAX * 1e6, `${(user + system) / 1e6} s`)
  }
}

function assertSound(file: ParsedFile): void {
  for (const { entries } of file.statements) {
    for (const { amount, parts, bookedOn } of entries) {
      for (const each of [amount, ...parts.map((part) => part.amount)])
        assert.ok(isAmount(each) && !isNegative(each), each)
      assert.match(bookedOn, /^\d{4}-\d{2}-\d{2}$/)
      assert.ok(parts.length > 0)
    }
  }
}

test('the files are good before they are damaged', () => {
  for (const { text, mapping } of samples) {
    const file = readStatementFile(Buffer.from(text), { mapping })
    assertSound(file)
    assert.deepEqual(differencesIn(file), [], text)
  }
})

test('a damaged file is read to sound lines or refused by its own kind of error, soon', () => {
  const counts = { read: 0, refused: 0 }
  fc.assert(
    fc.property(damaged, ({ bytes, mapping }) => {
      const file = readDamaged(bytes, mapping)
      counts[file === undefined ? 'refused' : 'read'] += 1
      if (file !== undefined) assertSound(file)
    }),
    { numRuns: RUNS },
  )
  assert.ok(counts.read > RUNS / 50 && counts.refused > RUNS / 50, JSON.stringify(counts))
})

test('the same of the files of real banks', { skip: SKIPPED_WITHOUT_DATA }, () => {
  const files = [
    'camt/camt053.v2.multi.statement.xml',
    'camt/camt054.v8.xml',
    'mt940/jejik-rabobank.sta',
    'mt940/cmxl-mt940.sta',
    'mt940/self-provided-multiline.sta',
  ].map((name) => bankFile(name).toString('latin1'))
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.oneof(edits(PUTS), slips), (text, changes) => {
      const file = readDamaged(Buffer.from(edited(text, changes), 'latin1'), undefined)
      if (file !== undefined) assertSound(file)
    }),
    { numRuns: RUNS / 2 },
  )
})

test('a damaged file that is taken leaves sound books, and one that is refused leaves nothing', async (t) => {
  const rig = await openRig(t)
  const payment = await rig.accept()
  const entries = [{ amount: '100', text: payment.reference, bankReference: 'B-1' }, ...ENTRIES]
  const text = writeCamt({ statements: [{ entries }] })
  const numberOfLines = async (): Promise<number> => (await rig.lines()).length
  let refusedCount = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(edits(PUTS), slips), async (changes) => {
      const before = await numberOfLines()
      const taken = await rig.takeText(edited(text, changes)).catch((error: unknown) => {
        assert.ok(error instanceof StatementProblem, String(error))
        return undefined
      })
      if (taken !== undefined) return
      refusedCount += 1
      assert.equal(await numberOfLines(), before)
    }),
    { numRuns: Math.ceil(RUNS / 10) },
  )
  assert.ok(refusedCount > 0)
  assert.deepEqual(await faultsOf(rig), [])
  for (const { waiting, suspense } of await placesOfMoney(rig)) assert.equal(suspense, waiting)
})
