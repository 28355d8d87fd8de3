import { compareAmounts, parsePlainAmount, sumAmounts } from '@tollgate/money'
import { checkAcceptance } from './acceptance.ts'
import { checkCallbacks } from './callbacks.ts'
import { checkEnds } from './ends.ts'
import {
  type ApprovedRow,
  type Call,
  type DecidedRow,
  type Facts,
  type Finding,
  type Movement,
  type PaymentRow,
  textOf,
} from './facts.ts'
import { groupBy } from './groups.ts'
import { checkLedger } from './ledger.ts'

/** Compares what the witnesses say in a quiet state. Nothing is found when all invariants hold. */
export function check(facts: Facts): readonly Finding[] {
  const checks = [
    checkAcceptance,
    checkReads,
    checkEnds,
    checkLedger,
    checkCallbacks,
    checkBank,
    checkUploads,
    checkApprovals,
    checkReviews,
    checkRefunds,
  ]
  return checks.flatMap((checkOf) => checkOf(facts))
}

const APPROVERS_NEEDED = 2

/**
 * I20: a payout that needs approval is handed over after two people have approved it, and never while it is on hold; from a
 * hold it is released by another person than the one who stopped it.
 */
function checkApprovals({ approved, payments, movements }: Facts): readonly Finding[] {
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
      invariant: 'I20',
      says,
      name: { merchantCode, kind, id },
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

/** The rail whose institution is the bank simulator. */
const RAIL = 'simulator'

/** I14: what the gateway says of money at the bank is what the bank's own log says, and nothing moved twice. */
function checkBank({ payments, movements }: Facts): readonly Finding[] {
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

/** I15: who reads after an acknowledgement sees the payment, and nobody sees its status go back. */
function checkReads({ calls }: Facts): readonly Finding[] {
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

const DECIDERS_NEEDED = 2

/** I21: a payment that ends by what people say ends by the words of two, each given before, and names just these. */
function checkReviews({ decided }: Facts): readonly Finding[] {
  return decided.flatMap((row) => {
    const { merchantCode, kind, id } = row
    return faultsOf(row).map((says) => ({ invariant: 'I21', says, name: { merchantCode, kind, id } }))
  })
}

function faultsOf({ status, evidence, operators, words }: DecidedRow): readonly string[] {
  if (evidence !== 'PEOPLE') return [`it became ${status} by ${evidence}, and only people could know`]
  const names = new Set(operators)
  const faults = names.size < DECIDERS_NEEDED ? [`it became ${status} by the word of ${names.size}`] : []
  const silent = [...names].filter((name) => !words.includes(name))
  return silent.length === 0 ? faults : [...faults, `it names ${silent.join(', ')}, who said nothing`]
}

/**
 * I19: a statement that a person handed in was taken once, under the names of two, of whom the second one confirmed just these
 * bytes; and no payment got its money from two of them.
 */
function checkUploads({ uploads, payments }: Facts): readonly Finding[] {
  const find = (says: string): Finding => ({ invariant: 'I19', says })
  const twice = [...groupBy(uploads, ({ digest }) => digest).values()].filter(({ length }) => length > 1)
  const alone = uploads.filter(
    ({ takenBy, confirmedBy }) => confirmedBy === undefined || confirmedBy === takenBy,
  )
  const unproven = uploads.filter(
    ({ confirmedBy, provenBy }) => confirmedBy !== undefined && provenBy !== confirmedBy,
  )
  const paid = payments.filter(({ id, status }) => id.startsWith('wired-') && status === 'SUCCESS')
  const paying = groupBy(
    uploads.flatMap(({ paid: names }) => names),
    (name) => name,
  )
  return [
    ...twice.map(([first]) => find(`the file ${first?.digest ?? ''} was taken more than once`)),
    ...alone.map(({ fileId, takenBy }) =>
      find(`file ${fileId} of ${takenBy} was taken without a second person`),
    ),
    ...unproven.map(({ fileId }) => find(`file ${fileId} names a second person who confirmed nothing`)),
    ...paid.flatMap(({ merchantCode, kind, id }) => {
      const lines = paying.get(`${merchantCode} ${kind} ${id}`)?.length ?? 0
      const name = { merchantCode, kind, id }
      return lines === 1
        ? []
        : [{ invariant: 'I19', says: `${lines} statement lines say that it was paid`, name }]
    }),
  ]
}

/** I22: of a payin no more is given back than was paid: not even when refunds come at the same moment to several processes. */
function checkRefunds({ payments }: Facts): readonly Finding[] {
  const refunds = payments.filter(({ refundOf, status }) => refundOf !== undefined && GIVES_BACK.has(status))
  const ofPayins = groupBy(refunds, ({ merchantCode, refundOf = '' }) =>
    textOf({ merchantCode, kind: 'PAYIN', id: refundOf }),
  )
  const paid = new Map(
    payments.flatMap((row) => (row.status === 'SUCCESS' ? [[textOf(row), row.money.amount] as const] : [])),
  )
  return [...ofPayins].flatMap(([payin, ofOne]) => {
    const given = sumAmounts(ofOne.map(({ money }) => parsePlainAmount(money.amount)))
    const most = paid.get(payin) ?? '0'
    const [name] = ofOne
    if (name === undefined || compareAmounts(given, parsePlainAmount(most)) !== 1) return []
    return [
      { invariant: 'I22', says: `${payin} is over ${most}, and ${String(given)} of it is given back`, name },
    ]
  })
}

const GIVES_BACK = new Set(['CREATED', 'SUCCESS'])
