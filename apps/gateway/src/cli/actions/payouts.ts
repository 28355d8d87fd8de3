import { rawAmount } from '@tollgate/money'
import { createMerchantDirectory, findMerchantCode } from '../../modules/merchants/index.ts'
import type { Operator } from '../../modules/operators/index.ts'
import { findVerifications } from '../../modules/payout-files/index.ts'
import {
  APPROVALS_NEEDED,
  type ApprovalService,
  createApprovalService,
  createPayoutPolicies,
  type OutgoingView,
  type PayeeView,
  presentPayee,
} from '../../modules/payouts/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { Refusal } from '../../platform/refusal.ts'
import { CommandFailure } from '../failure.ts'
import { type House, inHouse } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'
import { servicePayments } from './payments.ts'

const HASH_DIGITS_SHOWN = 12

/** A payout unless the option says settlement. */
interface KindWish {
  readonly settlement?: true
}

const kindOf = ({ settlement }: KindWish): Order['kind'] => (settlement === true ? 'SETTLEMENT' : 'PAYOUT')

interface ListWish extends KindWish {
  readonly merchant?: string
  readonly awaitingApproval?: true
  readonly onHold?: true
  readonly limit: number
}

function waitingOf({ awaitingApproval, onHold }: ListWish) {
  if (onHold === true) return 'ON_HOLD'
  return awaitingApproval === true ? 'AWAITING_APPROVAL' : undefined
}

/** `tollgate payouts list`. */
export function list(shell: Shell, wish: ListWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { items } = await orExplain(
      approvalsOf(shell, house).list({
        kind: kindOf(wish),
        merchantCode: wish.merchant,
        waiting: waitingOf(wish),
        after: undefined,
        limit: wish.limit,
      }),
      `There is no merchant ${wish.merchant}.`,
    )
    return { json: items.map(present), text: payoutTable(items) }
  })
}

interface DecisionWish extends KindWish {
  readonly merchant: string
  readonly id: string
  readonly content: string
}

/** `tollgate payouts approve`. */
export function approve(
  shell: Shell,
  wish: DecisionWish & { readonly reason?: string },
  options: OperatorOptions,
): Promise<Report> {
  return decide(shell, wish, {
    options,
    decide: (approvals, order) => approvals.approve({ ...order, reason: wish.reason }),
  })
}

/** `tollgate payouts reject`. */
export function reject(
  shell: Shell,
  wish: DecisionWish & { readonly reason: string },
  options: OperatorOptions,
): Promise<Report> {
  return decide(shell, wish, {
    options,
    decide: (approvals, order) => approvals.reject({ ...order, reason: wish.reason }),
  })
}

/** `tollgate payouts payee`. */
export function payee(
  shell: Shell,
  wish: KindWish & { readonly merchant: string; readonly id: string },
  options: OperatorOptions,
): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'payouts.unmask',
    work: async (house, operator) => {
      const order = { kind: kindOf(wish), merchantCode: wish.merchant, idPayment: wish.id } as const
      const view = await orExplain(
        approvalsOf(shell, house).showPayee({ ...order, operatorCode: operator.code }),
        `${wish.merchant} has no ${kindOf(wish).toLowerCase()} ${wish.id}.`,
      )
      return { json: presentPayee(view), text: describePayee(view) }
    },
  })
}

function describePayee(view: PayeeView): string {
  const { payment, payee: person, history, isBlocked } = view
  return pairs([
    [payment.kind === 'SETTLEMENT' ? 'Settlement' : 'Payout', `${payment.idPayment} of ${view.merchantCode}`],
    ['Money', `${payment.money.amount} ${payment.money.currencyCode}`],
    ['Name', person?.accountName],
    ['Account', person?.accountNumber],
    ['Bank', person?.bankCode],
    ['E-mail', person?.emailAddress],
    ['Block-list', isBlocked ? 'the payee is on it' : undefined],
    ['Waits for', view.waitsBecause.join(' ')],
    ...ruleRows(view),
    ...history.map(historyRow),
    ['Verification of payee', verificationText(view.verifications.ofPayment)],
    ['Verified before', verificationText(view.verifications.ofOthers)],
    ['Content', view.contentHash.slice(0, HASH_DIGITS_SHOWN)],
  ])
}

function verificationText(given: PayeeView['verifications']['ofPayment']): string | undefined {
  if (given === undefined) return undefined
  const { result, statusCode, level, kind, idPayment, reportId, takenBy, confirmedBy, receivedAt } = given
  const of = level === 'TRANSACTION' ? '' : ', of its whole file'
  const by = [takenBy, confirmedBy].filter(Boolean).join(' and ')
  return `${result} (${statusCode}${of}) for ${kind.toLowerCase()} ${idPayment}; report ${reportId} of ${moment(receivedAt)}, by ${by}`
}

type Row = readonly [string, string | undefined]

function ruleRows({ rule, payment }: PayeeView): readonly Row[] {
  if (rule === undefined) return []
  const { currencyCode } = payment.money
  return [
    ['Rule: amount', rule.amountFrom && `from ${rule.amountFrom} ${currencyCode}`],
    ['Rule: payee', rule.newBeneficiary ? 'never paid before' : undefined],
    ['Rule: day', rule.dailySumFrom && `from ${rule.dailySumFrom} ${currencyCode} in all`],
  ]
}

function historyRow({
  currencyCode,
  paid,
  amount,
  returned,
  open,
  ...times
}: PayeeView['history'][number]): Row {
  const { firstAt, lastAt } = times
  const when = firstAt && lastAt ? `; from ${moment(firstAt)} to ${moment(lastAt)}` : ''
  const counts = `${paid} times, ${amount} in all; sent back ${returned} times; open ${open}`
  return [`Paid in ${currencyCode}`, `${counts}${when}`]
}

interface HoldWish {
  readonly kind: 'payout' | 'settlement'
  readonly merchant: string
  readonly id: string
  readonly reason: string
}

const HOLD_PERMISSIONS = {
  hold: 'payments.hold',
  release: 'payments.release',
  cancel: 'payments.release',
} as const

/** `tollgate payments hold`, `release` and `cancel`. */
export function changeHold(
  shell: Shell,
  action: keyof typeof HOLD_PERMISSIONS,
  given: { readonly wish: HoldWish; readonly options: OperatorOptions },
): Promise<Report> {
  const { wish, options } = given
  return withOperator(shell, {
    options,
    permission: HOLD_PERMISSIONS[action],
    work: async (house, operator) => {
      const order = {
        kind: wish.kind === 'settlement' ? 'SETTLEMENT' : 'PAYOUT',
        merchantCode: wish.merchant,
        idPayment: wish.id,
        operatorCode: operator.code,
        reason: wish.reason,
      } as const
      const view = await orExplain(
        approvalsOf(shell, house)[action](order),
        `${wish.merchant} has no ${wish.kind} ${wish.id}.`,
      )
      return { json: present(view), text: describe(view) }
    },
  })
}

type Order = Omit<Parameters<ApprovalService['approve']>[0], 'reason'>

function decide(
  shell: Shell,
  wish: DecisionWish,
  how: {
    readonly options: OperatorOptions
    readonly decide: (approvals: ApprovalService, order: Order) => Promise<OutgoingView>
  },
): Promise<Report> {
  return withOperator(shell, {
    options: how.options,
    permission: 'payouts.approve',
    work: async (house: House, operator: Operator) => {
      const order = {
        kind: kindOf(wish),
        merchantCode: wish.merchant,
        idPayment: wish.id,
        operatorCode: operator.code,
        contentHash: wish.content,
      }
      const view = await orExplain(
        how.decide(approvalsOf(shell, house), order),
        `${wish.merchant} has no ${kindOf(wish).toLowerCase()} ${wish.id}.`,
      )
      return { json: present(view), text: describe(view) }
    },
  })
}

function approvalsOf(shell: Shell, house: House): ApprovalService {
  const changes = watchConfiguration({ ...house, clock: shell.clock })
  return createApprovalService({
    ...house,
    payments: servicePayments(shell, house),
    policies: createPayoutPolicies({ ...house, changes }),
    merchants: createMerchantDirectory({ ...house, changes }),
    merchantCodeOf: (merchantId) => findMerchantCode(house.db, merchantId),
    verificationsOf: findVerifications.bind(undefined, house.db),
    // The workers find it by polling, within a second.
    wakeWorker: () => undefined,
  })
}

const FAILURES = new Map([
  [406, 'REFUSED'],
  [409, 'CONFLICT'],
] as const)

/** A refusal as a sentence with its exit code. */
async function orExplain<Result>(work: Promise<Result>, whenMissing: string): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 410) throw new CommandFailure('NOT_FOUND', whenMissing)
    const kind = error.status === 406 || error.status === 409 ? FAILURES.get(error.status) : undefined
    if (kind === undefined) throw error
    throw new CommandFailure(kind, error.details.items?.[0]?.message ?? error.message)
  }
}

function present(view: OutgoingView): Record<string, unknown> {
  const { payment, account } = view
  const { money, fee } = payment
  return {
    merchantCode: view.merchantCode,
    kind: payment.kind,
    idPayout: payment.idPayment,
    status: payment.status,
    processorStatus: payment.processorStatus,
    money: { amount: rawAmount(money.amount), currencyCode: money.currencyCode },
    fee: { amount: rawAmount(fee.amount), currencyCode: fee.currencyCode },
    paymentMethodCode: payment.methodCode,
    paymentOperatorCode: payment.operatorCode ?? null,
    account: account ?? null,
    contentHash: view.contentHash.slice(0, HASH_DIGITS_SHOWN),
    waitsBecause: view.waitsBecause,
    requestedBy: view.requestedBy ?? null,
    approvals: view.approvals.map(({ operatorCode, reason, decidedAt }) => ({
      operatorCode,
      reason: reason ?? null,
      decidedAt,
    })),
    approvalsNeeded: APPROVALS_NEEDED,
    holds: view.holds.map(({ event, cause, operatorCode, reason, happenedAt }) => ({
      event,
      cause: cause ?? null,
      operatorCode: operatorCode ?? null,
      reason,
      happenedAt,
    })),
    createdAt: payment.createdAt,
    expireAt: payment.expireAt,
  }
}

const moneyText = ({ payment }: OutgoingView): string =>
  `${payment.money.amount} ${payment.money.currencyCode}`

const approversText = ({ approvals }: OutgoingView): string =>
  approvals.length === 0 ? 'nobody yet' : approvals.map(({ operatorCode }) => operatorCode).join(' ')

/** Who stopped it and why; undefined when it is not on hold. */
function holdText({ payment, holds }: OutgoingView): string | undefined {
  const last = holds.at(-1)
  if (payment.processorStatus !== 'ON_HOLD' || last === undefined) return undefined
  return `by ${last.operatorCode ?? 'the gateway'}: ${last.reason}`
}

const waitsText = ({ payment, holds, waitsBecause }: OutgoingView): string =>
  payment.processorStatus === 'ON_HOLD' ? (holds.at(-1)?.cause ?? '') : waitsBecause.join(' ')

function payoutTable(views: readonly OutgoingView[]): string {
  return table(
    ['MERCHANT', 'PAYOUT', 'MONEY', 'ACCOUNT', 'STATUS', 'WAITS FOR', 'APPROVED BY', 'CONTENT', 'UNTIL'],
    views.map((view) => [
      view.merchantCode,
      view.payment.idPayment,
      moneyText(view),
      view.account?.accountNumber ?? '',
      `${view.payment.status} (${view.payment.processorStatus})`,
      waitsText(view),
      view.waitsBecause.length === 0 ? '' : approversText(view),
      view.contentHash.slice(0, HASH_DIGITS_SHOWN),
      moment(view.payment.expireAt),
    ]),
    'No payout.',
  )
}

function describe(view: OutgoingView): string {
  const { payment, account } = view
  return pairs([
    [payment.kind === 'SETTLEMENT' ? 'Settlement' : 'Payout', `${payment.idPayment} of ${view.merchantCode}`],
    ['Status', `${payment.status} (${payment.processorStatus})`],
    ['Money', moneyText(view)],
    ['Account', account?.accountNumber],
    ['Waits for', view.waitsBecause.join(' ')],
    ['On hold', holdText(view)],
    ['Approved by', `${approversText(view)}; ${APPROVALS_NEEDED} are needed`],
    ['Failure', payment.failure && `${payment.failure.code}: ${payment.failure.message}`],
  ])
}
