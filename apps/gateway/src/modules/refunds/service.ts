import type { RefundCreate } from '@tollgate/contract'
import { type Money, parsePlainAmount, ZERO } from '@tollgate/money'
import type { Caller } from '../../http/app-type.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { Refusal, type RejectionItem, rejection } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createTurns } from '../../platform/turns.ts'
import {
  type CreateOrder,
  type Intake,
  lockPayment,
  type NewPayment,
  type Payment,
  type PaymentKey,
  type PaymentRequest,
  type PaymentService,
  readMoney,
  unknownPayment,
} from '../payments/index.ts'
import { type PayoutPolicies, payoutTerms } from '../payouts/index.ts'
import { accountFor, problemOf, type Refund, type RefundKey, requireLeft } from './model.ts'
import { findPaidBack, findRefunded, insertRefund, listRefunds } from './store.ts'

export interface RefundDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly intake: Intake
  readonly payments: Pick<PaymentService, 'find' | 'listPersonalData'>
  readonly policies: PayoutPolicies
  /** Whether the customer is known and not erased: what names persons is linked to no other. */
  readonly hasCustomer: (merchantId: string, idCustomer: string) => Promise<boolean>
}

/** Paying money of payins back. Refusals are thrown. */
export interface RefundService {
  /**
   * Accepts a refund: a payout of at most what is left of the payin, to the account that its money came from. Throws
   * ENTITY_NOT_FOUND for a payin that is not there, ENTITY_DUPLICATED, and then the reasons of a 406.
   */
  create(caller: Caller, key: Omit<RefundKey, 'merchantId'>, body: RefundCreate): Promise<Refund>
  /** The oldest first. Throws ENTITY_NOT_FOUND for a payin that is not there. */
  list(caller: Caller, idPayin: string): Promise<readonly Refund[]>
  read(caller: Caller, key: Omit<RefundKey, 'merchantId'>): Promise<Refund>
  /** What of a payin was paid back; undefined when nothing was. */
  findPaidBack(payin: Payment): Promise<Money | undefined>
}

export function createRefundService(deps: RefundDeps): RefundService {
  const { intake, db, secrets } = deps
  // All refunds of a payin wait for its row: not with a connection each.
  const inTurn = createTurns()
  const read = async (key: RefundKey): Promise<Refund> => ({
    ...key,
    payment: await intake.read(payoutKeyOf(secrets, key)),
  })
  return {
    async create(caller, { idPayin, idRefund }, body) {
      const key = { merchantId: caller.merchantId, idPayin, idRefund }
      await inTurn(`${key.merchantId} ${idPayin}`, () => create(deps, caller, { key, body }))
      return read(key)
    },
    async list({ merchantId }, idPayin) {
      await intake.read({ merchantId, kind: 'PAYIN', idPayment: idPayin })
      const found = await listRefunds(db, merchantId, idPayin)
      return Promise.all(found.map(({ idRefund }) => read({ merchantId, idPayin, idRefund })))
    },
    read: ({ merchantId }, { idPayin, idRefund }) => read({ merchantId, idPayin, idRefund }),
    async findPaidBack({ merchantId, idPayment, status, money }) {
      if (status !== 'SUCCESS' && status !== 'REVERSED') return undefined
      const { amount, count } = await findPaidBack(db, merchantId, idPayment)
      return count === 0 ? undefined : { ...money, amount }
    },
  }
}

/**
 * The payout that a refund is. Its id is a keyed digest of the refund's: nobody can take it for a payout of their own, and after
 * a restore the same refund has the same id, and so the same reference at the institution.
 */
function payoutKeyOf(secrets: Secrets, { merchantId, idPayin, idRefund }: RefundKey): PaymentKey {
  const name = JSON.stringify(['refund', merchantId, idPayin, idRefund])
  const idPayment = `refund_${secrets.digest('payout-reference', name).toString('base64url')}`
  return { merchantId, kind: 'PAYOUT', idPayment }
}

interface Asked {
  readonly key: RefundKey
  readonly body: RefundCreate
}

async function create(deps: RefundDeps, caller: Caller, { key, body }: Asked): Promise<void> {
  const money = readMoney(caller, body.refundRequested.money, 'refundRequested.money')
  const payoutKey = payoutKeyOf(deps.secrets, key)
  // Who names an account can pay anybody: that takes the permission to pay out.
  if (body.account !== undefined && !caller.allows('POST', `/payouts/${payoutKey.idPayment}`))
    throw new Refusal('OPERATION_NOT_PERMITTED', {
      message: 'A refund to an account that the request names also needs the operation POST /payouts/.*.',
    })
  const payinKey: PaymentKey = { merchantId: key.merchantId, kind: 'PAYIN', idPayment: key.idPayin }
  const payin = await deps.intake.read(payinKey)
  const { request, problem } = await payoutOf(deps, payin, { money, body })
  const order: CreateOrder = {
    caller,
    key: payoutKey,
    direction: 'PAYOUT',
    request,
    // The payin's fee stays charged, and paying back costs nothing more.
    fee: { ...money, amount: ZERO },
    asked: canonicalOf(key, money, body),
    refusal: problem && rejection([problem]),
  }
  const terms = payoutTerms(deps.secrets, await deps.policies.of(key.merchantId), order)
  const idCustomer = await customerOf(deps, payin)
  try {
    await deps.intake.create({
      ...order,
      ...terms,
      async prepare(tx, payment) {
        if (!(await take(tx, { key, payinKey, payment }))) return payment
        const refund = {
          ...payment,
          idCustomer,
          instructions: { ...payment.instructions, refundOf: key.idPayin },
        }
        return terms.prepare?.(tx, refund) ?? refund
      },
    })
  } catch (error) {
    throw error instanceof Refusal ? inOwnWords(error) : error
  }
}

/** Under the lock of the payin, whose refunds are added up: false when a refund has the id, which the intake then says. */
async function take(
  tx: Tx,
  {
    key,
    payinKey,
    payment,
  }: { readonly key: RefundKey; readonly payinKey: PaymentKey; readonly payment: NewPayment },
): Promise<boolean> {
  const payin = await lockPayment(tx, payinKey)
  const { amount, currencyCode, idPayment } = payment
  if (!(await insertRefund(tx, { ...key, idPayment, amount, currencyCode }))) return false
  const problem = payin && problemOf(payin, currencyCode)
  if (payin === undefined) throw unknownPayment(payinKey)
  if (problem !== undefined) throw rejection([problem])
  requireLeft(payin.money, await findRefunded(tx, key.merchantId, key.idPayin), parsePlainAmount(amount))
  return true
}

async function customerOf({ hasCustomer }: RefundDeps, payin: Payment): Promise<string | undefined> {
  const { merchantId, idCustomer } = payin
  return idCustomer !== undefined && (await hasCustomer(merchantId, idCustomer)) ? idCustomer : undefined
}

/** The refund as a payout, told where the payin is told; or why there can be none. */
async function payoutOf(
  { payments }: RefundDeps,
  payin: Payment,
  { money, body }: { readonly money: Money; readonly body: RefundCreate },
): Promise<{ readonly request: PaymentRequest; readonly problem: RejectionItem | undefined }> {
  const { paymentMethodCode: methodCode, paymentOperatorCode: operatorCode } = body.paymentMethod ?? {
    paymentMethodCode: payin.methodCode,
    paymentOperatorCode: payin.operatorCode,
  }
  const collected = await payments.listPersonalData(payin)
  const found = accountFor(collected, body.account, methodCode !== payin.methodCode)
  const request = {
    money,
    methodCode,
    operatorCode,
    account: 'account' in found ? found.account : undefined,
    emailAddress: collected.find(({ source }) => source === 'REQUEST')?.data.emailAddress,
    callbackUrl: payin.callbackUrl === undefined ? undefined : new URL(payin.callbackUrl),
    segmentCode: undefined,
    idCustomer: undefined,
    returnUrl: undefined,
    returnUrlAsSent: undefined,
  }
  return {
    request,
    problem: problemOf(payin, money.currencyCode) ?? ('problem' in found ? found.problem : undefined),
  }
}

/** What was asked for, whatever is known of the payer by then: a repeat is recognized by it. */
const canonicalOf = (
  { idPayin, idRefund }: RefundKey,
  { amount, currencyCode }: Money,
  { account, paymentMethod }: RefundCreate,
): string => {
  const parts = [
    account?.accountName,
    account?.accountNumber,
    account?.bankCode,
    paymentMethod?.paymentMethodCode,
    paymentMethod?.paymentOperatorCode,
  ]
  return JSON.stringify([
    'refund',
    idPayin,
    idRefund,
    amount,
    currencyCode,
    ...parts.map((part) => part ?? null),
  ])
}

/** The reasons of a payout in the words of this request. */
function inOwnWords(refusal: Refusal): Refusal {
  const { items } = refusal.details
  return items === undefined ? refusal : rejection(items.map(withOwnField))
}

function withOwnField({ field, ...item }: RejectionItem): RejectionItem {
  const own = field
    ?.replace(/^paymentRequested\./, 'refundRequested.')
    .replace(/^paymentMethod\.account/, 'account')
  return own === undefined || own.startsWith('paymentMethod') ? item : { ...item, field: own }
}
