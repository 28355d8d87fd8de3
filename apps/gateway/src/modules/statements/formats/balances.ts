import { type Amount, addAmounts, compareAmounts, negateAmount, subtractAmounts, ZERO } from '@tollgate/money'
import type { ParsedEntry, ParsedFile, ParsedStatement } from './parsed.ts'

/** By what the entries moved the balance, with its sign. */
export function movementOf(entries: readonly Pick<ParsedEntry, 'direction' | 'amount'>[]): Amount {
  return entries.reduce(
    (sum, { direction, amount }) => addAmounts(sum, direction === 'CREDIT' ? amount : negateAmount(amount)),
    ZERO,
  )
}

/** What does not agree within a file, a sentence each: balances against entries, batches against their transactions. */
export function differencesIn(file: ParsedFile): readonly string[] {
  return file.statements.flatMap((statement) => [
    ...balanceDifferences(statement),
    ...statement.entries.flatMap(({ difference }) =>
      difference === undefined ? [] : [`${statement.label}: ${difference}`],
    ),
  ])
}

/** What of a statement says whether it adds up. */
type Balanced = Pick<ParsedStatement, 'label' | 'where' | 'currencyCode' | 'opening' | 'closing'> & {
  readonly entries: readonly Pick<ParsedEntry, 'where' | 'direction' | 'amount' | 'currencyCode'>[]
}

/** Whether the statement has both balances, and its entries make the difference. */
export function addsUp(statement: Balanced): boolean {
  const { opening, closing } = statement
  return opening !== undefined && closing !== undefined && balanceDifferences(statement).length === 0
}

function balanceDifferences(statement: Balanced): readonly string[] {
  const { label, where, currencyCode, entries } = statement
  const foreign = entries.find((entry) => entry.currencyCode !== currencyCode)
  if (foreign !== undefined)
    return [
      `${label}: ${foreign.where} is booked in ${foreign.currencyCode}, but the account is in ${currencyCode}.`,
    ]
  const { opening, closing } = statement
  if (opening === undefined || closing === undefined) return []
  const stranger = [opening, closing].find((balance) => balance.currencyCode !== currencyCode)
  if (stranger !== undefined)
    return [
      `${label}: the balance at ${stranger.where} is in ${stranger.currencyCode}, but the account is in ${currencyCode}.`,
    ]
  const expected = addAmounts(opening.amount, movementOf(entries))
  if (compareAmounts(expected, closing.amount) === 0) return []
  const gap = subtractAmounts(closing.amount, expected)
  return [
    `${label} at ${where} does not add up: ${opening.amount} at the opening and ${movementOf(entries)} of ${entries.length} booked entries make ${expected} ${currencyCode}, but it closes with ${closing.amount}: ${gap} ${currencyCode} are not accounted for.`,
  ]
}
