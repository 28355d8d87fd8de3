import type { ExternalReference, OptionsRequest, PayinCreate } from '@tollgate/contract'
import type { Money } from '@tollgate/money'
import type { Caller } from '../../http/authentication.ts'
import type { TargetPolicy } from '../../platform/outbound/index.ts'
import { invalidField, Refusal, type RejectionItem, rejection } from '../../platform/refusal.ts'
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
} from '../payments/index.ts'
import { canonicalRequest, type PayinRequest } from './model.ts'
import { buildPayment, type NewPaymentDeps } from './new-payment.ts'
import { readMoney, readRequest } from './request.ts'
import { createUrlJudge, type UrlJudge } from './urls.ts'

export interface PayinDeps extends NewPaymentDeps {
  readonly catalogue: CatalogueService
  readonly merchants: MerchantDirectory
  readonly payments: PaymentService
  readonly callbackPolicy: TargetPolicy
  readonly returnPolicy: TargetPolicy
  /** True for an e-mail address that only means something in the sandbox. */
  readonly isSandboxAddress: (emailAddress: string | undefined) => boolean
  /** Tells the worker of this process that there is work: others find it by polling. */
  readonly wakeWorker: () => void
}

interface Room extends PayinDeps {
  readonly judgeUrls: UrlJudge
}

/** A payin that was accepted just now. */
export interface AcceptedPayin {
  readonly money: Money
  readonly payment: NewPayment
  readonly acceptedAt: Date
  readonly expireAt: Date
}

/** A payment and what is known of the accounts it was paid from. */
export interface PayinAccounts {
  readonly payment: Payment
  readonly collected: readonly CollectedData[]
}

/** Incoming payments, in the order of the specification (section 4.1). Refusals are thrown. */
export interface PayinService {
  listOptions(caller: Caller, request: OptionsRequest): Promise<readonly PaymentOption[]>
  create(caller: Caller, idPayin: string, body: PayinCreate): Promise<AcceptedPayin>
  read(caller: Caller, idPayin: string): Promise<Payment>
  setExternalReference(caller: Caller, idPayin: string, body: ExternalReference): Promise<void>
  listAccounts(caller: Caller, idPayin: string): Promise<PayinAccounts>
}

export function createPayinService(deps: PayinDeps): PayinService {
  const room: Room = { ...deps, judgeUrls: createUrlJudge(deps) }
  return {
    listOptions: (caller, request) => findOptions(room, caller, request),
    create: (caller, idPayin, body) => createPayin(room, caller, { idPayin, body }),
    read: (caller, idPayin) => readPayin(room, keyOf(caller, idPayin)),
    setExternalReference: (caller, idPayin, body) => submitReference(room, keyOf(caller, idPayin), body),
    listAccounts: (caller, idPayin) => readAccounts(room, keyOf(caller, idPayin)),
  }
}

const keyOf = (caller: Caller, idPayin: string): PaymentKey => ({
  merchantId: caller.merchantId,
  kind: 'PAYIN',
  idPayment: idPayin,
})

async function findOptions(
  room: Room,
  caller: Caller,
  request: OptionsRequest,
): Promise<readonly PaymentOption[]> {
  const money = readMoney(caller, request.money, 'money')
  const terms = await room.catalogue.termsOf(caller.merchantId)
  const found = listOptions(room.catalogue.current(), terms, {
    direction: 'PAYIN',
    money,
    segmentCode: request.segmentCode,
  })
  if (!found.ok) throw rejection(found.items)
  return found.options
}

/**
 * Accepts a payin. Everything is decided in memory, then one shared round trip stores it. Whether the id is taken goes
 * before business rules: a repeat of an accepted payment must never hear that its method is gone.
 */
async function createPayin(
  room: Room,
  caller: Caller,
  { idPayin, body }: { readonly idPayin: string; readonly body: PayinCreate },
): Promise<AcceptedPayin> {
  const request = readRequest(caller, body)
  const key = keyOf(caller, idPayin)
  const digest = room.secrets.digest('request-digest', canonicalRequest(request))
  const judged = await judge(room, caller, request)
  if (!judged.ok) {
    const existing = await room.payments.find(key)
    if (existing !== undefined) throw duplicate(existing.createdAt, existing.requestDigest.equals(digest))
    throw rejection(judged.items)
  }
  const { accepted } = judged
  const payment = buildPayment(room, { key, merchantCode: caller.merchantCode, request, digest, accepted })
  const verdict = await acceptWithinCap(room, payment, accepted)
  if (verdict.kind === 'DUPLICATE') throw duplicate(verdict.acceptedAt, verdict.requestDigest.equals(digest))
  if (payment.startsAtOnce) room.wakeWorker()
  return { payment, money: request.money, acceptedAt: verdict.acceptedAt, expireAt: verdict.expireAt }
}

type Judgement =
  | { readonly ok: true; readonly accepted: AcceptedPayment }
  | { readonly ok: false; readonly items: readonly RejectionItem[] }

/** Every reason at once, so that one answer is enough to correct the request. */
async function judge(room: Room, caller: Caller, request: PayinRequest): Promise<Judgement> {
  const terms = await room.catalogue.termsOf(caller.merchantId)
  const judged = judgePayment(room.catalogue.current(), terms, { ...request, direction: 'PAYIN' })
  const { merchantCode } = caller
  const merchant = room.merchants.peek(merchantCode) ?? (await room.merchants.find(merchantCode))
  const items = [
    ...(judged.ok ? [] : judged.items),
    ...room.judgeUrls(request, merchant?.allowedOrigins ?? []),
    ...judgeAddress(room, request),
  ]
  return judged.ok && items.length === 0 ? judged : { ok: false, items }
}

function judgeAddress(room: Room, request: PayinRequest): readonly RejectionItem[] {
  if (!room.isLive || !room.isSandboxAddress(request.emailAddress)) return []
  const message = 'Sandbox e-mail addresses do not work in the live environment.'
  return [{ code: 'SANDBOX_ADDRESS_NOT_ALLOWED', message, field: 'paymentMethod.emailAddress' }]
}

function duplicate(acceptedAt: Date, isIdentical: boolean): Refusal {
  return new Refusal('ENTITY_DUPLICATED', {
    extra: { duplicate: isIdentical ? 'IDENTICAL' : 'DIFFERENT', acceptedAt: acceptedAt.toISOString() },
  })
}

async function acceptWithinCap(
  room: Room,
  payment: NewPayment,
  { dailyCap }: AcceptedPayment,
): Promise<AcceptVerdict> {
  if (dailyCap === undefined) return room.payments.accept(payment)
  try {
    return await room.payments.accept(payment, dailyCap)
  } catch (error) {
    if (!(error instanceof CapExceeded)) throw error
    const message = 'The daily limit of this payment method is used up.'
    throw rejection([{ code: 'CHANNEL_LIMIT', message, paymentMethodCode: payment.methodCode }])
  }
}

async function readPayin(room: Room, key: PaymentKey): Promise<Payment> {
  const payment = await room.payments.find(key)
  if (payment === undefined) throw new Refusal('ENTITY_NOT_FOUND')
  return payment
}

async function submitReference(room: Room, key: PaymentKey, body: ExternalReference): Promise<void> {
  const externalReference = body.externalReference ?? body.reference
  if (externalReference === undefined)
    throw invalidField('externalReference', 'is required', 'ATTRIBUTE_REQUIRED')
  await room.payments.setExternalReference(key, externalReference)
  room.wakeWorker()
}

async function readAccounts(room: Room, key: PaymentKey): Promise<PayinAccounts> {
  const payment = await readPayin(room, key)
  const collected = await room.payments.listPersonalData(key)
  if (collected.length > 0) return { payment, collected }
  const message = 'No account data has been collected for this payment yet.'
  throw rejection([{ code: 'ACCOUNT_DATA_NOT_AVAILABLE', message }])
}
