import { type Call, type Facts, type Finding, textOf } from './facts.ts'
import { groupBy } from './groups.ts'

/** I15: who reads after an acknowledgement sees the payment, and nobody sees its status go back. */
export function checkReads({ calls }: Facts): readonly Finding[] {
  return [...groupBy(calls, ({ name }) => textOf(name)).values()].flatMap((ofOne) => [
    ...checkSeen(ofOne),
    ...checkOrder(ofOne),
  ])
}

/** How far a status is: none is followed by one that is less far. */
const RANKS: Readonly<Record<string, number>> = {
  CREATED: 0,
  EXPIRED: 1,
  FAILED: 2,
  CANCELLED: 2,
  SUCCESS: 3,
  REVERSED: 4,
}

/** Says nothing of the payment: the clock of who answers may be wrong. */
const TOKEN_REFUSED = 401

function checkSeen(ofOne: readonly Call[]): readonly Finding[] {
  const acknowledgedAtMs = Math.min(
    ...ofOne.flatMap(({ operation, outcome, endedAtMs }) =>
      operation === 'CREATE' && outcome === 'ok' && endedAtMs !== undefined ? [endedAtMs] : [],
    ),
  )
  const blind = ofOne.find(
    ({ operation, outcome, httpStatus, invokedAtMs }) =>
      operation === 'READ' &&
      outcome === 'fail' &&
      httpStatus !== TOKEN_REFUSED &&
      invokedAtMs > acknowledgedAtMs,
  )
  if (blind === undefined) return []
  const says = `acknowledged, and a later read was answered ${String(blind.httpStatus)}`
  return [{ invariant: 'I15', says, name: blind.name }]
}

function checkOrder(ofOne: readonly Call[]): readonly Finding[] {
  const reads = ofOne.filter(({ operation, outcome }) => operation === 'READ' && outcome === 'ok')
  for (const before of reads) {
    const after = reads.find(
      ({ invokedAtMs, status }) =>
        before.endedAtMs !== undefined &&
        invokedAtMs > before.endedAtMs &&
        rank(status) < rank(before.status),
    )
    if (after !== undefined) {
      const says = `a read showed ${String(before.status)}, a later one ${String(after.status)}`
      return [{ invariant: 'I15', says, name: after.name }]
    }
  }
  return []
}

const rank = (status: string | undefined): number => RANKS[status ?? ''] ?? 0
