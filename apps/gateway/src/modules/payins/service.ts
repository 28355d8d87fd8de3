import type { ExternalReference, OptionsRequest, PayinCreate, WireMoney } from '@tollgate/contract'
import type { Money } from '@tollgate/money'
import type { Caller } from '../../http/authentication.ts'
import type { Database } from '../../platform/database.ts'
import type { Ids } from '../../platform/ids.ts'
import { judgeTargetPolicy, parseTargetUrl, type TargetPolicy } from '../../platform/outbound/index.ts'
import { invalidField, Refusal, type RejectionItem, rejection } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Rail } from '../../rails/rail.ts'
import {
  type AcceptedPayment,
  type CatalogueService,
  judgePayment,
  listOptions,
  type PaymentOption,
} from '../catalogue/index.ts'
import type { MerchantDirectory } from '../merchants/index.ts'
import {
  type AcceptVerdict,
  CapExceeded,
  type CollectedData,
  type NewPayment,
  type Payment,
  type PaymentKey,
  type PaymentService,
  type ProcessorStatus,
  sealPersonalData,
  setExternalReference,
} from '../payments/index.ts'
import { canonicalRequest, isMoneyPermitted, type PayinRequest, readAmount } from './model.ts'

export interface PayinDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
  readonly catalogue: CatalogueService
  readonly merchants: MerchantDirectory
  readonly payments: PaymentService
  readonly rails: ReadonlyMap<string, Rail>
  readonly callbackPolicy: TargetPolicy
  readonly returnPolicy: TargetPolicy
  readonly isLive: boolean
  /** True for an e-mail address that only means something in the sandbox. */
  readonly isSandboxAddress: (emailAddress: string | undefined) => boolean
  /** Tells the worker of this process that there is work: others find it by polling. */
  readonly wakeWorker: () => void
}

/** A payin that was accepted just now. */
export interface AcceptedPayin {
  readonly money: Money
  readonly payment: NewPayment
  readonly acceptedAt: Date
  readonly expireAt: Date
}

/** Incoming payments, in the order of the specification (section 4.1). */
export interface PayinService {
  listOptions(caller: Caller, request: OptionsRequest): Promise<readonly PaymentOption[]>
  create(caller: Caller, idPayin: string, body: PayinCreate): Promise<AcceptedPayin>
  read(caller: Caller, idPayin: string): Promise<Payment>
  setExternalReference(caller: Caller, idPayin: string, body: ExternalReference): Promise<void>
  listAccounts(
    caller: Caller,
    idPayin: string,
  ): Promise<{ readonly payment: Payment; readonly collected: readonly CollectedData[] }>
}

export function createPayinService(deps: PayinDeps): PayinService {
  return {
    listOptions: (caller, request) => findOptions(deps, caller, request),
    create: (caller, idPayin, body) => createPayin(deps, caller, { idPayin, body }),
    read: (caller, idPayin) => readPayin(deps, keyOf(caller, idPayin)),
    setExternalReference: (caller, idPayin, body) => submitReference(deps, keyOf(caller, idPayin), body),
    async listAccounts(caller, idPayin) {
      const payment = await readPayin(deps, keyOf(caller, idPayin))
      const collected = await deps.payments.listPersonalData(payment)
      if (collected.length === 0) {
        throw rejection([
          {
            code: 'ACCOUNT_DATA_NOT_AVAILABLE',
            message: 'No account data has been collected for this payment yet.',
          },
        ])
      }
      return { payment, collected }
    },
  }
}

const keyOf = (caller: Caller, idPayin: string): PaymentKey => ({
  merchantId: caller.merchantId,
  kind: 'PAYIN',
  idPayment: idPayin,
})

async function findOptions(
  deps: PayinDeps,
  caller: Caller,
  request: OptionsRequest,
): Promise<readonly PaymentOption[]> {
  const money = readMoney(caller, request.money, 'money')
  const terms = await deps.catalogue.termsOf(caller.merchantId)
  const found = listOptions(deps.catalogue.current(), terms, {
    direction: 'PAYIN',
    money,
    segmentCode: request.segmentCode,
  })
  if (!found.ok) throw rejection(found.items)
  return found.options
}

/** Reads the money exactly (400) and compares it with the token's (403). */
function readMoney(caller: Caller, wire: WireMoney, field: string): Money {
  const amount = readAmount(wire.amount)
  if (amount === undefined)
    throw invalidField(`${field}.amount`, 'must be greater than zero and have at most 40 digits')
  const money = { amount, currencyCode: wire.currencyCode }
  if (!isMoneyPermitted(caller.money, money)) throw new Refusal('MONEY_NOT_PERMITTED')
  return money
}

/**
 * Accepts a payin. Everything is decided in memory, then one shared round trip stores it. Whether the id is taken goes
 * before business rules: a repeat of an accepted payment must never hear that its method is gone.
 */
async function createPayin(
  deps: PayinDeps,
  caller: Caller,
  { idPayin, body }: { idPayin: string; body: PayinCreate },
): Promise<AcceptedPayin> {
  const request = readRequest(caller, body)
  const key = keyOf(caller, idPayin)
  const digest = deps.secrets.digest('request-digest', canonicalRequest(request))
  const judged = await judge(deps, caller, request)
  if (!judged.ok) {
    const existing = await deps.payments.find(key)
    if (existing !== undefined) throw duplicate(existing.createdAt, existing.requestDigest.equals(digest))
    throw rejection(judged.items)
  }
  const payment = buildPayment(deps, { caller, key, request, digest, accepted: judged.accepted })
  const verdict = await acceptWithinCap(deps, payment, judged.accepted)
  if (verdict.kind === 'DUPLICATE') throw duplicate(verdict.acceptedAt, verdict.requestDigest.equals(digest))
  if (payment.startsAtOnce) deps.wakeWorker()
  return { payment, money: request.money, acceptedAt: verdict.acceptedAt, expireAt: verdict.expireAt }
}

function readRequest(caller: Caller, body: PayinCreate): PayinRequest {
  const callbackUrl = readUrl('callbackUrl', body.callbackUrl)
  const returnUrl = body.returnUrl === undefined ? undefined : readUrl('returnUrl', body.returnUrl)
  return {
    money: readMoney(caller, body.paymentRequested.money, 'paymentRequested.money'),
    segmentCode: body.paymentRequested.segmentCode,
    methodCode: body.paymentMethod.paymentMethodCode,
    operatorCode: body.paymentMethod.paymentOperatorCode,
    account: body.paymentMethod.account,
    emailAddress: body.paymentMethod.emailAddress,
    callbackUrl,
    returnUrl,
  }
}

/** The URL as it will be used: parsed and serialised once, so that nobody reads it differently later. */
function readUrl(field: string, text: string): string {
  const target = parseTargetUrl(text)
  if (!target.ok) throw invalidField(field, target.problem)
  return target.url.href
}

type Judgement =
  | { readonly ok: true; readonly accepted: AcceptedPayment }
  | { readonly ok: false; readonly items: readonly RejectionItem[] }

async function judge(deps: PayinDeps, caller: Caller, request: PayinRequest): Promise<Judgement> {
  const terms = await deps.catalogue.termsOf(caller.merchantId)
  const judged = judgePayment(deps.catalogue.current(), terms, { ...request, direction: 'PAYIN' })
  const merchant =
    deps.merchants.peek(caller.merchantCode) ?? (await deps.merchants.find(caller.merchantCode))
  const items = [
    ...(judged.ok ? [] : judged.items),
    ...judgeUrls(deps, request, merchant?.allowedOrigins ?? []),
    ...judgeAddress(deps, request),
  ]
  return judged.ok && items.length === 0 ? judged : { ok: false, items }
}

function judgeUrls(
  deps: PayinDeps,
  request: PayinRequest,
  origins: readonly string[],
): readonly RejectionItem[] {
  const allowedOrigins = origins.length === 0 ? {} : { allowedOrigins: origins }
  const items: RejectionItem[] = []
  const callbackProblem = judgeTargetPolicy(new URL(request.callbackUrl), {
    ...deps.callbackPolicy,
    ...allowedOrigins,
  })
  if (callbackProblem !== undefined) {
    items.push({
      code: 'CALLBACK_URL_NOT_ALLOWED',
      message: `callbackUrl ${callbackProblem}.`,
      field: 'callbackUrl',
    })
  }
  const returnProblem =
    request.returnUrl &&
    judgeTargetPolicy(new URL(request.returnUrl), { ...deps.returnPolicy, ...allowedOrigins })
  if (returnProblem !== undefined && returnProblem !== '') {
    items.push({ code: 'RETURN_URL_NOT_ALLOWED', message: `returnUrl ${returnProblem}.`, field: 'returnUrl' })
  }
  return items
}

function judgeAddress(deps: PayinDeps, request: PayinRequest): readonly RejectionItem[] {
  if (!deps.isLive || !deps.isSandboxAddress(request.emailAddress)) return []
  const message = 'Sandbox e-mail addresses do not work in the live environment.'
  return [{ code: 'SANDBOX_ADDRESS_NOT_ALLOWED', message, field: 'paymentMethod.emailAddress' }]
}

function duplicate(acceptedAt: Date, isIdentical: boolean): Refusal {
  return new Refusal('ENTITY_DUPLICATED', {
    extra: { duplicate: isIdentical ? 'IDENTICAL' : 'DIFFERENT', acceptedAt: acceptedAt.toISOString() },
  })
}

async function acceptWithinCap(
  deps: PayinDeps,
  payment: NewPayment,
  accepted: AcceptedPayment,
): Promise<AcceptVerdict> {
  const { dailyCap } = accepted
  if (dailyCap === undefined) return deps.payments.accept(payment)
  try {
    return await deps.payments.accept(payment, { amountMax: dailyCap.amountMax, countMax: dailyCap.countMax })
  } catch (error) {
    if (!(error instanceof CapExceeded)) throw error
    const message = 'The daily limit of this payment method is used up.'
    throw rejection([{ code: 'CHANNEL_LIMIT', message, paymentMethodCode: payment.methodCode }])
  }
}

interface BuildInput {
  readonly caller: Caller
  readonly key: PaymentKey
  readonly request: PayinRequest
  readonly digest: Buffer
  readonly accepted: AcceptedPayment
}

const REFERENCE_LENGTH = 12

function buildPayment(deps: PayinDeps, { caller, key, request, digest, accepted }: BuildInput): NewPayment {
  const rail = deps.rails.get(accepted.rail)
  if (rail === undefined)
    throw new Error(
      `the method ${accepted.method.code} names the rail ${accepted.rail}, which does not exist`,
    )
  const reference = deps.ids.readable(REFERENCE_LENGTH)
  const customer = customerOf(request)
  const plan = rail.plan({
    kind: 'PAYIN',
    idPayment: key.idPayment,
    merchantCode: caller.merchantCode,
    reference,
    money: request.money,
    methodCode: accepted.method.code,
    operatorCode: accepted.operator?.code,
    customer,
    returnUrl: request.returnUrl,
  })
  return {
    ...key,
    nonce: deps.ids.uuid(),
    requestDigest: digest,
    processorStatus: firstPhase(accepted),
    amount: request.money.amount,
    currencyCode: request.money.currencyCode,
    feeAmount: accepted.fee.amount,
    methodCode: accepted.method.code,
    operatorCode: accepted.operator?.code,
    segmentCode: request.segmentCode,
    rail: rail.code,
    reference,
    instructions: plan.instructions,
    callbackUrl: request.callbackUrl,
    returnUrl: request.returnUrl,
    isTest: !deps.isLive,
    expiresAfterSeconds: plan.expiresAfterSeconds ?? accepted.expiresAfterSeconds,
    personalData: sealPersonalData(deps.secrets, key, customer),
    startsAtOnce: plan.startsAtOnce,
  }
}

function customerOf(request: PayinRequest): {
  accountName?: string
  accountNumber?: string
  bankCode?: string
  emailAddress?: string
} {
  const { account, emailAddress } = request
  return {
    ...(account?.accountName !== undefined && { accountName: account.accountName }),
    ...(account?.accountNumber !== undefined && { accountNumber: account.accountNumber }),
    ...(account?.bankCode !== undefined && { bankCode: account.bankCode }),
    ...(emailAddress !== undefined && { emailAddress }),
  }
}

function firstPhase(accepted: AcceptedPayment): ProcessorStatus {
  return accepted.externalReference === 'REQUIRED' ? 'AWAITING_REFERENCE' : 'AWAITING_CUSTOMER'
}

async function readPayin(deps: PayinDeps, key: PaymentKey): Promise<Payment> {
  const payment = await deps.payments.find(key)
  if (payment === undefined) throw new Refusal('ENTITY_NOT_FOUND')
  return payment
}

function submitReference(deps: PayinDeps, key: PaymentKey, body: ExternalReference): Promise<void> {
  const externalReference = body.externalReference ?? body.reference
  if (externalReference === undefined)
    throw invalidField('externalReference', 'is required', 'ATTRIBUTE_REQUIRED')
  return setExternalReference(deps.db, {
    key,
    externalReference,
    takesReference: (payment) => takesReference(deps, payment),
  }).then(() => deps.wakeWorker())
}

/** The sandbox's reference address makes every method take one. */
function takesReference(deps: PayinDeps, payment: Payment): boolean {
  const method = deps.catalogue.current().methods.get(payment.methodCode)
  return (
    method === undefined ||
    method.externalReference !== 'NONE' ||
    payment.processorStatus === 'AWAITING_REFERENCE' ||
    payment.externalReference !== undefined
  )
}
