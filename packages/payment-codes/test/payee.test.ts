import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type NamedAccount, payeeIdentity, payeesOfLine, readPixKey, samePayee } from '../src/index.ts'

const isSame = (left: NamedAccount, right: NamedAccount): boolean =>
  samePayee(payeeIdentity(left), payeeIdentity(right))

test('an IBAN is the same in every spelling, and whatever bank, payment operator or currency stands beside it', () => {
  const iban = { accountNumber: 'DE89370400440532013000' }
  for (const other of [
    { accountNumber: ' de89 3704 0044 0532 0130 00' },
    { accountNumber: 'DE89-3704-0044-0532-0130-00', bankCode: 'COBADEFF' },
    { accountNumber: 'DE89370400440532013000', operatorCode: 'SOME_BANK', currencyCode: 'USD' },
  ])
    assert.ok(isSame(iban, other), JSON.stringify(other))
  assert.ok(!isSame(iban, { accountNumber: 'DE02120300000000202051' }))
})

test('a domestic account is its IBAN in the currency of the country', () => {
  const pairs: readonly (readonly [NamedAccount, string])[] = [
    [{ accountNumber: '19-2000145399/0800', currencyCode: 'CZK' }, 'CZ6508000000192000145399'],
    [
      { accountNumber: '000019-2000145399', bankCode: '0800', currencyCode: 'CZK' },
      'CZ6508000000192000145399',
    ],
    [
      { accountNumber: '0000192000145399', bankCode: '0800', currencyCode: 'CZK' },
      'CZ6508000000192000145399',
    ],
    [
      { accountNumber: '61 1090 1014 0000 0712 1981 2874', currencyCode: 'PLN' },
      'PL61109010140000071219812874',
    ],
    [{ accountNumber: '11773016-11111018-00000000', currencyCode: 'HUF' }, 'HU42117730161111101800000000'],
    [{ accountNumber: '11773016-11111018', currencyCode: 'HUF' }, 'HU42117730161111101800000000'],
    [{ accountNumber: '8601 11 17947', currencyCode: 'NOK' }, 'NO9386011117947'],
    [{ accountNumber: '440116243', bankCode: '0040', currencyCode: 'DKK' }, 'DK5000400440116243'],
  ]
  for (const [domestic, iban] of pairs)
    assert.equal(payeeIdentity(domestic)?.account, iban, JSON.stringify(domestic))
  const wrong = [
    { accountNumber: '19-2000145398/0800', currencyCode: 'CZK' },
    { accountNumber: '19-2000145399/0800', bankCode: '0100', currencyCode: 'CZK' },
    { accountNumber: '61 1090 1014 0000 0712 1981 2875', currencyCode: 'PLN' },
    { accountNumber: '11773016-11111019', currencyCode: 'HUF' },
    { accountNumber: '86011117948', currencyCode: 'NOK' },
  ]
  for (const each of wrong) assert.notEqual(payeeIdentity(each)?.scheme, 'IBAN', JSON.stringify(each))
})

test('sort code and number are the British IBAN that they belong to', () => {
  const domestic = { accountNumber: '31926819', bankCode: '60-16-13', currencyCode: 'GBP' }
  assert.ok(isSame(domestic, { accountNumber: 'GB29 NWBK 6016 1331 9268 19' }))
  assert.ok(!isSame(domestic, { accountNumber: '31926819', bankCode: 'GB601613', currencyCode: 'USD' }))
})

test('a UPI address or PIX key is one payee through whichever payment operator it is paid, where the method names accounts so', () => {
  const [address, key] = ['j-ananova.k@okbank', '111.444.777-35']
  for (const [accountNumber, accountScheme, currencyCode] of [
    [address, 'VPA', 'INR'],
    [key, 'PIX', 'BRL'],
    ['jana@example.com', 'PIX', 'BRL'],
  ] as const) {
    const named = { accountNumber, accountScheme, currencyCode }
    assert.ok(isSame(named, { ...named, operatorCode: 'SANDPAY' }))
    assert.ok(isSame({ accountNumber, currencyCode }, { ...named, operatorCode: 'OTHERPAY' }))
    // In a wallet that names accounts as it pleases, the same text is another account.
    assert.ok(!isSame(named, { accountNumber, currencyCode, operatorCode: 'SANDPAY' }))
  }
})

test('dots and hyphens are parts of a UPI address, and capitals are not', () => {
  const address = { accountNumber: 'j-ananova.k@okbank', currencyCode: 'INR' }
  assert.ok(isSame(address, { accountNumber: 'J-Ananova.K@OKBANK', currencyCode: 'INR' }))
  for (const other of ['jananova.k@okbank', 'j-ananovak@okbank', 'j-ananova.k@okbanks'])
    assert.ok(!isSame(address, { accountNumber: other, currencyCode: 'INR' }), other)
})

test('the same text at another payment operator, or the same number at another bank, is another payee', () => {
  assert.ok(
    !isSame(
      { accountNumber: 'jana', operatorCode: 'SANDPAY' },
      { accountNumber: 'jana', operatorCode: 'OTHERPAY' },
    ),
  )
  assert.ok(
    !isSame({ accountNumber: '12345', bankCode: '1000' }, { accountNumber: '12345', bankCode: '2000' }),
  )
  assert.ok(
    isSame(
      { accountNumber: '12 345', bankCode: 'deutdeffxxx' },
      { accountNumber: '12345', bankCode: 'DEUTDEFF' },
    ),
  )
})

test('addresses of chains are equal as their checksums allow', () => {
  const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  assert.ok(isSame({ accountNumber: evm }, { accountNumber: evm.toLowerCase() }))
  const mistyped = payeeIdentity({ accountNumber: evm.replace('aAeb', 'aaeb') })
  assert.equal(mistyped?.scheme, 'OTHER')
  for (const each of [
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])
    assert.equal(payeeIdentity({ accountNumber: each })?.scheme, 'CRYPTO', each)
  const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  assert.ok(isSame({ accountNumber: segwit }, { accountNumber: segwit.toUpperCase() }))
  const base58 = { accountNumber: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
  assert.ok(!isSame(base58, { accountNumber: base58.accountNumber.toLowerCase() }))
})

test('PIX keys are read in the spellings of people', () => {
  const keys: readonly (readonly [string, string])[] = [
    ['529.982.247-25', '52998224725'],
    ['11.222.333/0001-81', '11222333000181'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['+55 (11) 98765-4321', '+5511987654321'],
    ['Loja@Exemplo.COM.br', 'loja@exemplo.com.br'],
    ['123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ]
  for (const [text, key] of keys) {
    assert.equal(readPixKey(text)?.key, key, text)
    assert.ok(
      isSame({ accountNumber: text, currencyCode: 'BRL' }, { accountNumber: key, currencyCode: 'BRL' }),
      text,
    )
  }
  for (const text of ['529.982.247-26', '11111111111', '11.222.333/0001-82', '+1 202 555 0100', 'loja'])
    assert.equal(readPixKey(text), undefined, text)
})

test('a line of a block-list finds the payee in every spelling, and nobody else', () => {
  const meets = (line: string, named: NamedAccount): boolean =>
    payeesOfLine(line).some((payee) => samePayee(payee, payeeIdentity(named)))
  const czech = 'CZ65 0800 0000 1920 0014 5399'
  const found: readonly (readonly [string, NamedAccount])[] = [
    [czech, { accountNumber: '19-2000145399/0800', currencyCode: 'CZK' }],
    [czech, { accountNumber: '19-2000145399', bankCode: '0800', currencyCode: 'CZK' }],
    ['19-2000145399/0800', { accountNumber: 'CZ6508000000192000145399', currencyCode: 'EUR' }],
    ['19-2000145399;0800', { accountNumber: 'CZ6508000000192000145399', currencyCode: 'EUR' }],
    ['61 1090 1014 0000 0712 1981 2874', { accountNumber: 'PL61109010140000071219812874' }],
    ['GB29NWBK60161331926819', { accountNumber: '31926819', bankCode: '601613', currencyCode: 'GBP' }],
    ['31926819;60-16-13', { accountNumber: 'GB29NWBK60161331926819' }],
    ['jana;sandpay', { accountNumber: 'jana', operatorCode: 'SANDPAY' }],
    ['Jana@example.com;SANDPAY', { accountNumber: 'jana@Example.com', operatorCode: 'SANDPAY' }],
    ['jana@okbank', { accountNumber: 'JANA@okbank', currencyCode: 'INR' }],
    ['529.982.247-25', { accountNumber: '52998224725', currencyCode: 'BRL' }],
    ['loja@exemplo.com.br', { accountNumber: 'Loja@exemplo.com.br', currencyCode: 'BRL' }],
    ['12345;021000021', { accountNumber: '12-345', bankCode: '021000021', currencyCode: 'USD' }],
    [
      '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
      { accountNumber: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' },
    ],
  ]
  for (const [line, named] of found) assert.ok(meets(line, named), `${line} ${JSON.stringify(named)}`)
  const missed: readonly (readonly [string, NamedAccount])[] = [
    ['jananova.k@okbank', { accountNumber: 'j-ananova.k@okbank', currencyCode: 'INR' }],
    ['jana;SANDPAY', { accountNumber: 'jana', operatorCode: 'OTHERPAY' }],
    ['12345;021000021', { accountNumber: '12345', bankCode: '021000022', currencyCode: 'USD' }],
    [czech, { accountNumber: '19-2000145399/0100', currencyCode: 'CZK' }],
  ]
  for (const [line, named] of missed) assert.ok(!meets(line, named), `${line} ${JSON.stringify(named)}`)
  for (const line of ['', ' ;0800', '12345', 'jana', 'A1']) assert.deepEqual(payeesOfLine(line), [], line)
})
