import type { Tx } from '../../../platform/database.ts'
import { sweepPayersAgain } from '../../payments/index.ts'
import { type LineChange, updateLines } from './line-change-store.ts'

/**
 * Writes what becomes of lines; their ids must be distinct. A line that turns out to be of an erased customer names that person
 * anew: the customer is swept once more.
 */
export async function changeLines(tx: Tx, changes: readonly LineChange[]): Promise<void> {
  if (changes.length === 0) return
  await updateLines(tx, changes)
  await sweepPayersAgain(
    tx,
    changes.flatMap(({ payment }) => payment ?? []),
  )
}
