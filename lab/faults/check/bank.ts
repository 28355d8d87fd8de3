import { type Facts, type Finding, type Movement, type PaymentRow, textOf } from './facts.ts'
import { groupBy } from './groups.ts'

/** The rail whose institution is the bank simulator. */
const RAIL = 'simulator'

/** I14: what the gateway says of money at the bank is what the bank's own log says, and nothing moved twice. */
export function checkBank({ payments, movements }: Facts): readonly Finding[] {
  const byReference = groupBy(movements, ({ reference }) => reference)
  const known = new Set(payments.map(({ reference }) => reference))
  return [
    ...movements
      .filter(({ reference }) => !known.has(reference))
      .map(({ reference }) => ({
        invariant: 'I14',
        says: `money moved under ${reference}, which is no payment`,
      })),
    ...payments
      .filter(({ rail }) => rail === RAIL)
      .flatMap((row) => checkMoved(row, byReference.get(row.reference) ?? [])),
  ]
}

function checkMoved(row: PaymentRow, movements: readonly Movement[]): readonly Finding[] {
  const executed = movements.filter(({ kind }) => kind === 'EXECUTED')
  const find = (says: string): readonly Finding[] => [{ invariant: 'I14', says, name: row }]
  if (executed.length > 1) return find(`its money moved ${executed.length} times at the bank`)
  const [movement] = executed
  if (movement === undefined)
    return row.status === 'SUCCESS' ? find('it is SUCCESS, and no money moved at the bank') : []
  if (row.status !== 'SUCCESS')
    return find(`its money moved at the bank, and ${textOf(row)} is ${row.status}`)
  const { amount, currencyCode } = movement.money
  if (amount === row.money.amount && currencyCode === row.money.currencyCode) return []
  return find(`${amount} ${currencyCode} moved instead of ${row.money.amount} ${row.money.currencyCode}`)
}
