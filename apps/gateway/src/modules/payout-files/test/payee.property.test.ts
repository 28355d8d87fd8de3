import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { payeeIdentity, samePayee } from '@tollgate/payment-codes'
import fc from 'fast-check'
import { objectionToBeneficiary } from '../../../rails/bank-transfer/index.ts'
import { creditorOf } from '../creditor.ts'

/** Few digits, so that equal accounts are frequent. */
const digits = (lengthMin: number, lengthMax = lengthMin) =>
  fc
    .array(fc.constantFrom('0', '1'), { minLength: lengthMin, maxLength: lengthMax })
    .map((each) => each.join(''))

/** What people put between the symbols of an account, and where the case is theirs to choose. */
const spelled = (text: string) =>
  fc.array(fc.constantFrom('', '', ' ', '-'), { minLength: 3, maxLength: 3 }).chain((between) =>
    fc.boolean().map((isLower) => {
      const pieces = text.match(/.{1,4}/g) ?? []
      const written = pieces
        .map((piece, index) => (index === 0 ? piece : `${between[index % 3] ?? ''}${piece}`))
        .join('')
      return isLower ? written.toLowerCase() : written
    }),
  )

const IBANS = [
  'CZ6508000000192000145399',
  'CZ5508000000001234567899',
  'DE89370400440532013000',
  'GB29NWBK60161331926819',
  'PL61109010140000071219812874',
  'HU42117730161111101800000000',
  'NO9386011117947',
  'DK5000400440116243',
]
const CZECH = ['19-2000145399', '000019-2000145399', '0000192000145399', '2000145399', '1234567899'] as const

interface Named {
  readonly accountNumber: string
  readonly bankCode?: string
  readonly currencyCode: string
}

const iban = fc.record({
  accountNumber: fc.constantFrom(...IBANS).chain(spelled),
  currencyCode: fc.constantFrom('CZK', 'USD', 'EUR'),
})
const czechBeside = fc.record({
  accountNumber: fc.constantFrom(...CZECH),
  bankCode: fc.constantFrom('0800', '0100', ' 0800'),
  currencyCode: fc.constant('CZK'),
})
const czechInside = fc.record({
  accountNumber: fc
    .tuple(fc.constantFrom(...CZECH), fc.constantFrom('0800', '0100'))
    .map(([number, bank]) => `${number}/${bank}`),
  currencyCode: fc.constant('CZK'),
})
const american = fc.record({
  accountNumber: digits(3, 5).chain(spelled),
  bankCode: fc.constantFrom('021000021', '0210-0002-1', '026009593', 'CHASUS33', 'CHASUS33XXX', 'chasus33'),
  currencyCode: fc.constantFrom('USD', 'CZK'),
})
/** Accounts in the forms of their countries, of the IBANs above and of others; also in a currency where they mean no IBAN. A sort
 * code in another currency is the code of an unknown bank, so British ones stay in theirs. */
const domestic = (
  currencies: readonly string[],
  accounts: readonly Omit<Named, 'currencyCode'>[],
): fc.Arbitrary<Named> =>
  fc.constantFrom(...accounts).chain(({ accountNumber, ...bank }) =>
    fc
      .record({
        accountNumber: spelled(accountNumber),
        currencyCode: fc.constantFrom(...currencies),
      })
      .map((named) => ({ ...named, ...bank })),
  )
const british = domestic(
  ['GBP'],
  [
    { accountNumber: '31926819', bankCode: '60-16-13' },
    { accountNumber: '31926819', bankCode: '601613' },
    { accountNumber: '1926819', bankCode: '601613' },
    { accountNumber: '01926819', bankCode: '60 16 13' },
    { accountNumber: '31926819', bankCode: '601614' },
  ],
)
const polish = domestic(
  ['PLN', 'USD'],
  [{ accountNumber: '61109010140000071219812874' }, { accountNumber: '61109010140000071219812875' }],
)
const hungarian = domestic(
  ['HUF', 'USD'],
  [
    { accountNumber: '117730161111101800000000' },
    { accountNumber: '1177301611111018' },
    { accountNumber: '1177301611111019' },
  ],
)
const norwegian = domestic(
  ['NOK', 'USD'],
  [{ accountNumber: '86011117947' }, { accountNumber: '86011117948' }],
)
const danish = domestic(
  ['DKK', 'USD'],
  [
    { accountNumber: '440116243', bankCode: '0040' },
    { accountNumber: '0440116243', bankCode: '0040' },
    { accountNumber: '440116243', bankCode: '0041' },
  ],
)
const payee: fc.Arbitrary<Named> = fc.oneof(
  iban,
  czechBeside,
  czechInside,
  american,
  british,
  polish,
  hungarian,
  norwegian,
  danish,
)
/** Any two, or two of one country. */
const pair: fc.Arbitrary<readonly [Named, Named]> = fc.oneof(
  fc.tuple(payee, payee),
  ...[british, polish, hungarian, norwegian, danish].map((each) => fc.tuple(each, fc.oneof(each, iban))),
)

/** What the file says of the account; undefined when no payout to it is accepted, or no file can carry it. */
function namedInFile(named: Named): string | undefined {
  const { currencyCode, ...account } = named
  if (objectionToBeneficiary(currencyCode, account) !== undefined) return undefined
  const payment = { money: { amount: parsePlainAmount('10'), currencyCode } }
  const found = creditorOf({ payment, customer: { accountName: 'Jana', ...account } })
  if ('why' in found) return undefined
  const { creditor } = found
  // A British IBAN says sort code and number, so both forms name one account.
  const [, sortCode, number] = /^GB\d{2}[A-Z]{4}(\d{6})(\d{8})$/.exec(creditor.iban ?? '') ?? []
  if (sortCode !== undefined) return `${number} at ${sortCode}`
  return creditor.iban ?? `${creditor.accountNumber} at ${creditor.bic ?? creditor.bankCode ?? ''}`
}

test('D18 two payees are equal exactly when the bank’s file names the same account', () => {
  let [equal, different] = [0, 0]
  fc.assert(
    fc.property(pair, ([left, right]) => {
      const [inLeft, inRight] = [namedInFile(left), namedInFile(right)]
      fc.pre(inLeft !== undefined && inRight !== undefined)
      const isSame = samePayee(payeeIdentity(left), payeeIdentity(right))
      assert.equal(isSame, inLeft === inRight, `${inLeft} and ${inRight}`)
      if (isSame) equal += 1
      else different += 1
    }),
    { numRuns: 3_000 },
  )
  assert.ok(equal > 100 && different > 100, `${equal} equal and ${different} different pairs`)
})
