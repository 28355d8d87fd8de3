import { type Amount, fractionDigits, type Money, parsePlainAmount } from '@tollgate/money'
import { maskNamedAccount } from '@tollgate/payment-codes'
import type { Database } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type CatalogueService, judgePayment } from '../catalogue/index.ts'
import type { RateService } from '../rates/index.ts'
import { readAccount, sealAccount } from './account.ts'
import { listAccounts, type StoredAccount, upsertAccount } from './account-store.ts'
import {
  type AdvancedMs,
  findAheadMs,
  listCycles,
  readMerchantNow,
  readNow,
  type SettlementCycle,
  upsertCycle,
} from './cycle-store.ts'
import { SettlementProblem } from './errors.ts'
import type { CycleKey, ItemSum, Settlement, SettlementItem, SettlementKey } from './model.ts'
import { type RunDeps, type RunOutcome, runPeriod, tryPeriods } from './run.ts'
import { type CycleRule, overdue } from './schedule.ts'
import { findSettlement, listItemSums, listItems, listSettlements, type SettlementFilter } from './store.ts'

export type { SettlementCycle } from './cycle-store.ts'

interface AdministrationDeps {
  readonly db: Database
  readonly secrets: Secrets
  /** Started. */
  readonly catalogue: CatalogueService
  /** Started. */
  readonly rates: Pick<RateService, 'current'>
  /** By how much the merchant’s clock is ahead; undefined in live, where none is. */
  readonly advancedMs?: AdvancedMs | undefined
}

interface CycleSetting extends CycleKey {
  readonly rule: CycleRule
  readonly minimum: Amount | undefined
  readonly settleIn: { readonly currencyCode: string; readonly listCode: string } | undefined
}

interface AccountSetting extends CycleKey {
  readonly methodCode: string
  readonly operatorCode: string | undefined
  /** From JSON. */
  readonly account: unknown
  /** Who sets it by the operator API. */
  readonly setBy: string | undefined
}

/** What an operator sees of a registered account. */
export type AccountView = Pick<
  StoredAccount,
  'currencyCode' | 'methodCode' | 'operatorCode' | 'maskedNumber' | 'setBy' | 'updatedAt'
>

/** What operators do with settlements. Every method throws SettlementProblem with one clear sentence. */
export interface SettlementAdministration {
  /** Its periods begin now; what was earned before is in the first one. It is due by the merchant's clock, as those that are listed. */
  setCycle(setting: CycleSetting): Promise<SettlementCycle>
  /** Replaces the account; settlements under way keep theirs. */
  setAccount(setting: AccountSetting): Promise<AccountView>
  listCycles(merchantId: string): Promise<readonly SettlementCycle[]>
  listAccounts(merchantId: string): Promise<readonly AccountView[]>
  list(filter: SettlementFilter): Promise<readonly Settlement[]>
  show(merchantId: string, idSettlement: string): Promise<Settlement>
  /** What a settlement of a cycle consists of, in the order of the bookings, and what it adds up to by type. */
  listItems(
    key: SettlementKey,
    order: { readonly after: string | undefined; readonly limit: number },
  ): Promise<readonly SettlementItem[]>
  sumItems(key: SettlementKey): Promise<readonly ItemSum[]>
}

export function createSettlementAdministration(deps: AdministrationDeps): SettlementAdministration {
  const { db } = deps
  return {
    setCycle: (setting) => setCycle(deps, setting),
    setAccount: (setting) => setAccount(deps, setting),
    async listCycles(merchantId) {
      const aheadMs = await findAheadMs(deps, merchantId)
      const cycles = await listCycles(db, { merchantId, limit: CYCLES_MAX })
      return cycles.map((cycle) => byClockOf(cycle, aheadMs))
    },
    listAccounts: async (merchantId) => (await listAccounts(db, merchantId)).map(viewOf),
    list: (filter) => listSettlements(db, filter),
    async show(merchantId, idSettlement) {
      const found = await findSettlement(db, { merchantId, idSettlement })
      if (found === undefined)
        throw new SettlementProblem(`The merchant has no settlement ${idSettlement}.`, 'NOT_FOUND')
      return found
    },
    listItems: (key, order) => listItems(db, { ...key, ...order }),
    sumItems: (key) => listItemSums(db, key),
  }
}

async function setCycle(deps: AdministrationDeps, setting: CycleSetting): Promise<SettlementCycle> {
  const { currencyCode, rule, minimum, settleIn } = setting
  const { minorUnits } = currencyOf(deps, currencyCode)
  if (minimum !== undefined && fractionDigits(minimum) > minorUnits)
    throw new SettlementProblem(`An amount of ${currencyCode} has at most ${minorUnits} decimals.`).about(
      'minimum',
    )
  if (settleIn !== undefined) {
    currencyOf(deps, settleIn.currencyCode, 'settleIn.currencyCode')
    if (settleIn.currencyCode === currencyCode)
      throw new SettlementProblem(`${currencyCode} is settled in ${currencyCode} without a rate list.`).about(
        'settleIn.currencyCode',
      )
    if (!deps.rates.current().lists.has(settleIn.listCode))
      throw new SettlementProblem(`There is no rate list ${settleIn.listCode} in use.`, 'NOT_FOUND').about(
        'settleIn.rateListCode',
      )
  }
  const { nowMs, aheadMs } = await readMerchantNow(deps, setting.merchantId)
  const { nextDueMs } = overdue(rule, { afterMs: nowMs, nowMs, endsMax: 0 })
  const dueAt = new Date(nextDueMs - aheadMs)
  return byClockOf(await upsertCycle(deps.db, { ...setting, since: new Date(nowMs), dueAt }), aheadMs)
}

/** Workers go by the database's clock; people are shown the merchant's alone, by which its periods end. */
const byClockOf = (cycle: SettlementCycle, aheadMs: number): SettlementCycle => ({
  ...cycle,
  dueAt: new Date(cycle.dueAt.getTime() + aheadMs),
})

function currencyOf(
  { catalogue }: AdministrationDeps,
  currencyCode: string,
  field = 'currencyCode',
): { readonly minorUnits: number } {
  const currency = catalogue.current().currencies.get(currencyCode)
  if (currency !== undefined) return currency
  throw new SettlementProblem(`The currency ${currencyCode} is not known.`, 'NOT_FOUND').about(field)
}

/** An amount of which nothing is asked: only what an operator can mend of the account counts. */
const PROBE: Amount = parsePlainAmount('1')
const AMOUNT_CODES: ReadonlySet<string> = new Set([
  'AMOUNT_BELOW_MINIMUM',
  'AMOUNT_ABOVE_MAXIMUM',
  'AMOUNT_PRECISION_INVALID',
])

async function setAccount(deps: AdministrationDeps, setting: AccountSetting): Promise<AccountView> {
  const { merchantId, currencyCode, methodCode, operatorCode } = setting
  const reading = readAccount(setting.account)
  if (!reading.ok) throw new SettlementProblem(reading.problem).about('account')
  const { data } = reading
  const money: Money = { amount: PROBE, currencyCode }
  const judged = judgePayment(deps.catalogue.current(), await deps.catalogue.termsOf(merchantId), {
    direction: 'PAYOUT',
    money,
    methodCode,
    operatorCode,
    agreedFee: money,
    account: data,
    emailAddress: data.emailAddress,
  })
  const faults = judged.ok ? [] : judged.items.filter(({ code }) => !AMOUNT_CODES.has(code))
  if (faults.length > 0)
    throw new SettlementProblem(faults.map(({ message }) => message).join(' ')).about(
      fieldOf(faults[0]?.field),
    )
  return storeAccount(deps, { ...setting, account: data })
}

/** What a payment calls it, as the setting does. */
function fieldOf(name = 'paymentMethod.paymentMethodCode'): string {
  return name.endsWith('.currencyCode') ? 'currencyCode' : name.replace('paymentMethod.', '')
}

const NOTHING_SHOWN = '…'

interface BankedAccount {
  readonly accountNumber: string
  readonly bankCode?: string
}

/** Stores an account that is known to be right. */
export async function storeAccount(
  { db, secrets }: Pick<AdministrationDeps, 'db' | 'secrets'>,
  { account, ...setting }: AccountSetting & { readonly account: BankedAccount },
): Promise<AccountView> {
  const { accountNumber, bankCode } = account
  const { operatorCode, currencyCode } = setting
  const masked = maskNamedAccount({ accountNumber, bankCode, operatorCode, currencyCode })
  const maskedNumber = masked?.accountNumber ?? NOTHING_SHOWN
  await upsertAccount(db, { ...setting, maskedNumber, ...sealAccount(secrets, setting, account) })
  const found = (await listAccounts(db, setting.merchantId)).find(
    ({ currencyCode }) => currencyCode === setting.currencyCode,
  )
  if (found === undefined) throw new Error('an account that was stored is not there')
  return viewOf(found)
}

/** Never what opens it. */
const viewOf = ({
  currencyCode,
  methodCode,
  operatorCode,
  maskedNumber,
  setBy,
  updatedAt,
}: StoredAccount): AccountView => ({
  currencyCode,
  methodCode,
  operatorCode,
  maskedNumber,
  setBy,
  updatedAt,
})

/** Which periods a person has run. */
export interface RunOrder {
  readonly merchantId: string | undefined
  readonly currencyCode: string | undefined
  /** The end of the one period to run; undefined: the periods that are due. `NOW`: until this moment. */
  readonly until: Date | 'NOW' | undefined
  readonly isDry: boolean
}

/** What became of a cycle's periods, in their order. */
export interface CycleRun {
  readonly cycle: SettlementCycle
  readonly periods: readonly { readonly to: Date; readonly outcome: RunOutcome }[]
}

const CYCLES_MAX = 10_000
const PERIODS_MAX = 100

/** Runs periods of the cycles now, at a person's wish. Throws SettlementProblem for a moment in the future. */
export async function runCycles(deps: RunDeps, order: RunOrder): Promise<readonly CycleRun[]> {
  const { merchantId, currencyCode, until, isDry } = order
  const now = await readNow(deps.db)
  const nowOf = async (id: string): Promise<Date> => new Date(now.getTime() + (await findAheadMs(deps, id)))
  if (until instanceof Date && until > (merchantId === undefined ? now : await nowOf(merchantId)))
    throw new SettlementProblem('until lies in the future.').about('until')
  const runs: CycleRun[] = []
  for (const cycle of await listCycles(deps.db, { merchantId, currencyCode, limit: CYCLES_MAX })) {
    const ends = endsOf(cycle, until, await nowOf(cycle.merchantId))
    const outcomes = isDry ? await tryPeriods(deps, cycle, ends) : await runPeriods(deps, cycle, ends)
    const periods = outcomes.flatMap((outcome, index) => {
      const to = ends[index]
      return to === undefined ? [] : [{ to, outcome }]
    })
    runs.push({ cycle, periods })
  }
  return runs
}

function endsOf(cycle: SettlementCycle, until: RunOrder['until'], now: Date): readonly Date[] {
  if (until !== undefined) return [until === 'NOW' ? now : until]
  const afterMs = (cycle.runUntil ?? cycle.since).getTime()
  const { endsMs } = overdue(cycle.rule, { afterMs, nowMs: now.getTime(), endsMax: PERIODS_MAX })
  return endsMs.map((endMs) => new Date(endMs))
}

async function runPeriods(
  deps: RunDeps,
  key: CycleKey,
  ends: readonly Date[],
): Promise<readonly RunOutcome[]> {
  const outcomes: RunOutcome[] = []
  for (const to of ends) {
    const outcome = await runPeriod(deps, key, to)
    outcomes.push(outcome)
    if (outcome.kind === 'WAITS') break
  }
  return outcomes
}
