import { type Amount, fractionDigits, isPositive, parseAmount } from '@tollgate/money'
import { payeesOfLine } from '@tollgate/payment-codes'
import type { Database } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type CatalogueService, SettingInvalid } from '../catalogue/index.ts'
import { digestPayee, formerDigestOf } from '../payments/index.ts'
import {
  type BlockedAccount,
  type BlockRow,
  countBlocked,
  deleteBlocks,
  digestText,
  insertBlocks,
  listBlocks,
} from './block-store.ts'
import { BLOCKED_ACCOUNTS_MAX, HOUSE_ID, needsDatabase, type PayoutRule } from './model.ts'
import { beginDailySum, deleteRule, listRules, upsertRule } from './rule-store.ts'

export type { BlockedAccount } from './block-store.ts'

/** A merchant's rule for a currency. Amounts are plain texts; what is left out makes no payout wait. */
interface RuleSetting {
  readonly merchantId: string
  readonly currencyCode: string
  readonly amountFrom?: string | undefined
  readonly newBeneficiary?: boolean | undefined
  readonly dailySumFrom?: string | undefined
}

/** Accounts of a block-list; without a merchant it is the house's. */
interface BlockSetting {
  readonly merchantId: string | undefined
  /** Lines as people write them: an account, or `account;bank code or payment operator`. */
  readonly accountNumbers: readonly string[]
}

/** How many accounts one call may name. */
const ACCOUNTS_PER_CALL_MAX = 10_000
const NOTE_CHARACTERS_MAX = 250
const ACCOUNT_CHARACTERS_MAX = 140

/** What an operator sets about payouts. Each function throws {@link SettingInvalid} for what cannot be right. */
export interface PayoutSettings {
  /** Replaces the rule of a currency; one that makes nothing wait is taken away. */
  setRule(setting: RuleSetting): Promise<PayoutRule>
  /** By currency. */
  listRules(merchantId: string): Promise<ReadonlyMap<string, PayoutRule>>
  /** Nobody pays to the accounts any more. Answers how many were not on the list before. */
  block(setting: BlockSetting & { readonly note?: string | undefined; readonly by: string }): Promise<number>
  /** Answers how many were on the list. */
  unblock(setting: BlockSetting): Promise<number>
  /** The newest first; of one merchant or of all. The accounts themselves are not known. */
  listBlocked(merchantId: string | undefined, limit: number): Promise<readonly BlockedAccount[]>
}

interface PayoutSettingsDeps {
  readonly db: Database
  readonly secrets: Secrets
  /** Started. */
  readonly catalogue: Pick<CatalogueService, 'current'>
}

export function createPayoutSettings(deps: PayoutSettingsDeps): PayoutSettings {
  const { db } = deps
  return {
    setRule: (setting) => setRule(deps, setting),
    listRules: (merchantId) => listRules(db, merchantId),
    async block(setting) {
      const { note, by: createdBy } = setting
      if (note !== undefined && note.length > NOTE_CHARACTERS_MAX)
        throw new SettingInvalid(`A note has at most ${NOTE_CHARACTERS_MAX} characters.`).about('note')
      const merchantId = setting.merchantId ?? HOUSE_ID
      const lines = readLines(deps.secrets, setting)
      return db.transaction(async (tx) => {
        if ((await countBlocked(tx, merchantId)) + lines.length > BLOCKED_ACCOUNTS_MAX)
          throw new SettingInvalid(`A block-list has at most ${BLOCKED_ACCOUNTS_MAX} accounts.`).about(
            'accountNumbers',
          )
        return countIn(
          lines,
          await insertBlocks(tx, { merchantId, rows: byMeaning(lines), note, createdBy }),
          'PAYEE',
        )
      })
    },
    async unblock(setting) {
      const lines = readLines(deps.secrets, setting)
      return countIn(lines, await deleteBlocks(db, setting.merchantId ?? HOUSE_ID, lines.flat()))
    },
    listBlocked: (merchantId, limit) => listBlocks(db, merchantId, limit),
  }
}

async function setRule({ db, catalogue }: PayoutSettingsDeps, setting: RuleSetting): Promise<PayoutRule> {
  const currency = catalogue.current().currencies.get(setting.currencyCode)
  if (currency === undefined)
    throw new SettingInvalid(`There is no currency ${JSON.stringify(setting.currencyCode)}.`).about(
      'currencyCode',
    )
  const rule: PayoutRule = {
    amountFrom: readThreshold(setting, 'amountFrom', currency),
    newBeneficiary: setting.newBeneficiary === true,
    dailySumFrom: readThreshold(setting, 'dailySumFrom', currency),
  }
  await db.transaction(async (tx) => {
    if (rule.amountFrom === undefined && !needsDatabase(rule)) return deleteRule(tx, setting)
    await upsertRule(tx, setting, rule)
    // What was accepted today before anybody counted belongs to the sum of today.
    if (rule.dailySumFrom !== undefined) await beginDailySum(tx, { ...setting, kind: 'PAYOUT' })
  })
  return rule
}

const THRESHOLDS = { amountFrom: 'The amount', dailySumFrom: 'The sum of a day' } as const

function readThreshold(
  setting: RuleSetting,
  field: keyof typeof THRESHOLDS,
  currency: { readonly code: string; readonly minorUnits: number },
): Amount | undefined {
  const text = setting[field]
  if (text === undefined) return undefined
  const what = THRESHOLDS[field]
  const amount = parseAmount(text)
  if (amount === undefined)
    throw new SettingInvalid(`${what} is not a number: ${JSON.stringify(text)}.`).about(field)
  if (!isPositive(amount)) throw new SettingInvalid(`${what} must be more than zero.`).about(field)
  if (fractionDigits(amount) <= currency.minorUnits) return amount
  throw new SettingInvalid(
    `${what} ${amount} has too many decimals: ${currency.code} has ${currency.minorUnits}.`,
  ).about(field)
}

/** What one line comes to on the list: first the payee that it names. */
type BlockLine = readonly BlockRow[]

/** What lines name by themselves goes before what others may mean. */
const byMeaning = (lines: readonly BlockLine[]): readonly BlockRow[] => [
  ...lines.flatMap((line) => line.slice(0, 1)),
  ...lines.flatMap((line) => line.slice(1)),
]

/** Of how many lines a digest is among these; of one meaning, or of any. */
const countIn = (lines: readonly BlockLine[], digests: ReadonlySet<string>, of?: BlockRow['means']): number =>
  lines.filter((line) =>
    line.some(({ digest, means }) => (of === undefined || means === of) && digests.has(digestText(digest))),
  ).length

function readLines(secrets: Secrets, { accountNumbers }: BlockSetting): readonly BlockLine[] {
  if (accountNumbers.length === 0)
    throw new SettingInvalid('No account number was given.').about('accountNumbers')
  if (accountNumbers.length > ACCOUNTS_PER_CALL_MAX)
    throw new SettingInvalid(`At most ${ACCOUNTS_PER_CALL_MAX} accounts can be named at once.`).about(
      'accountNumbers',
    )
  const lines = new Map<string, BlockLine>()
  for (const [index, text] of accountNumbers.entries()) {
    const [first, ...others] = text.length > ACCOUNT_CHARACTERS_MAX ? [] : payeesOfLine(text)
    if (first === undefined)
      throw new SettingInvalid(
        `Line ${index + 1} names no account: write an IBAN, or the account, a semicolon, and its bank code or payment operator.`,
      ).about(`accountNumbers.${index}`)
    const digest = digestPayee(secrets, first)
    const former = formerDigestOf(secrets, text.split(/[;\t]/)[0] ?? '')
    lines.set(digestText(digest), [
      { digest, means: 'PAYEE' },
      ...others.map((payee) => ({ digest: digestPayee(secrets, payee), means: 'SPELLING' }) as const),
      { digest: former, means: 'FORMER' },
    ])
  }
  return [...lines.values()]
}
