import type { ApprovedRow, Facts, Finding } from './facts.ts'
import { groupBy } from './groups.ts'

const APPROVERS_NEEDED = 2

/**
 * I20: a payout that needs approval is handed over after two people have approved it, and never while it is on hold; from a
 * hold it is released by another person than the one who stopped it.
 */
export function checkApprovals({ approved, payments, movements }: Facts): readonly Finding[] {
  const moved = new Set(movements.map(({ reference }) => reference))
  const references = new Map(
    payments
      .filter(({ kind }) => kind === 'PAYOUT')
      .map(({ merchantCode, id, reference }) => [`${merchantCode} ${id}`, reference] as const),
  )
  return approved.flatMap((row) => {
    const hasMoved = moved.has(references.get(`${row.merchantCode} ${row.id}`) ?? '')
    const { merchantCode, kind, id } = row
    return [...ofApproval(row, hasMoved), ...ofHolds(row)].map((says) => ({
      ...{ invariant: 'I20', says, name: { merchantCode, kind, id } },
    }))
  })
}

function ofApproval({ phases, isHandedOver, approvals }: ApprovedRow, hasMoved: boolean): readonly string[] {
  if (phases[0] !== 'AWAITING_APPROVAL')
    return [`it began as ${phases[0] ?? 'nothing'}, and nobody was asked`]
  const approvers = [...groupBy(approvals, ({ contentHash }) => contentHash).values()].map(
    (ofOne) => new Set(ofOne.map(({ operatorCode }) => operatorCode)).size,
  )
  const isApproved = approvers.some((count) => count >= APPROVERS_NEEDED)
  if (isApproved || !(isHandedOver || hasMoved)) return []
  return ['it was handed over, and no two people have approved the same content']
}

function ofHolds({ phases, holds }: ApprovedRow): readonly string[] {
  return holds
    .filter(({ event }) => event === 'HELD')
    .flatMap((held) => {
      // What comes after an entry is at its number, since they begin with 1.
      const next = phases[held.entryNo]
      const end = holds.find(({ entryNo }) => entryNo === held.entryNo + 1)
      if (next === undefined || end?.event === 'CANCELLED') return []
      if (end === undefined) return [`it was on hold, and became ${next}, and nobody released it`]
      const isOwn = end.operatorCode === held.operatorCode
      return isOwn ? [`${held.operatorCode} put it on hold, and released it`] : []
    })
}
