import { type Call, type Facts, type Finding, type Money, type PaymentRow, textOf } from './facts.ts'
import { groupBy } from './groups.ts'

/** What the driver was told, held against what is there: I10, I11, I12. */
export function checkAcceptance({ calls, payments, movements }: Facts): readonly Finding[] {
  const rows = groupBy(payments, textOf)
  const stored = new Map(payments.map((row) => [textOf(row), row]))
  const creates = calls.filter(({ operation }) => operation === 'CREATE')
  const moved = new Set(movements.map(({ reference }) => reference))
  return [
    ...[...rows.values()].flatMap(checkStoredOnce),
    ...[...groupBy(creates, ({ name }) => textOf(name))].flatMap(([key, ofOne]) => [
      ...checkOne(ofOne, stored.get(key)),
      ...checkRefused(ofOne, stored.get(key), moved),
    ]),
  ]
}

/** Whether the payment was acknowledged: by a 201, or by a 409, which says that it is there. */
export function isAcknowledged(creates: readonly Call[]): boolean {
  return creates.some(({ outcome }) => outcome === 'ok')
}

function checkStoredOnce(rows: readonly PaymentRow[]): readonly Finding[] {
  const [name] = rows
  if (name === undefined || rows.length === 1) return []
  return [{ invariant: 'I11', says: `it is stored ${rows.length} times`, name }]
}

function checkOne(creates: readonly Call[], row: PaymentRow | undefined): readonly Finding[] {
  const [first] = creates
  if (first === undefined) return []
  const { name, money } = first
  const findings: Finding[] = []
  const created = creates.filter(({ httpStatus }) => httpStatus === 201).length
  if (created > 1) findings.push({ invariant: 'I11', says: `${created} answers are 201`, name })
  if (creates.every(({ outcome }) => outcome === undefined || outcome === 'unknown'))
    findings.push({ invariant: 'I10', says: 'nobody could find out whether it is accepted', name })
  if (!isAcknowledged(creates)) return findings
  if (row === undefined) findings.push({ invariant: 'I10', says: 'acknowledged, and not there', name })
  else if (money !== undefined && !isSame(row.money, money))
    findings.push({
      invariant: 'I10',
      says: `acknowledged over ${say(money)}, and stored over ${say(row.money)}`,
      name,
    })
  return findings
}

/** An unknown answer may be of a request that was accepted; a refusal alone must leave nothing behind. */
function checkRefused(
  creates: readonly Call[],
  row: PaymentRow | undefined,
  moved: ReadonlySet<string>,
): readonly Finding[] {
  const [first] = creates
  if (first === undefined || row === undefined) return []
  if (!creates.every(({ outcome }) => outcome === 'fail')) return []
  const also = moved.has(row.reference) ? ', and its money moved' : ''
  return [{ invariant: 'I12', says: `refused every time, and there all the same${also}`, name: first.name }]
}

const isSame = (a: Money, b: Money): boolean => a.amount === b.amount && a.currencyCode === b.currencyCode
const say = ({ amount, currencyCode }: Money): string => `${amount} ${currencyCode}`
