import type { Payment } from './model.ts'

/** What a reference of a method looks like, and how that is said to who typed another one. */
interface ReferenceFormat {
  readonly pattern: RegExp
  readonly what: string
}

/** NPCI: the reference number of UPI and IMPS. NEFT has 16 characters, RTGS 22. */
const INSTANT_INDIA: ReferenceFormat = { pattern: /^\d{12}$/, what: '12 digits' }
const INDIA: ReferenceFormat = {
  pattern: /^(?:[A-Za-z0-9]{12}|[A-Za-z0-9]{16}|[A-Za-z0-9]{22})$/,
  what: '12, 16 or 22 letters and digits',
}
/** What banks call a payment elsewhere, up to the hash of a transaction on a chain. A word without a digit is none. */
const ANYWHERE: ReferenceFormat = {
  pattern: /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9./:+_-]{0,69}$/,
  what: 'letters and digits without spaces, at least one digit',
}
const BY_METHOD: ReadonlyMap<string, ReferenceFormat> = new Map([
  ['UPI', INSTANT_INDIA],
  ['IMPS', INSTANT_INDIA],
])

/** What is wrong with a reference that a customer typed; undefined when it has the form of the payment's method. */
export function problemOfReference(
  { methodCode, money }: Pick<Payment, 'methodCode' | 'money'>,
  reference: string,
): string | undefined {
  const format = BY_METHOD.get(methodCode) ?? (money.currencyCode === 'INR' ? INDIA : ANYWHERE)
  return format.pattern.test(reference)
    ? undefined
    : `This is no reference of the payment method: ${format.what} expected.`
}
