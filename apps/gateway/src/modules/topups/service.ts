import type { OptionsRequest, TopUpCreate } from '@tollgate/contract'
import { parseAmount } from '@tollgate/money'
import type { Caller } from '../../http/app-type.ts'
import { invalidField } from '../../platform/refusal.ts'
import type { PaymentOption } from '../catalogue/index.ts'
import {
  type Accepted,
  type CreateBody,
  type Intake,
  type Payment,
  type PaymentKey,
  readRequest,
} from '../payments/index.ts'

interface TopUpDeps {
  readonly intake: Intake
}

/** Top-ups, in the order of the specification (section 4.2). Refusals are thrown. */
export interface TopUpService {
  listOptions(caller: Caller, request: OptionsRequest): Promise<readonly PaymentOption[]>
  /** Accepts a top-up. No balance changes by it: only what an institution reports is credited. */
  create(caller: Caller, idTopUp: string, body: TopUpCreate): Promise<Accepted>
  read(caller: Caller, idTopUp: string): Promise<Payment>
}

export function createTopUpService({ intake }: TopUpDeps): TopUpService {
  return {
    listOptions: (caller, request) => intake.listOptions(caller, 'TOPUP', request),
    create: async (caller, idTopUp, body) =>
      intake.create({
        caller,
        key: keyOf(caller, idTopUp),
        direction: 'TOPUP',
        request: readRequest(caller, { ...body, ...readRequested(body) }),
      }),
    read: (caller, idTopUp) => intake.read(keyOf(caller, idTopUp)),
  }
}

const keyOf = (caller: Caller, idTopUp: string): PaymentKey => ({
  merchantId: caller.merchantId,
  kind: 'TOPUP',
  idPayment: idTopUp,
})

type Requested = CreateBody['requested']

/**
 * What a create asks for, and the member that says so: `topUpRequested` or its synonym `paymentRequested`. Throws
 * ATTRIBUTE_REQUIRED when neither is there, and ATTRIBUTE_VALUE_INVALID when they differ: which is meant is not guessed.
 */
function readRequested(body: TopUpCreate): Pick<CreateBody, 'requested' | 'requestedField'> {
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
