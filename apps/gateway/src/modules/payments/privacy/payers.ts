import type { Tx } from '../../../platform/database.ts'
import { sweepAgain } from '../../customers/index.ts'
import type { PaymentKey } from '../model.ts'
import { listPayers } from './payer-store.ts'

/** Something new names the payers of these payments: those of them who were erased are swept once more. */
export async function sweepPayersAgain(tx: Tx, keys: readonly PaymentKey[]): Promise<void> {
  if (keys.length === 0) return
  const payers = await listPayers(tx, keys)
  if (payers.length > 0) await sweepAgain(tx, payers)
}
