import type {
  Answer,
  AnswerItem,
  StatementFileListSchema,
  StatementLineListSchema,
  StatementLineSchema,
  StatementTakenSchema,
} from '@tollgate/contract'
import { parsePlainAmount, rawAmount } from '@tollgate/money'
import { type Act, presentAct } from '../confirmations/index.ts'
import type { StatementFile } from './import/file-store.ts'
import type { Imported } from './import/import.ts'
import type { Matched } from './matching/matching.ts'
import type { LineChoice } from './people/choices.ts'
import type { LineReport, LineView } from './service.ts'

type Line = AnswerItem<typeof StatementLineListSchema>

const moneyOf = (amount: LineView['amount'], currencyCode: string) => ({
  amount: rawAmount(amount),
  currencyCode,
})

/** What taking a file answers. */
export function presentTaken(
  taken: Imported & { readonly matched: Matched },
): Answer<typeof StatementTakenSchema> {
  const { kind, fileId, format, statements, warnings, matched } = taken
  return {
    result: kind,
    fileId,
    format,
    statements,
    warnings,
    looked: matched.lines,
    matched: matched.matched,
  }
}

export function presentFile(file: StatementFile): AnswerItem<typeof StatementFileListSchema> {
  const { fileId, fileName, format, accountCodes, actor, confirmedBy, receivedAt, warnings } = file
  const { lineCount, knownCount, pendingCount } = file
  return {
    fileId,
    fileName,
    format,
    accountCodes,
    takenBy: actor,
    receivedAt: receivedAt.toISOString(),
    ...(confirmedBy !== undefined && { confirmedBy }),
    lineCount,
    knownCount,
    pendingCount,
    warnings,
    balances: file.balances.map(presentBalances),
  }
}

function presentBalances(balances: StatementFile['balances'][number]) {
  const { accountCode, currencyCode, opening, openedOn, closing, closedOn, addsUp } = balances
  return {
    accountCode,
    addsUp,
    opening: moneyOf(parsePlainAmount(opening), currencyCode),
    closing: moneyOf(parsePlainAmount(closing), currencyCode),
    ...(openedOn !== null && { openedOn }),
    ...(closedOn !== null && { closedOn }),
  }
}

export function presentLine(line: LineView): Line {
  const { lineId, state, accountCode, direction, isReversal, currencyCode, bookedOn, details } = line
  return {
    lineId,
    state,
    accountCode,
    direction,
    isReversal,
    bookedOn,
    money: moneyOf(line.amount, currencyCode),
    ...(line.openAmount !== '0' && { openMoney: moneyOf(line.openAmount, currencyCode) }),
    ...(line.charge !== undefined && { charges: moneyOf(line.charge, currencyCode) }),
    ...(line.bankReference !== undefined && { bankReference: line.bankReference }),
    isMasked: line.isMasked,
    ...partyOf(line),
    references: referencesOf(line),
    texts: details.texts ?? [],
    ...(line.named !== undefined && { payment: line.named }),
    ...(line.score !== undefined && { score: Number(line.score) }),
    reasons: line.reasons,
    ...(line.returnReference !== undefined && { returnReference: line.returnReference }),
  }
}

function partyOf({ details }: LineView): Pick<Line, 'party'> {
  const { partyName, partyAccount, partyBank } = details
  const party = {
    ...(partyName !== undefined && { name: partyName }),
    ...(partyAccount !== undefined && { accountNumber: partyAccount }),
    ...(partyBank !== undefined && { bankCode: partyBank }),
  }
  return Object.keys(party).length === 0 ? {} : { party }
}

/** References of every kind that a line names. */
function referencesOf({ details }: LineView): readonly string[] {
  const symbols = [
    ['VS', details.variableSymbol],
    ['SS', details.specificSymbol],
    ['KS', details.constantSymbol],
  ] as const
  return [
    ...(details.endToEndId === undefined ? [] : [details.endToEndId]),
    ...(details.structuredReferences ?? []),
    ...symbols.flatMap(([name, symbol]) => (symbol === undefined ? [] : [`${name} ${symbol}`])),
    ...(details.references ?? []),
  ]
}

/** A line with everything that is known about it, and with decisions that wait for a second operator. */
export function presentReport(
  report: LineReport,
  waiting: readonly Act[],
  choices: readonly LineChoice[],
): Answer<typeof StatementLineSchema> {
  return {
    ...presentLine(report),
    waiting: waiting.map(presentAct),
    choices,
    decisions: report.decisions.map(({ decision, actor, confirmedBy, reason, amount, decidedAt }) => ({
      decision,
      decidedBy: actor,
      reason,
      ...(confirmedBy !== undefined && { confirmedBy }),
      money: moneyOf(amount, report.currencyCode),
      decidedAt: decidedAt.toISOString(),
    })),
    suggestions: report.suggestions.map(({ named, status, money, score, reasons, differences }) => ({
      payment: named,
      status,
      score,
      reasons,
      differences,
      money: moneyOf(money.amount, money.currencyCode),
    })),
  }
}
