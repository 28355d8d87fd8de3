import type { ExternalReference, OptionsRequest, PayinCreate } from '@tollgate/contract'
import { TRIGGER_OUTCOMES, type TriggerOutcome } from '@tollgate/contract/words'
import type { Money } from '@tollgate/money'
import type { Caller } from '../../http/app-type.ts'
import { invalidField, Refusal, rejection } from '../../platform/refusal.ts'
import type { Choice, PaymentOption } from '../catalogue/index.ts'
import {
  type Accepted,
  type CollectedData,
  type CreateOrder,
  type Intake,
  type Payment,
  type PaymentKey,
  type PaymentService,
  readRequest,
  readReturnUrl,
  readUrl,
} from '../payments/index.ts'

interface PayinDeps {
  readonly intake: Intake
  readonly payments: PaymentService
  /** Tells the worker of this process that there is work: others find it by polling. */
  readonly wakeWorker: () => void
  /** What of a payin was refunded; undefined when nothing was. */
  readonly findPaidBack: (payin: Payment) => Promise<Money | undefined>
  /** Makes the sandbox's institutions say something; absent in live. */
  readonly trigger?: ((payment: Payment, outcome: TriggerOutcome) => Promise<unknown>) | undefined
}

/** A payment and what is known of the accounts it was paid from. */
interface PayinAccounts {
  readonly payment: Payment
  readonly collected: readonly CollectedData[]
}

/** What the hosted page sends: a create, and where it is itself. */
interface PageOrder {
  readonly body: PayinCreate
  readonly pageUrl: string
}

interface Addresses {
  readonly callbackUrl: string
  readonly returnUrl: string
}

/** Incoming payments, in the order of the specification (section 4.1). Refusals are thrown. */
export interface PayinService {
  listOptions(caller: Caller, request: OptionsRequest): Promise<readonly PaymentOption[]>
  /** What a picker shows beside the options: what is closed just now, and how people find a bank. */
  listChoices(caller: Caller, request: OptionsRequest): Promise<readonly Choice[]>
  create(caller: Caller, idPayin: string, body: PayinCreate): Promise<Accepted>
  read(caller: Caller, idPayin: string): Promise<Payment>
  /** A create on the hosted page: institutions send the customer back to `pageUrl`, and not to the shop. */
  createOnPage(caller: Caller, idPayin: string, order: PageOrder): Promise<Accepted>
  /** Throws what a create with these addresses would be refused for. */
  judgeAddresses(caller: Caller, addresses: Addresses): Promise<void>
  /** Sandbox only: throws ROUTE_NOT_FOUND in live. */
  trigger(caller: Caller, idPayin: string, outcome: string): Promise<void>
  /** Cancels the payin while nothing was paid, and answers it as it is then. A repeat changes nothing. */
  cancel(caller: Caller, idPayin: string): Promise<Payment>
  /** What of it was refunded; undefined when nothing was. */
  findPaidBack(payin: Payment): Promise<Money | undefined>
  setExternalReference(caller: Caller, idPayin: string, body: ExternalReference): Promise<void>
  listAccounts(caller: Caller, idPayin: string): Promise<PayinAccounts>
}

export function createPayinService(deps: PayinDeps): PayinService {
  const { intake } = deps
  return {
    listOptions: (caller, request) => intake.listOptions(caller, 'PAYIN', request),
    listChoices: (caller, request) => intake.listChoices(caller, 'PAYIN', request),
    create: async (caller, idPayin, body) => intake.create(orderOf(caller, idPayin, body)),
    createOnPage: async (caller, idPayin, { body, pageUrl }) =>
      intake.create({ ...orderOf(caller, idPayin, body), pageUrl: readUrl('pageUrl', pageUrl) }),
    judgeAddresses: async (caller, { callbackUrl, returnUrl }) =>
      intake.judgeAddresses(caller, {
        callbackUrl: readUrl('callbackUrl', callbackUrl),
        returnUrl: readReturnUrl(returnUrl),
      }),
    trigger: (caller, idPayin, outcome) => triggerPayin(deps, keyOf(caller, idPayin), outcome),
    findPaidBack: deps.findPaidBack,
    read: (caller, idPayin) => intake.read(keyOf(caller, idPayin)),
    async cancel(caller, idPayin) {
      const key = keyOf(caller, idPayin)
      await deps.payments.cancel(key)
      return intake.read(key)
    },
    setExternalReference: (caller, idPayin, body) => submitReference(deps, keyOf(caller, idPayin), body),
    listAccounts: (caller, idPayin) => readAccounts(deps, keyOf(caller, idPayin)),
  }
}

const keyOf = (caller: Caller, idPayin: string): PaymentKey => ({
  merchantId: caller.merchantId,
  kind: 'PAYIN',
  idPayment: idPayin,
})

function orderOf(caller: Caller, idPayin: string, body: PayinCreate): CreateOrder {
  const requested = { requested: body.paymentRequested, requestedField: 'paymentRequested' }
  return {
    caller,
    key: keyOf(caller, idPayin),
    direction: 'PAYIN',
    request: readRequest(caller, { ...body, ...requested }),
  }
}

async function triggerPayin({ intake, trigger }: PayinDeps, key: PaymentKey, text: string): Promise<void> {
  if (trigger === undefined) throw new Refusal('ROUTE_NOT_FOUND')
  const outcome = TRIGGER_OUTCOMES.find((each) => each === text)
  if (outcome === undefined) throw invalidField('outcome', `must be one of ${TRIGGER_OUTCOMES.join(', ')}`)
  await trigger(await intake.read(key), outcome)
}

async function submitReference(deps: PayinDeps, key: PaymentKey, body: ExternalReference): Promise<void> {
  const { externalReference = body.reference, reference } = body
  if (externalReference === undefined)
    throw invalidField('externalReference', 'is required', 'ATTRIBUTE_REQUIRED')
  if (reference !== undefined && reference !== externalReference)
    throw invalidField('reference', 'must say the same as externalReference, or be left out')
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
