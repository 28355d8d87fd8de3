import type { Money } from '@tollgate/money'
import type { Clock } from '@tollgate/runtime'
import { resolveUnknown } from '../../platform/database.ts'
import { insertUnmasking } from '../operators/index.ts'
import { PAYMENT_KINDS, type PaymentKey, type PaymentService } from '../payments/index.ts'
import { StatementProblem } from './errors.ts'
import type { PartDetails } from './formats/parsed.ts'
import { listFiles, type StatementFile } from './import/file-store.ts'
import { type Imported, type ImportOrder, importFile } from './import/import.ts'
import { findLine, listLines, type SealedLine } from './lines/line-store.ts'
import { maskBankReference, maskDetails } from './lines/masking.ts'
import { openDetails } from './lines/sealed-details.ts'
import { type MatchDeps, type Matched, matchNewLines } from './matching/matching.ts'
import { readingAhead } from './matching/reading-ahead.ts'
import { type Suggestion, suggestFor } from './matching/suggestions.ts'
import type { LinesQuery, StatementLine } from './model.ts'
import { type Decided, listDecisions } from './people/decision-store.ts'
import { type DecideOrder, decideLine } from './people/decisions.ts'

export interface StatementDeps extends MatchDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly payments: Pick<PaymentService, 'find' | 'listPersonalData'>
  /** Undefined for a code that no merchant has. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string | undefined>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

/** Names a payment as operators do. */
export interface NamedPayment {
  readonly merchantCode: string
  readonly kind: string
  readonly idPayment: string
}

/** A line with what is encrypted of it: masked, unless it was read in full. */
export interface LineView extends StatementLine {
  readonly details: PartDetails
  readonly isMasked: boolean
  /** Its payment by the merchant's code. */
  readonly named: NamedPayment | undefined
}

/** The same with everything that is known about it. */
export interface LineReport extends LineView {
  readonly decisions: readonly (Decided & { readonly decidedAt: Date })[]
  /** Payments that it may be for, the likeliest first; of lines that wait. */
  readonly suggestions: readonly (Suggestion & { readonly named: NamedPayment })[]
}

/** What an operator wants done, as operators say it. */
export interface DecisionWish extends Omit<DecideOrder, 'payment'> {
  readonly payment?: NamedPayment | undefined
}

/** A line that an operator reads in full. */
interface FullReading {
  readonly lineId: string
  readonly operatorCode: string
}

/** What the statements of our banks say, and what becomes of it. Names, accounts and texts are masked but in `showInFull`. */
export interface StatementService {
  /** Takes a file and looks at its lines; see `importFile`. Throws FileProblem, and then nothing was stored. */
  take(order: ImportOrder): Promise<Imported & { readonly matched: Matched }>
  /** Looks at all lines that nobody has looked at. */
  match(): Promise<Matched>
  /** Throws StatementProblem. */
  decide(wish: DecisionWish): Promise<LineReport>
  /** Throws StatementProblem when there is no such line. */
  show(lineId: string): Promise<LineReport>
  /**
   * The same with names, accounts and texts. That the operator reads it is noted first, and nobody can take that back.
   */
  showInFull(reading: FullReading): Promise<LineReport>
  listLines(query: LinesQuery): Promise<readonly LineView[]>
  listFiles(page: {
    readonly before: string | undefined
    readonly limit: number
  }): Promise<readonly StatementFile[]>
}

export function createStatementService(deps: StatementDeps): StatementService {
  const findMoney = async (payment: PaymentKey): Promise<Money | undefined> =>
    (await deps.payments.find(payment))?.money
  const match = (): Promise<Matched> => matchAll(deps)
  return {
    async take(order) {
      const imported = await resolveUnknown(deps.clock, () => importFile(deps, order))
      return { ...imported, matched: await match() }
    },
    match,
    async decide({ payment, ...wish }) {
      requireLineIds([wish.lineId, ...(wish.withLineIds ?? [])])
      const key = payment === undefined ? undefined : await keyOf(deps, payment)
      await decideLine({ ...deps, findMoney }, { ...wish, payment: key })
      return showLine(deps, wish.lineId)
    },
    show: (lineId) => showLine(deps, lineId),
    async showInFull({ lineId, operatorCode }) {
      await requireLine(deps, lineId)
      await insertUnmasking(deps.db, operatorCode, { subject: 'STATEMENT_LINE', lineId })
      return showLine(deps, lineId, 'IN_FULL')
    },
    async listLines(query) {
      const lines = await listLines(deps.db, query)
      return Promise.all(lines.map((line) => viewOf(deps, line)))
    },
    listFiles: (page) => listFiles(deps.db, page),
  }
}

/** Each batch makes the new lines fewer, so the loop ends. A batch whose outcome got lost is simply looked at again. */
async function matchAll(deps: StatementDeps): Promise<Matched> {
  let total: Matched = { lines: 0, matched: 0 }
  const ahead = readingAhead(deps)
  for (;;) {
    const batch = await resolveUnknown(deps.clock, () => matchNewLines(deps, ahead))
    if (batch.lines === 0) return total
    total = { lines: total.lines + batch.lines, matched: total.matched + batch.matched }
  }
}

async function viewOf(
  deps: StatementDeps,
  line: SealedLine,
  shown: 'MASKED' | 'IN_FULL' = 'MASKED',
): Promise<LineView> {
  const details = openDetails(deps.secrets, line)
  const named = line.payment === undefined ? undefined : await namedOf(deps, line.payment)
  if (shown === 'IN_FULL') return { ...line, details, named, isMasked: false }
  const { bankReference } = line
  return {
    ...line,
    bankReference: bankReference === undefined ? undefined : maskBankReference(bankReference, details),
    details: maskDetails(line, details),
    named,
    isMasked: true,
  }
}

async function namedOf(
  { merchantCodeOf }: StatementDeps,
  { merchantId, kind, idPayment }: PaymentKey,
): Promise<NamedPayment> {
  return { merchantCode: await merchantCodeOf(merchantId), kind, idPayment }
}

async function keyOf({ merchantIdOf }: StatementDeps, payment: NamedPayment): Promise<PaymentKey> {
  const { merchantCode, idPayment } = payment
  const kind = PAYMENT_KINDS.find((known) => known === payment.kind)
  const merchantId = await merchantIdOf(merchantCode)
  if (kind === undefined || merchantId === undefined)
    throw new StatementProblem(`There is no ${payment.kind} ${idPayment} of ${merchantCode}.`, 'NOT_FOUND')
  return { merchantId, kind, idPayment }
}

const LINE_ID = /^\d{1,18}$/

function requireLineIds(lineIds: readonly string[]): void {
  const strange = lineIds.find((lineId) => !LINE_ID.test(lineId))
  if (strange !== undefined) throw new StatementProblem(`There is no statement line ${strange}.`, 'NOT_FOUND')
}

async function requireLine(deps: StatementDeps, lineId: string): Promise<SealedLine> {
  requireLineIds([lineId])
  const line = await findLine(deps.db, lineId)
  if (line === undefined) throw new StatementProblem(`There is no statement line ${lineId}.`, 'NOT_FOUND')
  return line
}

async function showLine(
  deps: StatementDeps,
  lineId: string,
  shown: 'MASKED' | 'IN_FULL' = 'MASKED',
): Promise<LineReport> {
  const line = await requireLine(deps, lineId)
  const suggestions = await suggestFor(deps, line)
  return {
    ...(await viewOf(deps, line, shown)),
    decisions: await listDecisions(deps.db, lineId),
    suggestions: await Promise.all(
      suggestions.map(async (each) => ({ ...each, named: await namedOf(deps, each) })),
    ),
  }
}
