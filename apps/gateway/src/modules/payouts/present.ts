import { type Answer, CONTENT_HASH_DIGITS, type PayeeSchema } from '@tollgate/contract'
import { type Amount, parsePlainAmount } from '@tollgate/money'
import { type PayeeHistory, presentMoney } from '../payments/index.ts'
import type { PayeeView, Verification } from './payees.ts'

type Payee = Answer<typeof PayeeSchema>

/** A payee as approvers see it. */
export function presentPayee(view: PayeeView): Payee {
  const { payment, payee, rule } = view
  const { currencyCode } = payment.money
  const { ofPayment, ofOthers } = view.verifications
  const { emailAddress, ...account } = payee ?? {}
  const money = (amount: Amount) => presentMoney({ amount, currencyCode })
  return {
    merchantCode: view.merchantCode,
    kind: payment.kind,
    idPayout: payment.idPayment,
    contentHash: view.contentHash.slice(0, CONTENT_HASH_DIGITS),
    ...(Object.keys(account).length > 0 && { account }),
    ...(emailAddress !== undefined && { emailAddress }),
    waitsBecause: view.waitsBecause,
    ...(rule !== undefined && {
      rule: {
        ...(rule.amountFrom !== undefined && { amountFrom: money(rule.amountFrom) }),
        newBeneficiary: rule.newBeneficiary,
        ...(rule.dailySumFrom !== undefined && { dailySumFrom: money(rule.dailySumFrom) }),
      },
    }),
    history: presentHistory(view.history),
    ...(ofPayment !== undefined && { verification: presentVerification(ofPayment) }),
    ...(ofOthers !== undefined && { earlierVerification: presentVerification(ofOthers) }),
    isBlocked: view.isBlocked,
  }
}

function presentVerification(given: Verification): Payee['verification'] {
  const { idPayment: idPayout, reportId, fileId, confirmedBy, receivedAt, ...rest } = given
  return {
    ...rest,
    idPayout,
    ...(reportId !== undefined && { reportId }),
    ...(fileId !== undefined && { fileId }),
    ...(confirmedBy !== undefined && { confirmedBy }),
    receivedAt: receivedAt.toISOString(),
  }
}

function presentHistory(history: readonly PayeeHistory[]): Payee['history'] {
  const count = (of: 'paid' | 'returned' | 'open'): number => history.reduce((sum, each) => sum + each[of], 0)
  const times = history.flatMap(({ firstAt, lastAt }) => [firstAt, lastAt].filter((at) => at !== undefined))
  times.sort((a, b) => a.getTime() - b.getTime())
  const [first, last] = [times.at(0), times.at(-1)]
  return {
    paidCount: count('paid'),
    returnedCount: count('returned'),
    openCount: count('open'),
    paidMoney: history
      .filter(({ paid }) => paid > 0)
      .map(({ amount, currencyCode }) => presentMoney({ amount: parsePlainAmount(amount), currencyCode })),
    ...(first !== undefined && { firstPaidAt: first.toISOString() }),
    ...(last !== undefined && { lastPaidAt: last.toISOString() }),
  }
}
