import { type Facts, type Finding, type PaymentRow, type TransferRow, textOf } from './facts.ts'
import { groupBy } from './groups.ts'

/** The books: I1, I2, I3, I4, I5 and I9. */
export function checkLedger(facts: Facts): readonly Finding[] {
  return [...checkSums(facts), ...checkBalances(facts), ...checkEffects(facts), ...checkTimelines(facts)]
}

function checkSums({ transfers }: Facts): readonly Finding[] {
  return transfers
    .filter(({ total }) => total !== '0')
    .map((row) => ({
      invariant: 'I1',
      says: `transfer ${row.transferId} (${row.event}) sums to ${row.total} ${row.currencyCode}`,
      name: row,
    }))
}

function checkBalances({ balances }: Facts): readonly Finding[] {
  return balances.flatMap(({ merchantCode, currencyCode, account, stored, summed }) => {
    const what = `${account} of ${merchantCode} in ${currencyCode}`
    const isNegative = stored.startsWith('-') && account !== 'RECEIVABLE'
    return [
      ...(stored === summed
        ? []
        : [{ invariant: 'I2', says: `${what} is stored as ${stored}, its postings say ${summed}` }]),
      ...(isNegative ? [{ invariant: 'I3', says: `${what} is ${stored}` }] : []),
    ]
  })
}

/** What is booked for a payment of each kind when it has ended so; every other status books nothing. */
const EFFECTS: Readonly<Record<PaymentRow['kind'], Readonly<Record<string, readonly string[]>>>> = {
  PAYIN: { SUCCESS: ['PAYIN_SUCCESS'] },
  TOPUP: { SUCCESS: ['TOPUP_SUCCESS'] },
  PAYOUT: {
    CREATED: ['PAYOUT_HELD'],
    SUCCESS: ['PAYOUT_HELD', 'PAYOUT_SUCCESS'],
    FAILED: ['PAYOUT_HELD', 'PAYOUT_RELEASED'],
    CANCELLED: ['PAYOUT_HELD', 'PAYOUT_RELEASED'],
    EXPIRED: ['PAYOUT_HELD', 'PAYOUT_RELEASED'],
  },
}

/** One effect per payment and event, and those of its status: what was held for a payout that failed is released. */
function checkEffects({ payments, transfers }: Facts): readonly Finding[] {
  const booked = groupBy(transfers, textOf)
  const known = new Set(payments.map(textOf))
  const strays = transfers.filter((row) => !known.has(textOf(row)))
  return [
    ...strays.map((name) => ({ invariant: 'I4', says: `${name.event} is booked for no payment`, name })),
    ...payments.flatMap((row) => checkEffect(row, booked.get(textOf(row)) ?? [])),
  ]
}

function checkEffect(row: PaymentRow, transfers: readonly TransferRow[]): readonly Finding[] {
  const events = transfers.map(({ event }) => event).sort()
  const expected = EFFECTS[row.kind][row.status] ?? []
  if (events.join() === [...expected].sort().join()) return []
  const invariant = row.kind === 'PAYOUT' && !events.includes('PAYOUT_RELEASED') ? 'I9' : 'I4'
  const says = `it is ${row.status}, and booked are: ${events.join(', ') || 'none'}`
  return [{ invariant: new Set(events).size < events.length ? 'I4' : invariant, says, name: row }]
}

/** The edges that these runs can take; `tollgate ledger check` knows all. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  CREATED: ['SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED'],
  EXPIRED: ['SUCCESS'],
  SUCCESS: ['REVERSED'],
}

function checkTimelines({ payments, timeline }: Facts): readonly Finding[] {
  const entries = groupBy(timeline, textOf)
  return payments.flatMap((row) => {
    const statuses = (entries.get(textOf(row)) ?? []).map(({ status }) => status)
    const isPath = statuses.every((status, index) => {
      const before = statuses[index - 1]
      if (before === undefined) return status === 'CREATED'
      return status === before || EDGES[before]?.includes(status) === true
    })
    if (isPath && statuses.at(-1) === row.status) return []
    return [{ invariant: 'I5', says: `it is ${row.status} after ${statuses.join(', ')}`, name: row }]
  })
}
