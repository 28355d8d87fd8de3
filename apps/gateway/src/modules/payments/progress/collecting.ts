import type { Tx } from '../../../platform/database.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { type Payment, type PaymentKey, STOP_REASONS, textOf } from '../model.ts'
import { type HeldPayment, openPersonalData, type PersonalData } from '../privacy/personal-data.ts'
import { listPersonalData, type StoredPersonalData } from '../privacy/personal-data-store.ts'
import { listPaymentsForUpdate } from '../store.ts'
import {
  type CollectQuery,
  findStops,
  listCollectable,
  updateCollected,
  updateHeld,
} from './hand-over-store.ts'

/** A payment that may be handed over, locked, with whom it pays. */
export interface CollectedPayment {
  readonly payment: Payment
  /** Undefined when nothing is there, or when it cannot be opened. */
  readonly customer: PersonalData | undefined
}

/** What is locked for a file, and what was put on hold instead. */
export interface Collected {
  readonly payments: readonly CollectedPayment[]
  readonly stopped: readonly (PaymentKey & { readonly why: string })[]
}

export interface CollectDeps {
  readonly secrets: Secrets
  /** The hash of what people approve. */
  readonly contentHashOf: (held: HeldPayment) => Buffer
}

/**
 * Locks outgoing payments that are past their approval, and that no institution has: the oldest first. They stay locked
 * until the transaction ends. However long they waited, block-list, merchant and approvals are looked at now, and what must
 * not be paid is put on hold.
 */
export async function lockCollectable(
  { secrets, contentHashOf }: CollectDeps,
  tx: Tx,
  query: CollectQuery,
): Promise<Collected> {
  const found = await listCollectable(tx, query)
  // Others may have collected or ended some of them between the two statements: what counts is what is locked.
  const locked = (await listPaymentsForUpdate(tx, found)).filter(isCollectable)
  const data = Map.groupBy(await listPersonalData(tx, locked), textOf)
  const sealedOf = (key: PaymentKey) => data.get(textOf(key))?.find(({ source }) => source === 'REQUEST')
  const stops = await findStops(
    tx,
    locked.map((payment) => ({
      ...keyOf(payment),
      contentHash: contentHashOf({ payment, sealed: sealedOf(payment) }),
    })),
  )
  const stopped = await stop(tx, locked, stops)
  const free = new Map(
    locked.filter((payment) => !stops.has(textOf(payment))).map((payment) => [textOf(payment), payment]),
  )
  const payments = found.flatMap((each) => {
    const payment = free.get(textOf(each))
    return payment === undefined ? [] : [{ payment, customer: open(secrets, sealedOf(payment)) }]
  })
  return { payments, stopped }
}

/** Puts on hold what must not be handed over; what follows is written with the file, or alone when there is none. */
async function stop(
  tx: Tx,
  locked: readonly Payment[],
  stops: Awaited<ReturnType<typeof findStops>>,
): Promise<Collected['stopped']> {
  const holds = locked.flatMap((payment) => {
    const cause = stops.get(textOf(payment))
    if (cause === undefined) return []
    const reason = STOP_REASONS[cause]
    return [{ ...keyOf(payment), phase: payment.processorStatus, cause, operatorCode: undefined, reason }]
  })
  if (holds.length > 0 && (await updateHeld(tx, holds, 'worker')) !== holds.length)
    throw new Error('a locked payment could not be put on hold')
  return holds.map(({ merchantId, kind, idPayment, reason }) => ({
    merchantId,
    kind,
    idPayment,
    why: reason,
  }))
}

const keyOf = ({ merchantId, kind, idPayment }: Payment): PaymentKey => ({ merchantId, kind, idPayment })

const isCollectable = ({ status, processorStatus, submittedAt }: Payment): boolean =>
  status === 'CREATED' && processorStatus === 'QUEUED' && submittedAt === undefined

function open(secrets: Secrets, row: StoredPersonalData | undefined): PersonalData | undefined {
  if (row === undefined) return undefined
  try {
    return openPersonalData(secrets, row, row)
  } catch {
    // Somebody changed what is sealed. Nothing is paid to such an account, and the others go on.
    return undefined
  }
}

/**
 * Notes that locked payments are handed over together, by a file that is stored in the same transaction. From then on
 * nothing but the institution's word ends them.
 */
export async function handOver(
  tx: Tx,
  keys: readonly PaymentKey[],
  by: { readonly actor: string; readonly reason: string },
): Promise<void> {
  const count = await updateCollected(tx, keys, by)
  if (count !== keys.length)
    throw new Error(`${String(count)} of ${String(keys.length)} locked payments could be handed over`)
}
