import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromMinorUnits, parsePlainAmount, toMinorUnits } from '@tollgate/money'
import fc from 'fast-check'
import {
  bitcoinLink,
  crc16,
  epcCode,
  isIban,
  PaymentCodeInvalid,
  pixCode,
  readCreditorReference,
  spaydCode,
  swissQrCode,
  toCreditorReference,
  upiLink,
} from '../src/index.ts'

const amount = (text: string) => parsePlainAmount(text)
const RUNS = 500

test('a creditor reference has the check digits of the published example, and is read in any spelling', () => {
  assert.equal(toCreditorReference('539007547034'), 'RF18539007547034')
  assert.equal(readCreditorReference('rf18 5390 0754 7034'), '539007547034')
  assert.equal(readCreditorReference('RF19539007547034'), undefined)
  assert.equal(readCreditorReference('XX18539007547034'), undefined)
  assert.throws(() => toCreditorReference('A'.repeat(22)), PaymentCodeInvalid)
})

test('every reference of ours comes back out of its creditor reference, and no wrong digit or letter in place of another passes', () => {
  const symbols = Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')
  const reference = fc
    .array(fc.constantFrom(...symbols), { minLength: 1, maxLength: 21 })
    .map((a) => a.join(''))
  fc.assert(
    fc.property(reference, fc.nat(), fc.constantFrom(...symbols), (ours, at, other) => {
      const rf = toCreditorReference(ours)
      assert.equal(readCreditorReference(rf), ours)
      const position = 4 + (at % ours.length)
      const changed = rf.slice(0, position) + other + rf.slice(position + 1)
      const isAlike = /\d/.test(other) === /\d/.test(rf.charAt(position))
      if (changed !== rf && isAlike) assert.equal(readCreditorReference(changed), undefined)
    }),
    { numRuns: RUNS },
  )
})

test('an IBAN is known by its check digits', () => {
  for (const iban of ['BE72000000001616', 'CZ5855000000001265098001', 'CH5800791123000889012'])
    assert(isIban(iban), iban)
  for (const iban of ['BE73000000001616', 'be72000000001616', 'BE72 0000 0000 1616', ''])
    assert(!isIban(iban), iban)
})

test('an EPC code is the published example, line by line', () => {
  const code = epcCode({
    name: 'Red Cross of Belgium',
    iban: 'BE72000000001616',
    bic: 'BPOTBEB1',
    amount: amount('1'),
    purpose: 'CHAR',
    text: 'Urgency fund',
    hint: 'Sample QR code',
  })
  const lines = ['BCD', '002', '1', 'SCT', 'BPOTBEB1', 'Red Cross of Belgium', 'BE72000000001616', 'EUR1']
  assert.equal(code, [...lines, 'CHAR', '', 'Urgency fund', 'Sample QR code'].join('\n'))
})

test('an EPC code refuses what the standard does not admit, and names the member', () => {
  const good = { name: 'A', iban: 'BE72000000001616', amount: amount('12.3') }
  assert.equal(epcCode(good).split('\n')[7], 'EUR12.3')
  const bad = [
    [{ ...good, iban: 'BE72000000001617' }, /iban/],
    [{ ...good, amount: amount('0.001') }, /amount/],
    [{ ...good, amount: amount('1000000000') }, /amount/],
    [{ ...good, name: 'A\nB' }, /name/],
    [{ ...good, text: 'x', creditorReference: 'RF18539007547034' }, /text/],
    [{ ...good, creditorReference: 'RF00539007547034' }, /creditorReference/],
    [{ ...good, name: 'ž'.repeat(70), text: 'ž'.repeat(140) }, /331 bytes/],
  ] as const
  for (const [transfer, message] of bad) assert.throws(() => epcCode(transfer), message)
})

/** Reads a SPAYD code as the standard says, apart from the code under test. */
function readSpayd(code: string): ReadonlyMap<string, string> {
  const [head, version, ...members] = code.split('*')
  assert.deepEqual([head, version], ['SPD', '1.0'])
  return new Map(
    members.map((member) => {
      const at = member.indexOf(':')
      return [member.slice(0, at), decodeURIComponent(member.slice(at + 1))]
    }),
  )
}

test('a SPAYD code carries every member, whatever characters it has', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 60 }),
      fc.nat({ max: 9_999_999_999 }),
      (message, symbol) => {
        const read = readSpayd(
          spaydCode({
            iban: 'CZ5855000000001265098001',
            amount: amount('480.5'),
            currencyCode: 'CZK',
            variableSymbol: String(symbol),
            message,
          }),
        )
        assert.equal(read.get('MSG'), message)
        assert.equal(read.get('X-VS'), String(symbol))
        assert.equal(read.get('AM'), '480.5')
        assert.equal(read.get('ACC'), 'CZ5855000000001265098001')
      },
    ),
    { numRuns: RUNS },
  )
  assert.equal(
    spaydCode({
      iban: 'CZ5855000000001265098001',
      amount: amount('480.5'),
      currencyCode: 'CZK',
      message: 'Doba a* ž',
    }),
    'SPD*1.0*ACC:CZ5855000000001265098001*AM:480.5*CC:CZK*MSG:Doba a%2A %C5%BE',
  )
})

/** Reads an EMV code: identifiers and values. */
function readEmv(code: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  for (let at = 0; at < code.length; ) {
    const length = Number(code.slice(at + 2, at + 4))
    members.set(code.slice(at, at + 2), code.slice(at + 4, at + 4 + length))
    at += 4 + length
  }
  return members
}

test('a PIX code is the published example of the central bank, with its checksum', () => {
  const code = pixCode({
    key: '123e4567-e12b-12d1-a456-426655440000',
    payeeName: 'Fulano de Tal',
    payeeCity: 'BRASILIA',
  })
  assert.equal(
    code,
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
  )
})

test('a PIX code reads back to the cent, without accents, with a checksum that holds', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 11n })
  fc.assert(
    fc.property(units, fc.stringMatching(/^[A-Za-z0-9]{1,25}$/), (cents, reference) => {
      const wanted = fromMinorUnits(cents, 2)
      const code = pixCode({
        key: 'loja@exemplo.br',
        amount: wanted,
        payeeName: 'Café São João',
        payeeCity: 'São Paulo',
        reference,
      })
      const read = readEmv(code)
      assert.match(read.get('54') ?? '', /^\d+\.\d\d$/)
      assert.equal(toMinorUnits(parsePlainAmount(read.get('54') ?? ''), 2), cents)
      assert.equal(read.get('59'), 'Cafe Sao Joao')
      assert.equal(readEmv(read.get('62') ?? '').get('05'), reference)
      assert.equal(read.get('63'), crc16(code.slice(0, -4)))
    }),
    { numRuns: RUNS },
  )
  assert.equal(crc16('123456789'), '29B1', 'the check value of CRC-16/CCITT-FALSE')
})

test('a Swiss code has 31 lines, the amount with two decimals, and a reference of its kind', () => {
  const bill = {
    iban: 'CH5800791123000889012',
    creditor: {
      name: 'Robert Schneider AG',
      street: 'Rue du Lac',
      buildingNumber: '1268',
      postalCode: '2501',
      town: 'Biel',
      country: 'CH',
    },
    amount: amount('199.9'),
    currencyCode: 'CHF',
    creditorReference: 'RF18539007547034',
    message: 'Order 41',
  } as const
  const lines = swissQrCode(bill).split('\n')
  assert.equal(lines.length, 31)
  assert.deepEqual(lines.slice(0, 11), [
    'SPC',
    '0200',
    '1',
    bill.iban,
    'S',
    'Robert Schneider AG',
    'Rue du Lac',
    '1268',
    '2501',
    'Biel',
    'CH',
  ])
  assert.deepEqual(lines.slice(18, 20), ['199.90', 'CHF'])
  assert.deepEqual(lines.slice(27), ['SCOR', 'RF18539007547034', 'Order 41', 'EPD'])
  const { creditorReference: _none, ...without } = bill
  assert.deepEqual(swissQrCode(without).split('\n').slice(27, 29), ['NON', ''])
  assert.throws(() => swissQrCode({ ...bill, iban: 'BE72000000001616' }), /Switzerland/)
  assert.throws(() => swissQrCode({ ...bill, iban: 'CH4431999123000889012' }), /QR-IBAN/)
})

test('links carry what a reader of links finds again', () => {
  const upi = new URL(
    upiLink({
      payeeAddress: 'shop@bank',
      payeeName: 'Tea & Co',
      amount: amount('149.9'),
      reference: 'YK7HC7SP61GN',
    }),
  )
  assert.equal(upi.protocol, 'upi:')
  assert.deepEqual(Object.fromEntries(upi.searchParams), {
    pa: 'shop@bank',
    pn: 'Tea & Co',
    tr: 'YK7HC7SP61GN',
    am: '149.9',
    cu: 'INR',
  })
  const btc = new URL(
    bitcoinLink({
      address: '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W',
      amount: amount('0.00000001'),
      label: 'Luke & Jr',
    }),
  )
  assert.equal(btc.pathname, '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W')
  assert.equal(btc.searchParams.get('amount'), '0.00000001')
  assert.equal(btc.searchParams.get('label'), 'Luke & Jr')
  assert.throws(
    () => upiLink({ payeeAddress: 'nobody', payeeName: 'A', amount: amount('1'), reference: 'A' }),
    /payeeAddress/,
  )
  assert.throws(
    () => bitcoinLink({ address: '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W', amount: amount('0.000000001') }),
    /amount/,
  )
})
