import { type Money, subtractAmounts, ZERO } from '@tollgate/money'
import {
  isOutgoing,
  listOpenPaymentsByAmount,
  type NamedPayment,
  type PaymentKey,
  type PaymentService,
  type PersonalData,
} from '../../payments/index.ts'
import type { PartDetails } from '../formats/parsed.ts'
import type { SealedLine } from '../lines/line-store.ts'
import { CLAIMED, isWaiting } from '../model.ts'
import { candidatesFor, openLine } from './candidates.ts'
import type { MatchDeps } from './matching.ts'

/** A payment that a line may be for, and why. */
export interface Suggestion extends PaymentKey {
  readonly status: string
  readonly money: Money
  /** 0 to 1. */
  readonly score: number
  readonly reasons: readonly string[]
  /** What speaks against it. */
  readonly differences: readonly string[]
}

interface SuggestDeps extends MatchDeps {
  readonly payments: Pick<PaymentService, 'listPersonalData'>
}

type Suggested = Pick<
  NamedPayment,
  'merchantId' | 'kind' | 'idPayment' | 'status' | 'money' | 'reference'
> & {
  readonly by?: string
}

const SUGGESTED_MAX = 20
const WEIGHTS = { reference: 0.6, claimed: 0.2, account: 0.4, amount: 0.25, name: 0.2 } as const

/** Payments for a line that waits, the likeliest first: those that it names, and open ones of the very amount. */
export async function suggestFor(deps: SuggestDeps, line: SealedLine): Promise<readonly Suggestion[]> {
  if (!isWaiting(line.state) || line.direction !== 'CREDIT') return []
  const open = openLine(deps.secrets, line)
  // Money that came back from a payout does not pay it.
  const named = (await candidatesFor(deps, deps.db, [open]))(open).filter(({ kind }) => !isOutgoing(kind))
  const money = { amount: line.amount, currencyCode: line.currencyCode }
  const sameAmount = await listOpenPaymentsByAmount(deps.db, money, SUGGESTED_MAX)
  const all = new Map<string, Suggested>()
  for (const payment of [...sameAmount, ...named])
    all.set(`${payment.merchantId} ${payment.kind} ${payment.idPayment}`, payment)
  const judged: Suggestion[] = []
  for (const payment of all.values())
    judged.push(await judge(deps, payment, { money, details: open.details }))
  return judged.toSorted((a, b) => b.score - a.score).slice(0, SUGGESTED_MAX)
}

async function judge(
  deps: SuggestDeps,
  payment: Suggested,
  { money, details }: { readonly money: Money; readonly details: PartDetails },
): Promise<Suggestion> {
  const { merchantId, kind, idPayment, status } = payment
  const persons = (await deps.payments.listPersonalData({ merchantId, kind, idPayment })).map(
    ({ data }) => data,
  )
  const isAccount = persons.some(({ accountNumber }) => isAlike(accountNumber, details.partyAccount))
  const isName = persons.some(({ accountName }) => isAlike(accountName, details.partyName))
  const isAmount = payment.money.amount === money.amount && payment.money.currencyCode === money.currencyCode
  const reasons: readonly (readonly [boolean, number, string])[] = [
    [payment.by === 'REFERENCE', WEIGHTS.reference, `it names our reference ${payment.reference}`],
    [payment.by?.startsWith('CLAIM') === true, WEIGHTS.claimed, CLAIMED],
    [isAccount, WEIGHTS.account, 'it comes from the account that the payment names'],
    [isAmount, WEIGHTS.amount, 'the amount is the one asked for'],
    [isName, WEIGHTS.name, 'the payer has the name that the payment names'],
  ]
  const found = reasons.filter(([holds]) => holds)
  const score = found.reduce((sum, [, weight]) => sum + weight, 0)
  return {
    merchantId,
    kind,
    idPayment,
    status,
    money: payment.money,
    score: Math.min(1, Math.round(score * 100) / 100),
    reasons: found.map(([, , reason]) => reason),
    differences: [
      ...differencesOfMoney(money, payment.money),
      ...(payment.by === undefined ? ['it names no reference of the payment'] : []),
      ...(!isAccount && isKnown(details.partyAccount, persons, 'accountNumber')
        ? ['it comes from another account than the payment names']
        : []),
      ...(!isName && isKnown(details.partyName, persons, 'accountName')
        ? ['the payer has another name than the payment names']
        : []),
      ...(status === 'CREATED' ? [] : [`the payment is ${status}`]),
    ],
  }
}

function differencesOfMoney(came: Money, asked: Money): readonly string[] {
  const { amount, currencyCode } = asked
  if (came.currencyCode !== currencyCode) return [`${currencyCode} was asked for`]
  const gap = subtractAmounts(came.amount, amount)
  if (gap === ZERO) return []
  return gap.startsWith('-')
    ? [`${gap.slice(1)} ${currencyCode} less than asked for`]
    : [`${gap} ${currencyCode} more than asked for`]
}

/** Both sides say something, so that it can differ. */
const isKnown = (
  said: string | undefined,
  persons: readonly PersonalData[],
  member: 'accountName' | 'accountNumber',
): boolean => Boolean(said) && persons.some((person) => Boolean(person[member]))

function isAlike(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false
  const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  return bare(one) !== '' && bare(one) === bare(other)
}
