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

const IBANS = ['CZ6508000000192000145399', 'CZ5508000000001234567899', 'DE89370400440532013000'] as const
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
const payee: fc.Arbitrary<Named> = fc.oneof(iban, czechBeside, czechInside, american)

/** What the file says of the account; undefined when no payout to it is accepted, or no file can carry it. */
function namedInFile(named: Named): string | undefined {
  const { currencyCode, ...account } = named
  if (objectionToBeneficiary(currencyCode, account) !== undefined) return undefined
  const payment = { money: { amount: parsePlainAmount('10'), currencyCode } }
  const found = creditorOf({ payment, customer: { accountName: 'Jana', ...account } })
  if ('why' in found) return undefined
  const { creditor } = found
  return creditor.iban ?? `${creditor.accountNumber} at ${creditor.bic ?? creditor.bankCode ?? ''}`
}

test('D18 two payees are equal exactly when the bank’s file names the same account', () => {
  let [equal, different] = [0, 0]
  fc.assert(
    fc.property(payee, payee, (left, right) => {
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
