import type { Facts, Finding, Movement, PaymentRow } from './facts.ts'

/** I8: in a quiet state each payment has ended as it had to, or waits for somebody who never comes. */
export function checkEnds({ payments, movements }: Facts): readonly Finding[] {
  const isForPeople = waitsForPeople(movements)
  return payments
    .filter((row) => row.status !== row.expectedStatus && !isForPeople(row))
    .map((row) => ({
      invariant: 'I8',
      says: `it is ${row.status} (${row.phase}) instead of ${row.expectedStatus}, though all is quiet`,
      name: row,
    }))
}

/**
 * Whether nobody but people can say what became of a payout: its hand-over was noted, then the process died or the note's
 * answer was lost, and the bank has not executed it. It is never handed over a second time, and its money stays held.
 */
export function waitsForPeople(movements: readonly Movement[]): (row: PaymentRow) => boolean {
  const moved = new Set(movements.map(({ reference }) => reference))
  return ({ kind, status, phase, reference }) =>
    kind === 'PAYOUT' && status === 'CREATED' && phase === 'UNKNOWN' && !moved.has(reference)
}
