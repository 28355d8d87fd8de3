import { isPositive } from '@tollgate/money'
import type { SecondPerson } from '../../confirmations/index.ts'
import { isOutgoing, OPERATOR_ACTOR_PREFIX } from '../../payments/index.ts'
import { isWaiting, type LineDecision } from '../model.ts'
import type { LineReport, StatementDeps } from '../service.ts'
import { listHandsOfLines } from './act-store.ts'
import { againstSameMoney } from './same-money.ts'

/** A decision that can be made about a line as it is now, and whether it would wait for a second operator. */
export interface LineChoice {
  readonly decision: LineDecision
  /** MAYBE: it depends on the payment. */
  readonly secondOperator: 'YES' | 'NO' | 'MAYBE'
}

interface ChoiceDeps extends Pick<StatementDeps, 'db' | 'payments'> {
  readonly secondPerson: Pick<SecondPerson, 'isOn' | 'listOfLines' | 'waitingRule'>
}

/** What this operator can decide about the line. What a proposal that waits stands in the way of is left out. */
export async function listChoices(
  deps: ChoiceDeps,
  report: LineReport,
  operatorCode: string,
): Promise<readonly LineChoice[]> {
  const decisions = await decisionsOf(deps, report)
  const seconded = decisions.filter((decision) => SECONDED.has(decision))
  const blocked =
    seconded.length > 0 && (await deps.secondPerson.listOfLines(deps.db, [report.lineId])).length > 0
  const secondOperator =
    seconded.length === 0 || blocked ? 'NO' : await secondOperatorFor(deps, report, operatorCode)
  return decisions
    .filter((decision) => !(blocked && SECONDED.has(decision)))
    .map((decision) => ({ decision, secondOperator: SECONDED.has(decision) ? secondOperator : 'NO' }))
}

const SECONDED: ReadonlySet<LineDecision> = new Set<LineDecision>(['ACCEPT', 'COVER', 'NOTE'])

async function decisionsOf(deps: ChoiceDeps, report: LineReport): Promise<readonly LineDecision[]> {
  const { direction, state, openAmount, payment } = report
  if (state === 'RETURNING') return ['RETURNED']
  if (!isWaiting(state)) return []
  if (direction === 'DEBIT') return ['NOTE']
  if (!isPositive(openAmount)) return []
  const found = payment && (await deps.payments.find(payment))
  const isTold = (await againstSameMoney(deps.db, report, found)) === undefined
  // Money that came back from a payout does not pay it.
  const paying = payment !== undefined && isOutgoing(payment.kind) ? [] : (['ACCEPT', 'COVER'] as const)
  return [...paying, ...(isTold ? (['SAME_MONEY'] as const) : []), 'RETURN']
}

/** Whose file brought the line never decides alone. Otherwise it is the money: the payment's, which may be another one. */
async function secondOperatorFor(
  { db, secondPerson }: ChoiceDeps,
  { lineId, direction, amount, currencyCode, suggestions }: LineReport,
  operatorCode: string,
): Promise<LineChoice['secondOperator']> {
  if (!secondPerson.isOn) return 'NO'
  const actor = `${OPERATOR_ACTOR_PREFIX}${operatorCode}`
  if ((await listHandsOfLines(db, [lineId])).includes(actor)) return 'YES'
  const waits = await secondPerson.waitingRule(db, actor)
  if (direction === 'DEBIT') return waits([{ amount, currencyCode }]) ? 'YES' : 'NO'
  // A payment that has ended takes nobody's word alone, whatever its money is.
  return suggestions.length > 0 && suggestions.every(({ money }) => waits([money])) ? 'YES' : 'MAYBE'
}
