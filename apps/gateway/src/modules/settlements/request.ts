import type { SettlementRequest } from '@tollgate/contract'
import { compareAmounts, isPositive, type Money, parsePlainAmount, ZERO } from '@tollgate/money'
import type { Clock } from '@tollgate/runtime'
import type { Caller } from '../../http/app-type.ts'
import { confirmSeen } from '../../platform/confirm-seen.ts'
import { type Database, resolveUnknown, type Tx } from '../../platform/database.ts'
import { invalidField, Refusal, type RejectionItem } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createBalanceService } from '../ledger/index.ts'
import {
  type CreateOrder,
  type Intake,
  type NewPayment,
  type PaymentRequest,
  readMoney,
} from '../payments/index.ts'
import {
  findKnownBeneficiary,
  isPayeeBlocked,
  type PayoutPolicies,
  type PayoutRule,
  requestApproval,
  type WaitReason,
  waitsForCredential,
} from '../payouts/index.ts'
import { openAccount } from './account.ts'
import { findAccount, type StoredAccount } from './account-store.ts'
import { accountMissing, duplicateOf, inOwnWords, nothingAvailable } from './errors.ts'
import type { Settlement, SettlementKey } from './model.ts'
import { findSettlement, insertSettlement } from './store.ts'

export interface RequestDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly secrets: Secrets
  readonly intake: Pick<Intake, 'create'>
  readonly policies: PayoutPolicies
  /** Settlements to an account that one operator set wait until people approved one. */
  readonly needsSecondPerson: boolean
}

/** What a merchant asks for. */
interface Asked {
  readonly idSettlement: string
  readonly body: SettlementRequest
}

/**
 * Holds available money and pays it out to the merchant's registered account. Throws 400 for what is no money,
 * MONEY_NOT_PERMITTED, ENTITY_DUPLICATED, and then the reasons of a 406.
 */
export async function requestSettlement(
  deps: RequestDeps,
  caller: Caller,
  { idSettlement, body }: Asked,
): Promise<Settlement> {
  const { currencyCode, money } = readBody(caller, body)
  const { merchantId } = caller
  const key = { merchantId, idSettlement }
  const canonical = JSON.stringify([merchantId, idSettlement, currencyCode, money?.amount ?? null])
  const digest = deps.secrets.digest('request-digest', `settlement ${canonical}`)
  await refuseDuplicate(deps, key, digest)
  const account = await findAccount(deps.db, { merchantId, currencyCode })
  if (account === undefined) throw accountMissing(currencyCode)
  const target = { key, digest, account }
  try {
    if (money === undefined) await payAllOut(deps, caller, target)
    else await payOut(deps, caller, { ...target, money })
  } catch (error) {
    // What is missing may have gone to this very request, sent a moment before.
    if (error instanceof Refusal) await refuseDuplicate(deps, key, digest)
    throw error
  }
  const settlement = await find(deps, key)
  if (settlement === undefined) throw new Error('a settlement that was accepted is not there')
  return settlement
}

interface ReadBody {
  readonly currencyCode: string
  /** Undefined: everything that is available. */
  readonly money: Money | undefined
}

function readBody(caller: Caller, { money: wire, currencyCode }: SettlementRequest): ReadBody {
  if (wire === undefined) {
    if (currencyCode === undefined)
      throw invalidField('currencyCode', 'is required where there is no money', 'ATTRIBUTE_REQUIRED')
    // Nobody knows yet how much it will be, so a token for one amount cannot permit it.
    if (caller.money !== undefined) throw new Refusal('MONEY_NOT_PERMITTED')
    return { currencyCode, money: undefined }
  }
  if (currencyCode !== undefined && currencyCode !== wire.currencyCode)
    throw invalidField('currencyCode', 'differs from money.currencyCode')
  const money = readMoney(caller, wire, 'money')
  return { currencyCode: money.currencyCode, money }
}

const find = ({ db, clock }: RequestDeps, key: SettlementKey): Promise<Settlement | undefined> =>
  resolveUnknown(clock, () => findSettlement(db, key))

/** Goes before business rules: a repeat of an accepted request must never hear that it could not be made. */
async function refuseDuplicate(deps: RequestDeps, key: SettlementKey, digest: Buffer): Promise<void> {
  if ((await find(deps, key)) === undefined) return
  const existing = await resolveUnknown(deps.clock, () =>
    confirmSeen(deps.db, (tx) => findSettlement(tx, key)),
  )
  if (existing !== undefined) throw duplicateOf(existing, digest)
}

/** Who is paid, and for which request. */
interface Target {
  readonly key: SettlementKey
  readonly digest: Buffer
  readonly account: StoredAccount
}
interface Wanted extends Target {
  readonly money: Money
}

const AMOUNT_TRIES_MAX = 3

/** The amount is read again when somebody else spends at the same time. */
async function payAllOut(deps: RequestDeps, caller: Caller, target: Target): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const money = await allAvailable(deps, target.account)
    try {
      await payOut(deps, caller, { ...target, money })
      return
    } catch (error) {
      const mayHelp = error instanceof Refusal && error.code === 'BALANCE_INSUFFICIENT'
      if (!mayHelp || tries === AMOUNT_TRIES_MAX) throw error
    }
  }
}

async function allAvailable({ db }: RequestDeps, account: StoredAccount): Promise<Money> {
  const { merchantId, currencyCode } = account
  const [balance] = await createBalanceService({ db }).list(merchantId, [currencyCode])
  if (balance === undefined || !isPositive(balance.available)) throw nothingAvailable(currencyCode)
  return { amount: balance.available, currencyCode }
}

/** Refusals are in the words of the merchant's request. */
async function payOut(deps: RequestDeps, caller: Caller, wanted: Wanted): Promise<void> {
  try {
    await createPayment(deps, caller, wanted)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw inOwnWords(error)
  }
}

/** A payment of the kind SETTLEMENT, whose row here is written in the transaction that accepts it. */
async function createPayment(deps: RequestDeps, caller: Caller, wanted: Wanted): Promise<void> {
  const { key, money } = wanted
  const order: CreateOrder = {
    caller,
    key: { merchantId: key.merchantId, kind: 'SETTLEMENT', idPayment: key.idSettlement },
    direction: 'PAYOUT',
    request: payoutOf(deps, wanted),
    fee: { ...money, amount: ZERO },
  }
  const terms = await outgoingTerms(deps, order, wanted.account)
  await deps.intake.create({
    ...order,
    ...terms,
    async prepare(tx, payment) {
      await insertRequested(tx, wanted, payment)
      return terms.prepare?.(tx, payment) ?? payment
    },
  })
}

function payoutOf({ secrets }: RequestDeps, { money, account }: Wanted): PaymentRequest {
  const { accountName, accountNumber, bankCode, emailAddress } = openAccount(secrets, account)
  return {
    money,
    methodCode: account.methodCode,
    operatorCode: account.operatorCode,
    emailAddress,
    account: { accountName, accountNumber, bankCode },
    segmentCode: undefined,
    idCustomer: undefined,
    callbackUrl: undefined,
    returnUrl: undefined,
    returnUrlAsSent: undefined,
  }
}

async function insertRequested(tx: Tx, { key, digest, account }: Wanted, payment: NewPayment): Promise<void> {
  const amount = parsePlainAmount(payment.amount)
  const { methodCode, operatorCode, maskedNumber } = account
  const inserted = await insertSettlement(tx, {
    ...key,
    kind: 'REQUESTED',
    currencyCode: payment.currencyCode,
    period: undefined,
    gross: amount,
    fees: ZERO,
    adjustments: ZERO,
    net: amount,
    repaid: ZERO,
    conversion: undefined,
    account: { methodCode, operatorCode, maskedNumber },
    reference: payment.reference,
    requestDigest: digest,
  })
  if (inserted !== undefined) return
  const existing = await findSettlement(tx, key)
  // One that was requested is a payment as well, which the intake finds and compares.
  if (existing?.kind === 'CYCLE') throw duplicateOf(existing, digest)
}

/**
 * What the house has agreed about a merchant's payouts applies to what it is settled, too: block-lists, and when people
 * have to approve. A rule that counts or looks back lets every settlement wait. An account that one operator set may be their
 * own, so settlements to it wait, whatever the rules say, until people approved one to it.
 */
async function outgoingTerms(
  { policies, secrets, needsSecondPerson }: Omit<RequestDeps, 'db' | 'clock' | 'intake'>,
  { caller, key, request }: Pick<CreateOrder, 'caller' | 'key' | 'request'>,
  { setBy }: Pick<StoredAccount, 'setBy'>,
): Promise<Pick<CreateOrder, 'stop' | 'judge' | 'prepare'>> {
  const policy = await policies.of(key.merchantId)
  const known = [
    ...reasonsBy(policy.rules.get(request.money.currencyCode), request),
    ...waitsForCredential(caller),
  ]
  return {
    stop: policy.stopOf(key),
    judge: (accepted) => (isPayeeBlocked(secrets, policy, { request, accepted }) ? [BLOCKED] : []),
    async prepare(tx, payment) {
      const isNew = needsSecondPerson && setBy !== undefined && !(await findKnownBeneficiary(tx, payment))
      const reasons: readonly WaitReason[] = isNew ? [...known, 'NEW_SETTLEMENT_ACCOUNT'] : known
      return reasons.length === 0
        ? payment
        : requestApproval(tx, payment, { reasons, requestedBy: undefined })
    },
  }
}

const BLOCKED: RejectionItem = {
  code: 'BENEFICIARY_BLOCKED',
  message: 'Your registered account is on the block-list.',
}

function reasonsBy(rule: PayoutRule | undefined, { money }: CreateOrder['request']): readonly WaitReason[] {
  if (rule === undefined) return []
  if (rule.amountFrom !== undefined && compareAmounts(money.amount, rule.amountFrom) >= 0) return ['AMOUNT']
  return rule.newBeneficiary || rule.dailySumFrom !== undefined ? ['SETTLEMENT'] : []
}
