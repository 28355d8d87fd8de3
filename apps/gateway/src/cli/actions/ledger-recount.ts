import { recountVolumes } from '../../modules/payments/index.ts'
import { withInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate ledger recount`: forgets what was counted since the day, which is in UTC; a worker counts it again. */
export async function recountLedger(shell: Shell, { from }: { readonly from: string }): Promise<Report> {
  const day = new Date(`${from}T00:00:00Z`)
  const countedUntil = await withInstallation(shell, ({ db }) =>
    db.transaction((tx) => recountVolumes(tx, day)),
  )
  return {
    json: { countedUntil: countedUntil.toISOString() },
    text: `Counted until ${countedUntil.toISOString()}. A running worker counts the rest again.`,
  }
}
