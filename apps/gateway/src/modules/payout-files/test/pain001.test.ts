import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { parsePlainAmount, sumAmounts } from '@tollgate/money'
import fc from 'fast-check'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { elementsAt, readXml, textAt } from '../../../platform/xml/index.ts'
import type { Creditor, FileContent, FileTransfer } from '../model.ts'
import { pain001 } from '../pain001.ts'
import { isSepaName, sepaText } from '../sepa-text.ts'
import { findSchema } from './schemas.ts'

const IBAN: Creditor = {
  name: 'Ada Lovelace',
  iban: 'NL91ABNA0417164300',
  accountNumber: 'NL91ABNA0417164300',
  bic: undefined,
  bankCode: undefined,
}
const DOMESTIC: Creditor = { ...IBAN, iban: undefined, accountNumber: '123456', bankCode: '021000021' }

function transferOf(amount: string, given: Partial<FileTransfer> = {}): FileTransfer {
  return {
    merchantId: '1',
    kind: 'PAYOUT',
    idPayment: 'OUT-1',
    position: 1,
    reference: 'K7Q2M9XWT4BA',
    money: { amount: parsePlainAmount(amount), currencyCode: 'EUR' },
    creditor: IBAN,
    ...given,
  }
}

function contentOf(transfers: readonly FileTransfer[], given: Partial<FileContent> = {}): FileContent {
  return {
    fileId: 'TG7K2M9XWT4BAQ0CDE',
    format: 'PAIN_001_001_09',
    currencyCode: 'EUR',
    createdAt: new Date('2026-11-21T23:59:59.999Z'),
    executionOn: '2026-11-23',
    speed: 'NORMAL',
    debtor: { holder: 'Shop & Co', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', address: {} },
    transfers,
    controlSum: sumAmounts(transfers.map(({ money }) => money.amount)),
    ...given,
  }
}

/** Throws what the schema has against the text. */
function validate(t: TestContext, message: string, texts: readonly string[]): void {
  const schema = findSchema(message)
  if (schema === undefined) {
    t.skip('the schemas of ISO 20022 are not at hand; TOLLGATE_SHARED_DATA names their folder')
    return
  }
  using parsed = XmlDocument.fromString(schema)
  using validator = XsdValidator.fromDoc(parsed)
  for (const text of texts) {
    using document = XmlDocument.fromString(text)
    validator.validate(document)
  }
}

const FORMATS = [
  ['PAIN_001_001_03', 'pain.001.001.03'],
  ['PAIN_001_001_09', 'pain.001.001.09'],
] as const

for (const [format, message] of FORMATS) {
  test(`a file is valid by the official schema of ${message}, in whatever currency and to whatever account`, (t) => {
    const dollars = { money: { amount: parsePlainAmount('0.01'), currencyCode: 'USD' }, creditor: DOMESTIC }
    const czech = { creditor: { ...DOMESTIC, bankCode: undefined, bic: 'GIBACZPX' } }
    validate(t, message, [
      pain001(contentOf([transferOf('149.9'), transferOf('999999999.99', { position: 2 })], { format })),
      pain001(
        contentOf([transferOf('1', dollars)], { format, currencyCode: 'USD', debtor: DOMESTIC_DEBTOR }),
      ),
      pain001(contentOf([transferOf('1', czech)], { format, currencyCode: 'CZK' })),
      // A BIC that the older version's schema does not take.
      pain001(contentOf([transferOf('1')], { format, debtor: { ...IBAN_DEBTOR, bic: '1234DE0OXXX' } })),
      pain001(contentOf([transferOf('0.001')], { format, currencyCode: 'KWD' })),
      pain001(contentOf([transferOf('1')], { format, speed: 'INSTANT' })),
      pain001(contentOf([transferOf('1')], { format, debtor: { ...IBAN_DEBTOR, address: ADDRESS } })),
    ])
  })

  test(`whatever people are called, their file is valid by the schema of ${message}`, (t) => {
    const texts = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), 100)
    const names = texts.map((text) => `${sepaText(text, 60)} x`)
    validate(
      t,
      message,
      names.map((name) => pain001(contentOf([transferOf('1', { creditor: { ...IBAN, name } })], { format }))),
    )
  })
}

const ADDRESS = {
  street: 'Hauptstraße',
  buildingNumber: '1',
  postalCode: '10115',
  town: 'Köln',
  countryCode: 'DE',
}
const IBAN_DEBTOR = { holder: 'Shop & Co', iban: 'DE89370400440532013000', address: {} }
const DOMESTIC_DEBTOR = { holder: 'Shop', accountNumber: '0000000001', bankCode: '999999992', address: {} }

test('the schemas find what is wrong with a file', (t) => {
  for (const [format, message] of FORMATS) {
    const right = pain001(contentOf([transferOf('1')], { format }))
    assert.throws(() => {
      validate(t, message, [right.replace('<NbOfTxs>1</NbOfTxs>', '<NbOfTxs>one</NbOfTxs>')])
      if (findSchema(message) === undefined) throw new Error('nothing was checked, and the test is skipped')
    })
  }
})

test('a file says how many payments, how much in all, from where, to whom, and under which reference', () => {
  const second = { position: 2, reference: 'ZZZZZZZZZZZZ', creditor: { ...IBAN, bic: 'ABNANL2A' } }
  const root = readXml(pain001(contentOf([transferOf('149.9'), transferOf('0.1', second)])))
  const [initiation] = elementsAt(root, 'CstmrCdtTrfInitn')
  assert.ok(initiation)
  const [batch] = elementsAt(initiation, 'PmtInf')
  assert.ok(batch)
  assert.deepEqual(
    [
      textAt(initiation, 'GrpHdr/MsgId'),
      textAt(initiation, 'GrpHdr/CreDtTm'),
      textAt(initiation, 'GrpHdr/NbOfTxs'),
      textAt(initiation, 'GrpHdr/CtrlSum'),
      textAt(batch, 'NbOfTxs'),
      textAt(batch, 'CtrlSum'),
      textAt(batch, 'ReqdExctnDt/Dt'),
      textAt(batch, 'BtchBookg'),
      textAt(batch, 'Dbtr/Nm'),
      textAt(batch, 'DbtrAcct/Id/IBAN'),
      textAt(batch, 'DbtrAgt/FinInstnId/BICFI'),
      textAt(batch, 'PmtTpInf/SvcLvl/Cd'),
      textAt(batch, 'ChrgBr'),
    ],
    [
      'TG7K2M9XWT4BAQ0CDE',
      '2026-11-21T23:59:59Z',
      '2',
      '150',
      '2',
      '150',
      '2026-11-23',
      'false',
      'Shop & Co',
      'DE89370400440532013000',
      'COBADEFFXXX',
      'SEPA',
      'SLEV',
    ],
  )
  const transactions = elementsAt(batch, 'CdtTrfTxInf')
  assert.deepEqual(
    transactions.map((each) => [
      textAt(each, 'PmtId/EndToEndId'),
      textAt(each, 'Amt/InstdAmt'),
      elementsAt(each, 'Amt/InstdAmt')[0]?.attributes.get('Ccy'),
      textAt(each, 'CdtrAgt/FinInstnId/BICFI'),
      textAt(each, 'Cdtr/Nm'),
      textAt(each, 'CdtrAcct/Id/IBAN'),
      textAt(each, 'RmtInf/Ustrd'),
    ]),
    [
      ['K7Q2M9XWT4BA', '149.9', 'EUR', undefined, 'Ada Lovelace', 'NL91ABNA0417164300', 'K7Q2M9XWT4BA'],
      ['ZZZZZZZZZZZZ', '0.1', 'EUR', 'ABNANL2A', 'Ada Lovelace', 'NL91ABNA0417164300', 'ZZZZZZZZZZZZ'],
    ],
  )
})

test('names come in the letters that every bank takes', () => {
  assert.equal(sepaText('Spořitelna pod Lípou', 70), 'Sporitelna pod Lipou')
  assert.equal(sepaText('Straße & Søn – „Æther“', 70), 'Strasse + Son - .AEther.')
  assert.equal(sepaText('//a//b/ \n c//', 70), 'a/b/ c')
  assert.equal(sepaText('Łódź', 3), 'Lod')
  assert.ok(isSepaName(sepaText('Đặng Văn', 70)))
  assert.ok(!isSepaName(sepaText('山田太郎', 70)))
  assert.ok(!isSepaName(''))
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.integer({ min: 1, max: 70 }),
      (text, most) => {
        const plain = sepaText(text, most)
        assert.match(plain, /^[A-Za-z0-9/\-?:().,'+ ]*$/)
        assert.doesNotMatch(plain, /\/\/|^\/|\/$/)
        assert.ok(plain.length <= most)
      },
    ),
  )
})

test('D23 the address of who pays is written part by part, where town and country are known, and never in free lines', () => {
  for (const [format] of FORMATS) {
    const written = pain001(
      contentOf([transferOf('1')], { format, debtor: { ...IBAN_DEBTOR, address: ADDRESS } }),
    )
    assert.match(
      written,
      /<PstlAdr><StrtNm>Hauptstrasse<\/StrtNm><BldgNb>1<\/BldgNb><PstCd>10115<\/PstCd><TwnNm>Koln<\/TwnNm><Ctry>DE<\/Ctry><\/PstlAdr>/,
    )
    assert.doesNotMatch(written, /<AdrLine/)
    for (const debtor of [
      IBAN_DEBTOR,
      { ...IBAN_DEBTOR, address: { ...ADDRESS, town: undefined } },
      { ...IBAN_DEBTOR, address: { ...ADDRESS, countryCode: undefined } },
    ])
      assert.doesNotMatch(pain001(contentOf([transferOf('1')], { format, debtor })), /<PstlAdr|Hauptstrasse/)
  }
})

test('a file of instant transfers says so, and others do not', () => {
  for (const [format] of FORMATS) {
    const written = (speed: FileContent['speed']) => pain001(contentOf([transferOf('1')], { format, speed }))
    assert.match(
      written('INSTANT'),
      /<PmtTpInf><SvcLvl><Cd>SEPA<\/Cd><\/SvcLvl><LclInstrm><Cd>INST<\/Cd><\/LclInstrm><\/PmtTpInf>/,
    )
    assert.doesNotMatch(written('NORMAL'), /LclInstrm|INST</)
  }
})
