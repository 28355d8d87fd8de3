import { isDeepStrictEqual } from 'node:util'
import { isPositive, type Money, subtractAmounts } from '@tollgate/money'
import type { Caller } from '../../http/app-type.ts'
import type { Instructions, Rail } from '../../rails/rail.ts'
import type { Intake, Payment, PaymentKey, PaymentService } from '../payments/index.ts'

/** Money of a payment that is not the money asked for, or not yet. */
export interface Arrived {
  readonly money: Money
  /** What is still to come, and how apps scan it; absent where nothing is, or nobody can be told where to. */
  readonly rest?: Rest
}

interface Rest extends Pick<Instructions, 'qr' | 'deepLinks'> {
  readonly money: Money
}

/** A step of a payment, as far as it concerns its customer. */
export interface Step {
  readonly status: string
  readonly processorStatus: string
  readonly happenedAt: Date
}

/** Of coins in a block: how many blocks are on top, their own among them, and how many it takes. */
interface Confirmations {
  readonly count: number
  readonly needed: number
}

/** What the hosted page shows of a payment, beyond what its merchant reads. */
interface PageDetail {
  readonly payment: Payment
  readonly arrived: Arrived | undefined
  readonly confirmations: Confirmations | undefined
  readonly timeline: readonly Step[]
}

interface PageReaderDeps {
  readonly intake: Pick<Intake, 'read'>
  readonly payments: Pick<PaymentService, 'listTimeline'>
  readonly rails: ReadonlyMap<string, Rail>
  /** Money on our accounts that names the payment and is not its own yet. */
  readonly findWaitingMoney: (key: PaymentKey, currencyCode: string) => Promise<Money | undefined>
  /** Of coins that do not count yet; undefined when there are none. */
  readonly findConfirmations: (key: PaymentKey) => Promise<Confirmations | undefined>
}

/** Reads payins for the hosted page. */
export interface PageReader {
  /** Throws ENTITY_NOT_FOUND. */
  read(caller: Caller, idPayin: string): Promise<PageDetail>
}

export function createPageReader(deps: PageReaderDeps): PageReader {
  return {
    async read({ merchantId, merchantCode }, idPayin) {
      const key = { merchantId, kind: 'PAYIN', idPayment: idPayin } as const
      const payment = await deps.intake.read(key)
      const [arrived, confirmations, timeline] = await Promise.all([
        arrivedOf(deps, payment, merchantCode),
        payment.processorStatus === 'DETECTED' ? deps.findConfirmations(key) : undefined,
        payment.timelineCount > 1 ? deps.payments.listTimeline(key) : [],
      ])
      return { payment, arrived, confirmations, timeline }
    },
  }
}

/** What a statement shows to lie here goes before what an institution said. */
async function arrivedOf(
  deps: PageReaderDeps,
  payment: Payment,
  merchantCode: string,
): Promise<Arrived | undefined> {
  const { status, processorStatus, instructions } = payment
  if (status === 'SUCCESS' || status === 'REVERSED') return undefined
  const isTransfer = instructions.account !== undefined || instructions.wallet !== undefined
  const waiting = isTransfer ? await deps.findWaitingMoney(payment, payment.money.currencyCode) : undefined
  // Once people have looked at it, what they said counts.
  const said = processorStatus === 'IN_REVIEW' ? payment.received : undefined
  const money = waiting ?? said
  if (money === undefined) return undefined
  const rest = isTransfer ? restOf(deps, { payment, money, merchantCode }) : undefined
  return { money, ...(rest && { rest }) }
}

interface Arriving {
  readonly payment: Payment
  readonly money: Money
  readonly merchantCode: string
}

/** Only an open payment still takes money, and only to the account that its customer was told. */
function restOf({ rails }: PageReaderDeps, { payment, money, merchantCode }: Arriving): Rest | undefined {
  if (payment.status !== 'CREATED' || money.currencyCode !== payment.money.currencyCode) return undefined
  const amount = subtractAmounts(payment.money.amount, money.amount)
  if (!isPositive(amount)) return undefined
  const rest = { ...payment.money, amount }
  const planned = plannedFor(rails.get(payment.rail), { payment, money: rest, merchantCode })
  if (planned === undefined || !isDeepStrictEqual(placeOf(planned), placeOf(payment.instructions)))
    return { money: rest }
  return {
    money: rest,
    ...(planned.qr !== undefined && { qr: planned.qr }),
    ...(planned.deepLinks !== undefined && { deepLinks: planned.deepLinks }),
  }
}

/** Where money goes to. */
const placeOf = ({ account, wallet }: Instructions) => ({ account, wallet })

/** What the rail would tell a customer who pays this money under the same reference. */
function plannedFor(
  rail: Rail | undefined,
  { payment, money, merchantCode }: Arriving,
): Instructions | undefined {
  const { methodCode, reference, operatorCode, idPayment } = payment
  const question = { kind: 'PAYIN', money, methodCode } as const
  if (rail === undefined || rail.objectTo?.({ ...question, customer: undefined }) !== undefined)
    return undefined
  return rail.plan({
    ...question,
    idPayment,
    merchantCode,
    reference,
    operatorCode,
    customer: {},
    returnUrl: undefined,
  }).instructions
}
