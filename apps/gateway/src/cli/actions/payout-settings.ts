import { rawAmount } from '@tollgate/money'
import { createCatalogueService } from '../../modules/catalogue/index.ts'
import { createMerchantService, findMerchantCode } from '../../modules/merchants/index.ts'
import {
  type BlockedAccount,
  createPayoutSettings,
  HOUSE_ID,
  type PayoutRule,
  type PayoutSettings,
} from '../../modules/payouts/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { randomIds } from '../../platform/ids.ts'
import { readFileOrInput } from '../files.ts'
import { type House, inHouse } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, table } from '../text.ts'
import { HOUSE } from './terms.ts'

interface RuleWish {
  readonly merchant: string
  readonly currency: string
  readonly amountFrom?: string
  readonly newBeneficiary?: true
  readonly dailySumFrom?: string
}

/** `tollgate merchants set-payout-rule`. */
export function setRule(shell: Shell, wish: RuleWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const merchantId = await requireMerchantId(house, wish.merchant)
    const settings = await settingsOf(shell, house)
    const rule = await settings.setRule({ ...wish, merchantId, currencyCode: wish.currency })
    return {
      json: {
        merchantCode: wish.merchant,
        currencyCode: wish.currency,
        amountFrom: rule.amountFrom === undefined ? null : rawAmount(rule.amountFrom),
        newBeneficiary: rule.newBeneficiary,
        dailySumFrom: rule.dailySumFrom === undefined ? null : rawAmount(rule.dailySumFrom),
      },
      text: `${wish.merchant}, payouts in ${wish.currency}: ${ruleText(rule)}.`,
    }
  })
}

function ruleText(rule: PayoutRule): string {
  const causes = [
    rule.amountFrom && `from ${rule.amountFrom} on`,
    rule.newBeneficiary ? 'to an account that was never paid' : undefined,
    rule.dailySumFrom && `when those of the day make ${rule.dailySumFrom}`,
  ].filter((cause) => cause !== undefined)
  return causes.length === 0 ? 'none waits for approval' : `approval ${causes.join(', or ')}`
}

interface BlockWish {
  readonly merchant: string
  readonly file: string
  readonly note?: string | undefined
}

/** `tollgate payouts block`. */
export function block(shell: Shell, wish: BlockWish, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'payouts.approve',
    work: async (house, operator) => {
      const { merchantId, accountNumbers } = await readWish(shell, house, wish)
      const settings = await settingsOf(shell, house)
      const added = await settings.block({ merchantId, accountNumbers, note: wish.note, by: operator.code })
      return {
        json: { merchantCode: codeOf(wish), added },
        text: `${added} of ${accountNumbers.length} accounts were not on the block-list of ${wish.merchant} before; all are now.`,
        notes: ['Payouts that an institution has, or that are on their way to it, are not stopped by this.'],
      }
    },
  })
}

/** `tollgate payouts unblock`. */
export function unblock(shell: Shell, wish: BlockWish, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'payouts.approve',
    work: async (house) => {
      const { merchantId, accountNumbers } = await readWish(shell, house, wish)
      const removed = await (await settingsOf(shell, house)).unblock({ merchantId, accountNumbers })
      return {
        json: { merchantCode: codeOf(wish), removed },
        text: `${removed} of ${accountNumbers.length} accounts were on the block-list of ${wish.merchant}; none is now.`,
      }
    },
  })
}

const isHouse = (merchant: string): boolean => merchant.toLowerCase() === HOUSE
const codeOf = ({ merchant }: BlockWish): string | null => (isHouse(merchant) ? null : merchant)

async function readWish(shell: Shell, house: House, wish: BlockWish) {
  const merchantId = isHouse(wish.merchant) ? undefined : await requireMerchantId(house, wish.merchant)
  const text = (await readFileOrInput(shell, wish.file)).toString('utf8')
  const lines = text.split('\n').map((line) => line.trim())
  return { merchantId, accountNumbers: lines.filter((line) => line !== '') }
}

interface BlockedWish {
  readonly merchant?: string
  readonly limit: number
}

/** `tollgate payouts blocked`. */
export function listBlocked(shell: Shell, wish: BlockedWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const found = await (await settingsOf(shell, house)).listBlocked(
      await listedMerchantId(house, wish.merchant),
      wish.limit,
    )
    const ids = [...new Set(found.map(({ merchantId }) => merchantId))].filter((id) => id !== HOUSE_ID)
    const codes = new Map<string, string>()
    for (const id of ids) codes.set(id, await findMerchantCode(house.db, id))
    return {
      json: found.map((each) => presentBlocked(each, codes)),
      text: table(
        ['FOR', 'ACCOUNT', 'NOTE', 'BY', 'SINCE'],
        found.map(({ merchantId, digest, note, createdBy, createdAt }) => [
          codes.get(merchantId) ?? HOUSE,
          shortDigest(digest),
          note ?? '',
          createdBy,
          moment(createdAt),
        ]),
        'No account is blocked.',
      ),
    }
  })
}

async function listedMerchantId(house: House, merchant: string | undefined): Promise<string | undefined> {
  if (merchant === undefined) return undefined
  return isHouse(merchant) ? HOUSE_ID : requireMerchantId(house, merchant)
}

const DIGEST_DIGITS_SHOWN = 12
const shortDigest = (digest: Buffer): string => digest.toString('hex').slice(0, DIGEST_DIGITS_SHOWN)

function presentBlocked(
  { merchantId, digest, note, createdBy, createdAt }: BlockedAccount,
  codes: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const merchantCode = codes.get(merchantId) ?? null
  return { merchantCode, accountDigest: shortDigest(digest), note: note ?? null, createdBy, createdAt }
}

async function requireMerchantId(house: House, code: string): Promise<string> {
  const { merchant } = await createMerchantService({ ...house, ids: randomIds }).show(code)
  return merchant.merchantId
}

async function settingsOf(shell: Shell, house: House): Promise<PayoutSettings> {
  const changes = watchConfiguration({ ...house, clock: shell.clock })
  const catalogue = createCatalogueService({ ...house, changes })
  await catalogue.start()
  return createPayoutSettings({ ...house, catalogue })
}
