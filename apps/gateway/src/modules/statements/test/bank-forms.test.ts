import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeText, EncodingProblem } from '../../../platform/encodings.ts'
import { readStatementFile } from '../formats/recognise.ts'
import { realReference } from '../formats/references.ts'
import { writeCamt } from './camt-writer.ts'
import { openRig } from './rig.ts'

const mt940 = (bookings: readonly string[], closing = '0,00'): string =>
  [
    ':20:X',
    ':25:37040044/0532013000',
    ':28C:1/1',
    ':60F:C261119EUR0,00',
    ...bookings,
    `:62F:C261120EUR${closing}`,
    '-',
    '',
  ].join('\r\n')
const read = (text: string, encoding?: string) => readStatementFile(Buffer.from(text, 'latin1'), { encoding })

test('what banks write where they have no reference is none', () => {
  const none = [
    'NONREF',
    'NOTPROVIDED',
    'not provided',
    'NOTPROV',
    'NONE',
    'N/A',
    '/',
    '//',
    '0',
    '000000',
    '',
    ' ',
  ]
  for (const text of none) assert.equal(realReference(text), undefined, text)
  for (const text of ['NONREF1', '7Q2M8KX4ZC0D', '1000', 'NONE OF YOURS'])
    assert.equal(realReference(text), text)
})

test('no placeholder becomes a reference, wherever in a file it stands', () => {
  const inMt940 = read(
    mt940([':61:2611201120C1,NTRFNONREF//NOTPROVIDED', ':86:166?20EREF+N/A?21KREF+0000?22SVWZ+x'], '1,00'),
  )
  const entry = inMt940.statements[0]?.entries[0]
  assert.equal(entry?.bankReference, undefined)
  assert.deepEqual(entry?.parts[0]?.details, { texts: ['x'] })
  const inCamt = read(
    writeCamt({
      statements: [
        {
          entries: [
            {
              amount: '1',
              bankReference: 'NONREF',
              endToEndId: 'NOT PROVIDED',
              text: 'x',
              structured: '0000',
            },
          ],
        },
      ],
    }),
  )
  const other = inCamt.statements[0]?.entries[0]
  assert.equal(other?.bankReference, undefined)
  assert.deepEqual(other?.parts[0]?.details, { texts: ['x'] })
})

test('a hyphen alone ends a message only where a message can end', () => {
  const { statements } = read(
    mt940(
      [
        ':61:2611201120C1,NTRFNONREF//A',
        ':86:one',
        '-',
        'two',
        ':61:2611201120C2,NTRFNONREF//B',
        ':86:three',
      ],
      '3,00',
    ),
  )
  assert.deepEqual(
    statements.map(({ entries }) => entries.map(({ parts }) => parts[0]?.details.texts)),
    [[['one - two'], ['three']]],
  )
  const two = read(`${mt940([':61:2611201120C1,NTRFNONREF//A', ':86:one'], '1,00')}${mt940([])}`)
  assert.equal(two.statements.length, 2)
})

test('days that only some calendars have are clamped with a warning, others are refused', () => {
  const { statements, warnings } = read(
    mt940([':61:2702290229C1,NTRFX//A', ':61:2604310430C2,NTRFX//B'], '3,00'),
  )
  assert.deepEqual(
    statements[0]?.entries.map(({ valuedOn, bookedOn }) => [valuedOn, bookedOn]),
    [
      ['2027-02-28', '2027-02-28'],
      ['2026-04-30', '2026-04-30'],
    ],
  )
  assert.equal(warnings.length, 3)
  for (const day of ['261301', '260532', '260500'])
    assert.throws(() => read(mt940([`:61:${day}C1,NTRFX`])), /line 5: .* is no day of the calendar/)
})

test('a code page is what it is called, and one that is not known is refused', () => {
  const bytes = Uint8Array.from([0x81, 0x94, 0xe1, 0x41])
  assert.equal(decodeText(bytes, 'cp850'), 'üößA')
  assert.equal(decodeText(bytes, 'IBM850'), 'üößA')
  assert.equal(decodeText(Uint8Array.from([0xd8, 0xfd, 0xa1]), 'cp852'), 'ěří')
  assert.equal(decodeText(Uint8Array.from([0xec, 0xf8, 0x9e]), '1250'), 'ěřž')
  assert.throws(() => decodeText(bytes, 'klingon'), /should be in klingon, which is not known\. Known are/)
  assert.throws(() => decodeText(bytes, 'utf-8'), EncodingProblem)
})

test('letters whose encoding nothing says are read as Latin ones, and that is told', () => {
  const text = mt940([':61:2611201120C1,NTRFX//A', ':86:\u00fcber'], '1,00')
  assert.match(read(text).warnings[0] ?? '', /read as windows-1252/)
  assert.deepEqual(read(text, 'windows-1252').warnings, [])
})

test('an account is known by each of its names', async (t) => {
  const rig = await openRig(t)
  const own = 'DE89370400440532013000'
  const day = (id: string, iban: string): string =>
    writeCamt({
      version: '02',
      statements: [{ id, iban: own, entries: [{ amount: '1', bankReference: id }] }],
    }).replace(`<IBAN>${own}</IBAN>`, iban)
  const other = (id: string): string => `<Othr><Id>${id}</Id></Othr>`
  const names = [
    `<IBAN>${own}</IBAN>`,
    other('0532013000'),
    other('532013000EUR'),
    other('37040044/532013000'),
    other('370400440532013000'),
  ]
  for (const [index, name] of names.entries()) {
    const { statements } = await rig.takeText(day(`S${index}`, name))
    assert.deepEqual(
      statements.map(({ accountCode, lineCount }) => [accountCode, lineCount]),
      [['MAIN', 1]],
      name,
    )
  }
  await assert.rejects(rig.takeText(day('X', other('50010517/532013000'))), /none of ours/)
})

test('an account named beside the file is for statements that name none of ours', async (t) => {
  const rig = await openRig(t)
  const take = (text: string, accountCode: string) =>
    rig.statements.take({ fileName: 'x', bytes: Buffer.from(text), actor: 'operator:ada', accountCode })
  const stranger = 'NL26VAYB8060476890'
  const entry = { amount: '1' }
  const file = writeCamt({
    statements: [{ entries: [entry] }, { iban: stranger, entries: [{ amount: '2' }] }],
  })
  const { statements } = await take(file, 'MAIN')
  assert.deepEqual(
    statements.map(({ lineCount }) => lineCount),
    [1, 1],
  )
  const two = writeCamt({
    statements: [
      { iban: stranger, entries: [entry] },
      { iban: 'NL56AGDH9619008421', entries: [entry] },
    ],
  })
  await assert.rejects(take(two, 'MAIN'), /neither is registered, and both cannot be MAIN/)
  await assert.rejects(
    take(writeCamt({ statements: [{ entries: [entry] }] }), 'OTHER'),
    /which is MAIN and not OTHER/,
  )
})
