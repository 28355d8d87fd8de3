import { type Gateway, TollgateError } from '@tollgate/sdk'
import { decimalOf, roundedTo } from './amounts.ts'
import type { MedusaContainer, PaymentSession, Refund } from './medusa.ts'
import { checkOptions, gatewayOf, type TollgateOptions } from './options.ts'
import { findData, findPayin, statusOf, storedData } from './payments.ts'
import { payBack } from './refunds.ts'

// Medusa answers 200 to a callback and processes it later, from memory. What it forgets then is found here: the gateway is asked.

/** How the job works. */
export interface OpenPaymentsOptions extends TollgateOptions {
  /** The provider's id in Medusa; default `pp_tollgate`. */
  readonly providerId?: string | undefined
  /** Sessions and refunds that are older are left alone; default 14. */
  readonly days?: number | undefined
  /** How old a refund is before it is sent again: the first attempt may still be under way. Default 60. */
  readonly refundAgeSeconds?: number | undefined
  readonly nowMs?: (() => number) | undefined
}

/** What one run has done. */
export interface OpenPaymentsReport {
  /** Sessions that were read at the gateway. */
  read: number
  /** Sessions that were paid, and Medusa did not know. */
  paid: number
  /** Carts that were paid and had no order. */
  ordered: number
  /** Refunds that the gateway has for certain from now on. */
  refunded: number
}

const PAGE = 100
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** `error`: what has expired, or failed, can still turn out to be paid. */
const OPEN = ['pending', 'requires_more', 'pending_authorization', 'error'] as const
/** The next look at a session that has not changed: after a tenth of its age, in these limits. */
const AGE_SHARE = 0.1
const PAUSE_MS_MAX = HOUR_MS
const PROCESS_PAYMENT = 'process-payment-workflow'

interface Run {
  readonly container: MedusaContainer
  readonly gateway: Gateway
  readonly options: TollgateOptions
  readonly providerId: string
  readonly sinceMs: number
  readonly nowMs: number
  readonly report: OpenPaymentsReport
}

/**
 * A scheduled job of Medusa: `export default openPaymentsJob(options)` in src/jobs. It applies payments whose callback was lost,
 * places orders that a crash prevented, and sends refunds whose answer never came. All of it is safe to repeat.
 */
export function openPaymentsJob(
  options: OpenPaymentsOptions,
): (container: MedusaContainer) => Promise<OpenPaymentsReport> {
  checkOptions(options)
  const { providerId = 'pp_tollgate', days = 14, refundAgeSeconds = 60, nowMs = Date.now } = options
  const gateway = gatewayOf(options)
  const sessions = createSessionReader()
  const refunds = createRefundSender(refundAgeSeconds * 1000)
  let isRunning = false
  let isFirst = true

  return async (container) => {
    const report: OpenPaymentsReport = { read: 0, paid: 0, ordered: 0, refunded: 0 }
    if (isRunning) return report
    isRunning = true
    try {
      const now = nowMs()
      const run = {
        container,
        gateway,
        options,
        providerId,
        sinceMs: now - days * DAY_MS,
        nowMs: now,
        report,
      }
      await sessions(run)
      // Orders are missing after a crash, so all are looked at after a start, and later only those of late.
      await placeOrders(isFirst ? run : { ...run, sinceMs: now - HOUR_MS })
      await refunds(run)
      isFirst = false
      return report
    } finally {
      isRunning = false
    }
  }
}

/** Reads open sessions at the gateway and applies those that are paid. What never changes is read less and less often. */
function createSessionReader(): (run: Run) => Promise<void> {
  let nextReads = new Map<string, number>()
  return async (run) => {
    const { nowMs, report } = run
    const planned = new Map<string, number>()
    for await (const session of openSessions(run)) {
      const dueMs = nextReads.get(session.id) ?? 0
      if (dueMs > nowMs) {
        planned.set(session.id, dueMs)
        continue
      }
      report.read += 1
      await attempt(run, `session ${session.id}`, () => applySession(run, session))
      const ageMs = nowMs - new Date(session.created_at).getTime()
      planned.set(session.id, nowMs + Math.min(ageMs * AGE_SHARE, PAUSE_MS_MAX))
    }
    nextReads = planned
  }
}

async function* openSessions({ container, providerId, sinceMs }: Run): AsyncGenerator<PaymentSession> {
  const filters = { provider_id: providerId, status: [...OPEN], created_at: { $gte: new Date(sinceMs) } }
  const found: PaymentSession[] = []
  // All are listed before one is changed: a session that is paid leaves the list, and would shift its pages.
  for (let skip = 0; ; skip += PAGE) {
    const page = await container
      .resolve('payment')
      .listPaymentSessions(filters, { take: PAGE, skip, order: { created_at: 'ASC' } })
    found.push(...page)
    if (page.length < PAGE) break
  }
  yield* found
}

async function applySession({ container, gateway, report }: Run, session: PaymentSession): Promise<void> {
  const data = findData(session.data)
  if (data === undefined) return
  const payin = await findPayin(gateway, data.idPayin)
  if (payin === undefined || statusOf(payin) !== 'captured') return
  await processPayment(container, session.id, payin.paymentRequested.money.amount)
  report.paid += 1
  container.resolve('logger').info(`Tollgate: session ${session.id} was paid, and Medusa did not know.`)
}

const processPayment = (container: MedusaContainer, session_id: string, amount: string): Promise<unknown> =>
  container
    .resolve('workflows')
    .run(PROCESS_PAYMENT, { input: { action: 'captured', data: { session_id, amount } } })

/** Completes carts whose money is captured and that have no order. */
async function placeOrders(run: Run): Promise<void> {
  const { container, providerId, sinceMs, report } = run
  const filters = {
    provider_id: providerId,
    status: 'authorized',
    authorized_at: { $gte: new Date(sinceMs) },
  }
  for (let skip = 0; ; skip += PAGE) {
    const page = await container.resolve('payment').listPaymentSessions(filters, { take: PAGE, skip })
    for (const session of await withoutOrder(container, page)) {
      const amount = findData(session.data)?.money.amount
      if (amount === undefined) continue
      await attempt(run, `order of session ${session.id}`, async () => {
        await processPayment(container, session.id, amount)
        report.ordered += 1
      })
    }
    if (page.length < PAGE) return
  }
}

async function withoutOrder(
  container: MedusaContainer,
  sessions: readonly PaymentSession[],
): Promise<readonly PaymentSession[]> {
  if (sessions.length === 0) return []
  const query = container.resolve('query')
  const ask = async (entity: string, fields: readonly string[], filters: object) =>
    (await query.graph({ entity, fields, filters })).data
  const carts = new Map(
    (
      await ask('cart_payment_collection', ['cart_id', 'payment_collection_id'], {
        payment_collection_id: sessions.map(({ payment_collection_id }) => payment_collection_id),
      })
    ).map((link) => [link['payment_collection_id'], link['cart_id']]),
  )
  const ordered = new Set(
    (await ask('order_cart', ['cart_id'], { cart_id: [...carts.values()] })).map((link) => link['cart_id']),
  )
  return sessions.filter(({ payment_collection_id }) => {
    const cart = carts.get(payment_collection_id)
    return cart !== undefined && !ordered.has(cart)
  })
}

/** Sends every refund that Medusa has recorded to the gateway, under its own id: what it has already is not paid twice. */
function createRefundSender(ageMs: number): (run: Run) => Promise<void> {
  let known: ReadonlySet<string> = new Set()
  return async (run) => {
    const { container, providerId, sinceMs, nowMs, report } = run
    const created_at = { $gte: new Date(sinceMs), $lte: new Date(nowMs - ageMs) }
    const seen = new Set<string>()
    for (let skip = 0; ; skip += PAGE) {
      const page = await container
        .resolve('payment')
        .listRefunds({ created_at }, { take: PAGE, skip, relations: ['payment'] })
      for (const refund of page.filter(({ payment }) => payment?.provider_id === providerId)) {
        if (known.has(refund.id)) seen.add(refund.id)
        else
          await attempt(run, `refund ${refund.id}`, async () => {
            await sendRefund(run, refund)
            seen.add(refund.id)
            report.refunded += 1
          })
      }
      if (page.length < PAGE) break
    }
    known = seen
  }
}

async function sendRefund(
  { gateway, options }: Run,
  { id, amount, raw_amount, payment }: Refund,
): Promise<void> {
  const { idPayin, money } = storedData(payment?.data ?? undefined)
  const currency = (await gateway.currencies()).find(({ code }) => code === money.currencyCode)
  const exact = decimalOf(raw_amount ?? amount)
  const rounded = currency === undefined ? exact : roundedTo(exact, currency.minorUnits)
  await payBack(gateway, options, { idPayin, idRefund: id, money: { ...money, amount: rounded } })
}

/** One that fails keeps no other from being done; without a gateway there is nothing to do. */
async function attempt({ container }: Run, what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    container.resolve('logger').warn(`Tollgate: ${what}: ${String(error)}`)
    if (error instanceof TollgateError && error.status === 0) throw error
  }
}
