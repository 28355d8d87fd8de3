import type { ExternalReference, OptionsRequest, PayinCreate } from '@tollgate/contract'
import type { Caller } from '../../http/authentication.ts'
import { invalidField, rejection } from '../../platform/refusal.ts'
import type { PaymentOption } from '../catalogue/index.ts'
import {
  type Accepted,
  type CollectedData,
  type Intake,
  type Payment,
  type PaymentKey,
  type PaymentService,
  readRequest,
} from '../payments/index.ts'

export interface PayinDeps {
  readonly intake: Intake
  readonly payments: PaymentService
  /** Tells the worker of this process that there is work: others find it by polling. */
  readonly wakeWorker: () => void
}

/** A payment and what is known of the accounts it was paid from. */
export interface PayinAccounts {
  readonly payment: Payment
  readonly collected: readonly CollectedData[]
}

/** Incoming payments, in the order of the specification (section 4.1). Refusals are thrown. */
export interface PayinService {
  listOptions(caller: Caller, request: OptionsRequest): Promise<readonly PaymentOption[]>
  create(caller: Caller, idPayin: string, body: PayinCreate): Promise<Accepted>
  read(caller: Caller, idPayin: string): Promise<Payment>
  setExternalReference(caller: Caller, idPayin: string, body: ExternalReference): Promise<void>
  listAccounts(caller: Caller, idPayin: string): Promise<PayinAccounts>
}

export function createPayinService(deps: PayinDeps): PayinService {
  const { intake } = deps
  return {
    listOptions: (caller, request) => intake.listOptions(caller, 'PAYIN', request),
    create: async (caller, idPayin, body) =>
      intake.create({
        caller,
        key: keyOf(caller, idPayin),
        direction: 'PAYIN',
        request: readRequest(caller, {
          ...body,
          requested: body.paymentRequested,
          requestedField: 'paymentRequested',
        }),
      }),
    read: (caller, idPayin) => intake.read(keyOf(caller, idPayin)),
    setExternalReference: (caller, idPayin, body) => submitReference(deps, keyOf(caller, idPayin), body),
    listAccounts: (caller, idPayin) => readAccounts(deps, keyOf(caller, idPayin)),
  }
}

const keyOf = (caller: Caller, idPayin: string): PaymentKey => ({
  merchantId: caller.merchantId,
  kind: 'PAYIN',
  idPayment: idPayin,
})

async function submitReference(deps: PayinDeps, key: PaymentKey, body: ExternalReference): Promise<void> {
  const externalReference = body.externalReference ?? body.reference
  if (externalReference === undefined)
    throw invalidField('externalReference', 'is required', 'ATTRIBUTE_REQUIRED')
  await deps.payments.setExternalReference(key, externalReference)
  deps.wakeWorker()
}

async function readAccounts({ intake, payments }: PayinDeps, key: PaymentKey): Promise<PayinAccounts> {
  const payment = await intake.read(key)
  const collected = await payments.listPersonalData(key)
  if (collected.length > 0) return { payment, collected }
  const message = 'No account data has been collected for this payment yet.'
  throw rejection([{ code: 'ACCOUNT_DATA_NOT_AVAILABLE', message }])
}
