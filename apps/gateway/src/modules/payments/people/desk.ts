import type { TriggerOutcome } from '@tollgate/contract/words'
import type { HistoryEvent } from '../../../platform/history.ts'
import { type CallbackService, presentCallback } from '../../callbacks/index.ts'
import type { Payment, PaymentKey, PaymentKind } from '../model.ts'
import type { Triggered } from '../progress/trigger.ts'
import type { PaymentService } from '../service.ts'
import type { TimelineEntry } from '../store.ts'
import { unknownPayment } from '../unknown-payment.ts'

/** A payment with everything that happened to it. */
export interface PaymentFile {
  readonly merchantCode: string
  readonly payment: Payment
  readonly timeline: readonly TimelineEntry[]
  /** The latest, as they are shown. */
  readonly callbacks: ReturnType<typeof presentCallback>[]
  /** Up to when callbacks that are over may have been removed. */
  readonly removedUntil: Date | undefined
}

interface PaymentDeskDeps {
  readonly payments: Pick<PaymentService, 'find' | 'listTimeline'>
  readonly callbacks: Pick<CallbackService, 'listCallbacks'>
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
  readonly findRemovedUntil: () => Promise<Date | undefined>
  /** What every room has kept about a payment, the earliest first. */
  readonly readHistory: (key: PaymentKey) => Promise<readonly HistoryEvent[]>
  /** Makes the sandbox's institutions say something; absent in live. */
  readonly trigger?: ((payment: Payment, outcome: TriggerOutcome) => Promise<Triggered>) | undefined
}

interface Named {
  readonly kind: PaymentKind
  readonly merchantCode: string
  readonly idPayment: string
}

/** Payments for operators who look after them. */
export interface PaymentDesk {
  /** Throws ENTITY_NOT_FOUND. */
  read(kind: PaymentKind, merchantCode: string, idPayment: string): Promise<PaymentFile>
  /** Everything that happened to it, the earliest first. Throws ENTITY_NOT_FOUND. */
  history(named: Named): Promise<readonly HistoryEvent[]>
  /** Absent in live. */
  readonly trigger?: (
    named: Named,
    outcome: TriggerOutcome,
  ) => Promise<{ readonly payment: Payment; readonly triggered: Triggered }>
}

const CALLBACKS_SHOWN_MAX = 20

export function createPaymentDesk(deps: PaymentDeskDeps): PaymentDesk {
  const { trigger } = deps
  return {
    read: (kind, merchantCode, idPayment) => readFile(deps, { kind, merchantCode, idPayment }),
    async history(named) {
      const key = await keyOf(deps, named)
      await demand(deps, key, named.merchantCode)
      return deps.readHistory(key)
    },
    ...(trigger !== undefined && {
      async trigger(named, outcome) {
        const key = await keyOf(deps, named)
        const before = await demand(deps, key, named.merchantCode)
        // A payment from before the installation became a sandbox moved real money.
        if (!before.isTest) throw unknownPayment(key, named.merchantCode)
        const triggered = await trigger(before, outcome)
        return { payment: await demand(deps, key, named.merchantCode), triggered }
      },
    }),
  }
}

const keyOf = async (
  { merchantIdOf }: PaymentDeskDeps,
  { merchantCode, kind, idPayment }: Named,
): Promise<PaymentKey> => ({ merchantId: await merchantIdOf(merchantCode), kind, idPayment })

async function demand(
  { payments }: PaymentDeskDeps,
  key: PaymentKey,
  merchantCode: string,
): Promise<Payment> {
  const payment = await payments.find(key)
  if (payment !== undefined) return payment
  throw unknownPayment(key, merchantCode)
}

async function readFile(deps: PaymentDeskDeps, named: Named): Promise<PaymentFile> {
  const { merchantCode, kind, idPayment } = named
  const key = await keyOf(deps, named)
  const payment = await demand(deps, key, named.merchantCode)
  const events = await deps.callbacks.listCallbacks({
    merchantId: key.merchantId,
    idEntity: idPayment,
    limit: CALLBACKS_SHOWN_MAX,
  })
  return {
    merchantCode,
    payment,
    timeline: await deps.payments.listTimeline(key),
    callbacks: events
      .filter((event) => event.kind === kind)
      .map((event) => presentCallback(event, merchantCode)),
    removedUntil: await deps.findRemovedUntil(),
  }
}
