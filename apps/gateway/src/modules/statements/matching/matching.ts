import { type Amount, ZERO } from '@tollgate/money'
import type { Ids } from '@tollgate/runtime'
import type { Database, Tx } from '../../../platform/database.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { bookEntries } from '../../ledger/index.ts'
import {
  type DocumentEvidence,
  type PhaseChange,
  type TransitionOutcome,
  transition,
  updatePhases,
} from '../../payments/index.ts'
import type { LineChange } from '../lines/line-change-store.ts'
import { changeLines } from '../lines/line-changes.ts'
import { claimNewLines, listReturningLines, lockMatching, type SealedLine } from '../lines/line-store.ts'
import { suspenseEntry } from '../lines/suspense.ts'
import { type Candidate, CLAIMED, isDebitOf, judgeLine, payerOf, type Verdict } from '../model.ts'
import { candidatesFor, type OpenLine, openLine, textOf } from './candidates.ts'
import { evidenceOfLines } from './evidence.ts'
import type { ReadingAhead } from './reading-ahead.ts'

export interface MatchDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
  readonly metrics?: Pick<Metrics, 'payments'> | undefined
}

/** How many lines were looked at, and how many are the money of a payment for certain. */
export interface Matched {
  readonly lines: number
  readonly matched: number
}

const BATCH_LINES_MAX = 500

interface Judged extends OpenLine {
  readonly verdict: Verdict
}

/**
 * Looks at new lines and puts forward what they prove. In one transaction: the payments change, the lines say so, and what
 * is no payment's for certain goes to SUSPENSE. At most 500 lines; to be called until there are none.
 * @param ahead the same for all calls; not inside a transaction, whose lines no other connection sees
 */
export async function matchNewLines(
  deps: MatchDeps,
  ahead?: ReadingAhead,
): Promise<Matched & { readonly outcomes: readonly TransitionOutcome[] }> {
  const { outcomes, ...matched } = await deps.db.transaction((tx) => matchIn(deps, tx, ahead))
  for (const outcome of outcomes) {
    if (outcome.kind !== 'CHANGED') continue
    const { kind, methodCode } = outcome.payment
    deps.metrics?.payments.inc({ kind, method: methodCode, status: outcome.status })
  }
  return { ...matched, outcomes }
}

async function matchIn(
  deps: MatchDeps,
  tx: Tx,
  ahead?: ReadingAhead,
): Promise<Matched & { readonly outcomes: readonly TransitionOutcome[] }> {
  await lockMatching(tx)
  const claimed = await claimNewLines(tx, BATCH_LINES_MAX)
  const lines = (await ahead?.open(claimed)) ?? claimed.map((line) => openLine(deps.secrets, line))
  const last = lines.at(-1)
  if (last === undefined) return { lines: 0, matched: 0, outcomes: [] }
  if (lines.length === BATCH_LINES_MAX) ahead?.begin(last.line.lineId, BATCH_LINES_MAX)
  const judged = judgeAll(lines, await candidatesFor(deps, tx, lines))
  const proposing = judged.filter(({ verdict }) => verdict.proposed !== undefined)
  const evidenceOf = await evidenceOfLines(
    tx,
    proposing.map(({ line }) => line),
  )
  const outcomes = await transition(
    deps,
    tx,
    proposing.flatMap((each) => proposalOf(each, evidenceOf(each.line)) ?? []),
  )
  const byLine = new Map(proposing.map(({ line }, index) => [line.lineId, outcomes[index]]))
  const settled = judged.map((each) => ({ ...each, verdict: after(each, byLine.get(each.line.lineId)) }))
  await book(deps, tx, settled)
  await notePhases(tx, settled)
  const returned = await takeReturns(deps, tx, settled)
  await changeLines(
    tx,
    settled.map((each) => returned.get(each.line.lineId) ?? changeOf(each)),
  )
  return {
    lines: lines.length,
    matched: settled.filter(({ verdict }) => verdict.state === 'MATCHED').length,
    outcomes,
  }
}

/**
 * One after the other: what an earlier line of the batch does to its payment, the later ones see. A second proposal for
 * one payment in a batch waits for the next, so that it is decided on what the first one really did.
 */
function judgeAll(
  lines: readonly OpenLine[],
  candidatesOf: (line: OpenLine) => readonly Candidate[],
): readonly Judged[] {
  const statuses = new Map<string, string>()
  const debits = new Map<string, readonly string[]>()
  const judged: Judged[] = []
  for (const each of lines) {
    const candidates = candidatesOf(each).map((candidate) => ({
      ...candidate,
      status: statuses.get(textOf(candidate)) ?? candidate.status,
      debitLineIds: debits.get(textOf(candidate)) ?? candidate.debitLineIds,
    }))
    const verdict = judgeLine(each.line, candidates)
    const { payment, proposed } = verdict
    if (payment !== undefined && proposed !== undefined) {
      if (statuses.has(textOf(payment))) continue
      statuses.set(textOf(payment), proposed.status)
    }
    judged.push({ ...each, verdict })
    const [only, ...others] = candidates
    if (only === undefined || others.length > 0 || !isDebitOf(each.line, only)) continue
    debits.set(textOf(only), [...only.debitLineIds, each.line.lineId])
  }
  return judged
}

function proposalOf({ line, details, verdict }: Judged, evidence: DocumentEvidence) {
  const { payment, proposed } = verdict
  if (payment === undefined || proposed === undefined) return undefined
  const isToldOfPayer =
    proposed.status === 'SUCCESS' && line.direction === 'CREDIT' && !verdict.reasons.includes(CLAIMED)
  const payer = isToldOfPayer ? payerOf(details) : undefined
  return {
    key: payment,
    proposal: {
      ...proposed,
      actor: 'statement',
      evidence,
      reason: `statement line ${line.lineId} of ${line.accountCode}`,
      ...(payer !== undefined && { payer }),
    },
  }
}

/** The verdict as it turned out under the lock of the payment. */
function after({ verdict }: Judged, outcome: TransitionOutcome | undefined): Verdict {
  if (outcome === undefined || outcome.kind === 'CHANGED') return verdict
  const { payment, score, reasons } = verdict
  if (outcome.kind === 'MISSING') return { state: 'UNKNOWN', payment: undefined, score: 0, reasons }
  if (outcome.kind === 'SAME')
    return { state: 'DOUBLE', payment, score, reasons: [...reasons, 'the payment has got its money already'] }
  return { state: 'LATE', payment, score, reasons: [...reasons, outcome.why] }
}

const isSuspended = ({ line, verdict }: Pick<Judged, 'line' | 'verdict'>): boolean =>
  line.direction === 'CREDIT' && verdict.state !== 'MATCHED'

async function book(deps: MatchDeps, tx: Tx, settled: readonly Judged[]): Promise<void> {
  await bookEntries(
    tx,
    settled
      .filter(isSuspended)
      .map(({ line: { lineId, amount, currencyCode } }) =>
        suspenseEntry(deps.ids, 'SUSPENSE_RECEIVED', { lineId, amount, currencyCode }),
      ),
  )
}

/** An open payment says that other money came; it goes on waiting for its own. */
async function notePhases(tx: Tx, settled: readonly Judged[]): Promise<void> {
  const noted = new Map<string, PhaseChange>()
  for (const { line, verdict } of settled) {
    const isOther =
      verdict.state === 'UNDER' || verdict.state === 'OVER' || verdict.state === 'OTHER_CURRENCY'
    if (isOther && verdict.payment !== undefined)
      noted.set(textOf(verdict.payment), {
        ...verdict.payment,
        status: 'CREATED',
        processorStatus: 'CONFIRMED_DIFFERENT_AMOUNT',
        actor: 'statement',
        reason: `${line.amount} ${line.currencyCode} came: statement line ${line.lineId}`,
      })
  }
  await updatePhases(tx, [...noted.values()])
}

function changeOf({ line, verdict }: Pick<Judged, 'line' | 'verdict'>): LineChange {
  return {
    lineId: line.lineId,
    state: verdict.state,
    openAmount: isSuspended({ line, verdict }) ? line.amount : ZERO,
    payment: verdict.payment,
    score: String(verdict.score),
    reasons: verdict.reasons,
    returnReference: undefined,
    decisionCount: line.decisionCount,
  }
}

/**
 * Money that leaves under the reference of a return is that return: what it takes from SUSPENSE is booked, and both lines
 * say so. Answers what becomes of such a line, by its id.
 */
async function takeReturns(
  deps: MatchDeps,
  tx: Tx,
  settled: readonly Judged[],
): Promise<ReadonlyMap<string, LineChange>> {
  const leaving = settled.filter(
    ({ line, verdict }) => line.direction === 'DEBIT' && verdict.state === 'UNKNOWN',
  )
  const taken = new Map<string, LineChange>()
  if (leaving.length === 0) return taken
  const returning = await listReturningLines(tx, [
    ...new Set(leaving.flatMap(({ tokens }) => tokens.references)),
  ])
  const open = new Map(returning.map((line) => [line.returnReference, line]))
  for (const each of leaving) {
    const reference = each.tokens.references.find((token) => open.has(token))
    const held = open.get(reference)
    if (held === undefined || !isItsMoney(each.line, held.openAmount, held.currencyCode)) continue
    open.delete(reference)
    const { lineId, openAmount, currencyCode, decisionCount } = held
    const entry = { lineId, decisionNo: decisionCount + 1, amount: openAmount, currencyCode }
    await bookEntries(tx, [suspenseEntry(deps.ids, 'SUSPENSE_RETURNED', entry)])
    await changeLines(tx, [
      {
        ...held,
        state: 'RETURNED',
        openAmount: ZERO,
        decisionCount: decisionCount + 1,
        reasons: [...held.reasons, `it went back with statement line ${each.line.lineId}`],
      },
    ])
    taken.set(each.line.lineId, {
      ...changeOf(each),
      state: 'MATCHED',
      score: '1',
      reasons: [`it takes statement line ${lineId} back to its sender`],
    })
  }
  return taken
}

const isItsMoney = (line: SealedLine, amount: Amount, currencyCode: string): boolean =>
  line.amount === amount && line.currencyCode === currencyCode
