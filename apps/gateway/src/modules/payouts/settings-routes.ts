import {
  AccountsBlockSchema,
  AccountsChangedSchema,
  AccountsUnblockSchema,
  type Answer,
  type AnswerItem,
  answers,
  BlockedAccountListSchema,
  BlockedAccountsQuery,
  PAGE_LIMIT_DEFAULT,
  PayoutRuleListSchema,
  PayoutRuleParams,
  PayoutRuleSchema,
  PayoutRuleSetSchema,
  PayoutRulesParams,
} from '@tollgate/contract'
import { rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { invalidField } from '../../platform/refusal.ts'
import { HOUSE_ID, type PayoutRule } from './model.ts'
import type { BlockedAccount, PayoutSettings } from './settings.ts'

const operation = operatorOperationsOf('Payouts')
/** Ten thousand accounts as people write them. */
const ACCOUNTS_BYTES_MAX = 2 * 1_048_576

interface PayoutSettingRouteDeps {
  readonly settings: PayoutSettings
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

/** Accounts that nobody pays to, and what makes payouts wait for approval. */
export function payoutSettingOperatorRoutes(app: App, deps: PayoutSettingRouteDeps): void {
  blockRoutes(app, deps)
  blockedRoute(app, deps)
  ruleRoutes(app, deps)
}

interface Whose {
  readonly merchantCode?: string
  readonly isForAll?: boolean
}

/** Undefined for every merchant: whoever forgets the merchant must not block an account for all. */
async function merchantIdFor(
  { merchantIdOf }: PayoutSettingRouteDeps,
  { merchantCode, isForAll = false }: Whose,
): Promise<string | undefined> {
  if ((merchantCode === undefined) !== isForAll)
    throw invalidField('merchantCode', 'name the merchant, or say isForAll')
  return merchantCode === undefined ? undefined : merchantIdOf(merchantCode)
}

function blockRoutes(app: App, deps: PayoutSettingRouteDeps): void {
  const { settings } = deps
  app.post(
    '/operator/blocked-accounts/!block',
    {
      bodyLimit: ACCOUNTS_BYTES_MAX,
      ...operation('blockAccounts', 'payouts.approve', {
        summary: 'Block accounts: no payout is accepted to them or handed over any more',
        body: AccountsBlockSchema,
        response: answers({ 200: AccountsChangedSchema }, 410),
      }),
    },
    async (request) => {
      const { merchantCode, accountNumbers, note } = request.body
      const merchantId = await merchantIdFor(deps, request.body)
      const order = { merchantId, accountNumbers, note, by: operatorOf(request).code }
      return changed(merchantCode, accountNumbers, await settings.block(order))
    },
  )
  app.post(
    '/operator/blocked-accounts/!unblock',
    {
      bodyLimit: ACCOUNTS_BYTES_MAX,
      ...operation('unblockAccounts', 'payouts.approve', {
        summary: 'Take accounts off the block-list',
        body: AccountsUnblockSchema,
        response: answers({ 200: AccountsChangedSchema }, 410),
      }),
    },
    async ({ body }) => {
      const { merchantCode, accountNumbers } = body
      const merchantId = await merchantIdFor(deps, body)
      return changed(merchantCode, accountNumbers, await settings.unblock({ merchantId, accountNumbers }))
    },
  )
}

const changed = (
  merchantCode: string | undefined,
  accountNumbers: readonly string[],
  count: number,
): Answer<typeof AccountsChangedSchema> => ({
  ...(merchantCode !== undefined && { merchantCode }),
  named: accountNumbers.length,
  changed: count,
})

function blockedRoute(app: App, { settings, merchantIdOf, merchantCodeOf }: PayoutSettingRouteDeps): void {
  app.get(
    '/operator/blocked-accounts',
    operation('listBlockedAccounts', 'payouts.read', {
      summary: 'List who blocked how many accounts and why; the accounts themselves are not kept',
      querystring: BlockedAccountsQuery,
      response: answers({ 200: BlockedAccountListSchema }, 410),
    }),
    async ({ query: { merchantCode, isForAll, limit = PAGE_LIMIT_DEFAULT } }) => {
      const ofMerchant = merchantCode === undefined ? undefined : await merchantIdOf(merchantCode)
      const found = await settings.listBlocked(isForAll === 'true' ? HOUSE_ID : ofMerchant, Number(limit))
      const codes = new Map<string, string>()
      for (const { merchantId } of found)
        if (merchantId !== HOUSE_ID && !codes.has(merchantId))
          codes.set(merchantId, await merchantCodeOf(merchantId))
      return { data: found.map((each) => presentBlocked(each, codes.get(each.merchantId))) }
    },
  )
}

const DIGEST_DIGITS_SHOWN = 12

const presentBlocked = (
  { digest, note, createdBy, createdAt }: BlockedAccount,
  merchantCode: string | undefined,
): AnswerItem<typeof BlockedAccountListSchema> => ({
  ...(merchantCode !== undefined && { merchantCode }),
  accountDigest: digest.toString('hex').slice(0, DIGEST_DIGITS_SHOWN),
  ...(note !== undefined && { note }),
  createdBy,
  createdAt: createdAt.toISOString(),
})

function ruleRoutes(app: App, { settings, merchantIdOf }: PayoutSettingRouteDeps): void {
  app.get(
    '/operator/payout-rules/:merchantCode',
    operation('listPayoutRules', 'payouts.read', {
      summary: 'What makes payouts of a merchant wait for approval, by currency',
      params: PayoutRulesParams,
      response: answers({ 200: PayoutRuleListSchema }, 410),
    }),
    async ({ params }) => {
      const rules = await settings.listRules(await merchantIdOf(params.merchantCode))
      return { data: [...rules].map(([currencyCode, rule]) => presentRule(currencyCode, rule)) }
    },
  )
  app.put(
    '/operator/payout-rules/:merchantCode/:currencyCode',
    operation('setPayoutRule', 'merchants.change', {
      summary: 'Replace what makes payouts in a currency wait for approval',
      params: PayoutRuleParams,
      body: PayoutRuleSetSchema,
      response: answers({ 200: PayoutRuleSchema }, 410),
    }),
    async ({ params: { merchantCode, currencyCode }, body }) => {
      const merchantId = await merchantIdOf(merchantCode)
      return presentRule(currencyCode, await settings.setRule({ ...body, merchantId, currencyCode }))
    },
  )
}

function presentRule(
  currencyCode: string,
  { amountFrom, newBeneficiary, dailySumFrom }: PayoutRule,
): Answer<typeof PayoutRuleSchema> {
  return {
    currencyCode,
    ...(amountFrom !== undefined && { amountFrom: rawAmount(amountFrom) }),
    newBeneficiary,
    ...(dailySumFrom !== undefined && { dailySumFrom: rawAmount(dailySumFrom) }),
  }
}
