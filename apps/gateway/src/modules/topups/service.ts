import type { OptionsRequest, TopUpCreate } from '@tollgate/contract'
import type { Caller } from '../../http/authentication.ts'
import type { PaymentOption } from '../catalogue/index.ts'
import { type Accepted, type Intake, type Payment, type PaymentKey, readRequest } from '../payments/index.ts'
import { readRequested } from './request.ts'

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
