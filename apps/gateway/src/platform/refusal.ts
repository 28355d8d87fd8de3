import { ERROR_CATALOGUE, type ErrorCode } from '@tollgate/contract/words'

/** One thing that is wrong with one field of the input. */
export interface Violation {
  readonly field: string
  readonly code: string
  readonly message: string
}

/** One reason of a 406 answer (specification 7): which rule of the business was not met. */
export interface RejectionItem {
  readonly code: ErrorCode
  readonly message: string
  readonly field?: string
  readonly paymentMethodCode?: string
  readonly paymentOperatorCode?: string
  readonly limit?: { readonly min: unknown; readonly max: unknown; readonly currencyCode: string }
}

export interface RefusalDetails {
  readonly message?: string
  readonly violations?: readonly Violation[]
  readonly items?: readonly RejectionItem[]
  /** Further members of the BasicError, e.g. `duplicate` and `acceptedAt` of a 409. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
  /** What the merchant's developers are shown beside, and the caller is not told: it has not proven who it is. */
  readonly diagnosis?: string | undefined
}

/**
 * An outcome we expect and tell the caller about. Anything else that is thrown is a bug and is answered with 500.
 * The code decides the HTTP status, through the one catalogue of errors.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly details: RefusalDetails

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    super(details.message ?? ERROR_CATALOGUE[code].message)
    this.code = code
    this.details = details
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status
  }
}

/** What is wrong, a sentence for each thing. */
export function sentencesOf({ message, details }: Refusal): readonly string[] {
  const { items, violations, diagnosis } = details
  const named = violations?.map((each) => `${each.field}: ${each.message}`)
  const says = items?.map((item) => item.message) ?? named ?? [message]
  return diagnosis === undefined ? says : [...says, diagnosis]
}

/** A 406 with one item per reason. */
export function rejection(items: readonly RejectionItem[]): Refusal {
  const first = items[0]
  if (first === undefined) throw new Error('a rejection needs at least one reason')
  return new Refusal(first.code, { items })
}

/** A 400 that names one field. */
export function invalidField(
  field: string,
  message: string,
  code: ErrorCode = 'ATTRIBUTE_VALUE_INVALID',
): Refusal {
  return new Refusal(code, { message: `${field}: ${message}`, violations: [{ field, code, message }] })
}

/** Throws when a caller's token should carry the money and does not. */
export function requireMoneyIn({ isMoneyMissing }: { readonly isMoneyMissing?: boolean }): void {
  if (isMoneyMissing !== true) return
  throw new Refusal('MONEY_NOT_PERMITTED', {
    message:
      'This merchant’s tokens for customers must carry `money`, and this one does not. Create one with `money`.',
  })
}
