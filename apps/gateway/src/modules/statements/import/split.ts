import { ZERO } from '@tollgate/money'
import type { Ids } from '@tollgate/runtime'
import type { Tx } from '../../../platform/database.ts'
import { bookEntries } from '../../ledger/index.ts'
import type { ReadEntry } from '../formats/reading-thread.ts'
import { changeLines } from '../lines/line-changes.ts'
import { type KnownEntry, listLinesForUpdate, lockMatching } from '../lines/line-store.ts'
import { suspenseEntry } from '../lines/suspense.ts'
import { isWaiting } from '../model.ts'

/** An entry with what makes it known again. */
export interface CountedEntry {
  readonly entry: ReadEntry
  readonly position: number
  readonly fingerprint: Buffer
  readonly occurrence: number
}

/** The same in every file. */
export function nameOfEntry({
  fingerprint,
  occurrence,
}: Pick<CountedEntry, 'fingerprint' | 'occurrence'>): string {
  return `${fingerprint.toString('base64')} ${occurrence}`
}

/**
 * A sum whose transactions come now, in a later file: they take its place as long as nobody has decided about it. Answers
 * the entries whose parts are to be stored.
 */
export async function splitSums(
  deps: { readonly ids: Ids },
  tx: Tx,
  given: { readonly entries: readonly CountedEntry[]; readonly knownByName: ReadonlyMap<string, KnownEntry> },
): Promise<readonly CountedEntry[]> {
  const wanted = given.entries.flatMap((entry) => {
    const known = given.knownByName.get(nameOfEntry(entry))
    return known?.parts === 1 && known.decisions === 0 && entry.entry.parts.length > 1
      ? [{ entry, known }]
      : []
  })
  if (wanted.length === 0) return []
  await lockMatching(tx)
  const sums = await listLinesForUpdate(
    tx,
    wanted.map(({ known }) => known.lineId),
  )
  const undecided = sums.filter(
    ({ state, decisionCount }) => decisionCount === 0 && (state === 'NEW' || isWaiting(state)),
  )
  await changeLines(
    tx,
    undecided.map((line) => ({
      ...line,
      state: 'SPLIT',
      openAmount: ZERO,
      payment: undefined,
      score: undefined,
      reasons: ['its transactions came as lines of their own'],
    })),
  )
  await bookEntries(
    tx,
    undecided
      .filter(({ openAmount }) => openAmount !== ZERO)
      .map(({ lineId, openAmount, currencyCode }) =>
        suspenseEntry(deps.ids, 'SUSPENSE_APPLIED', {
          lineId,
          decisionNo: 0,
          amount: openAmount,
          currencyCode,
        }),
      ),
  )
  const ids = new Set(undecided.map(({ lineId }) => lineId))
  return wanted.filter(({ known }) => ids.has(known.lineId)).map(({ entry }) => entry)
}
