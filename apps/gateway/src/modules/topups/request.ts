import type { TopUpCreate } from '@tollgate/contract'
import { parseAmount } from '@tollgate/money'
import { invalidField } from '../../platform/refusal.ts'
import type { CreateBody } from '../payments/index.ts'

type Requested = CreateBody['requested']

/**
 * What a create asks for, and the member that says so: `topUpRequested` or its synonym `paymentRequested`. Throws
 * ATTRIBUTE_REQUIRED when neither is there, and ATTRIBUTE_VALUE_INVALID when they differ: which is meant is not guessed.
 */
export function readRequested(body: TopUpCreate): Pick<CreateBody, 'requested' | 'requestedField'> {
  const { topUpRequested, paymentRequested } = body
  if (topUpRequested === undefined) {
    if (paymentRequested === undefined)
      throw invalidField('topUpRequested', 'is required', 'ATTRIBUTE_REQUIRED')
    return { requested: paymentRequested, requestedField: 'paymentRequested' }
  }
  if (paymentRequested !== undefined && textOf(topUpRequested) !== textOf(paymentRequested))
    throw invalidField('paymentRequested', 'must say the same as topUpRequested, or be left out')
  return { requested: topUpRequested, requestedField: 'topUpRequested' }
}

/** One text for all spellings of the same request: amounts are compared as numbers, 10 equals 10.00. */
function textOf({ money, segmentCode }: Requested): string {
  const { amount, currencyCode } = money
  const digits = typeof amount === 'number' ? String(amount) : amount.text
  return JSON.stringify([parseAmount(digits) ?? digits, currencyCode, segmentCode ?? null])
}
