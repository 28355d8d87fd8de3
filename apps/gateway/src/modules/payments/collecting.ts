import type { Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type CollectQuery, listCollectable, updateCollected } from './collect-store.ts'
import { type Payment, type PaymentKey, textOf } from './model.ts'
import { openPersonalData, type PersonalData } from './personal-data.ts'
import { listPersonalData, type StoredPersonalData } from './personal-data-store.ts'
import { listPaymentsForUpdate } from './store.ts'

/** A payment that may be handed over, locked, with whom it pays. */
export interface CollectedPayment {
  readonly payment: Payment
  /** Undefined when nothing is there, or when it cannot be opened. */
  readonly customer: PersonalData | undefined
}

/**
 * Locks outgoing payments that are past their approval, and that no institution has: the oldest first. They stay locked
 * until the transaction ends.
 */
export async function lockCollectable(
  secrets: Secrets,
  tx: Tx,
  query: CollectQuery,
): Promise<readonly CollectedPayment[]> {
  const found = await listCollectable(tx, query)
  // Others may have collected or ended some of them between the two statements: what counts is what is locked.
  const locked = new Map(
    (await listPaymentsForUpdate(tx, found)).filter(isCollectable).map((each) => [textOf(each), each]),
  )
  const data = Map.groupBy(await listPersonalData(tx, [...locked.values()]), textOf)
  return found.flatMap((each) => {
    const payment = locked.get(textOf(each))
    if (payment === undefined) return []
    return [{ payment, customer: open(secrets, data.get(textOf(each))) }]
  })
}

const isCollectable = ({ status, processorStatus, submittedAt }: Payment): boolean =>
  status === 'CREATED' && processorStatus === 'QUEUED' && submittedAt === undefined

function open(secrets: Secrets, rows: readonly StoredPersonalData[] | undefined): PersonalData | undefined {
  const row = rows?.find(({ source }) => source === 'REQUEST')
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
