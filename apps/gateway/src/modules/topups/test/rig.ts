import type { TopUpCreate, WireMoney } from '@tollgate/contract'
import type { TestLife } from '@tollgate/testkit'
import { openShop, type Shop, type ShopOptions } from '../../../test/support/shop.ts'
import { createTopUpService, type TopUpService } from '../index.ts'

/** A shop in the sandbox's catalogue with every method. */
export interface Rig extends Shop {
  readonly topUps: TopUpService
}

export async function openRig(t: TestLife, options?: ShopOptions): Promise<Rig> {
  const shop = await openShop(t, options)
  return { ...shop, topUps: createTopUpService(shop) }
}

interface BodyGiven extends Pick<TopUpCreate, 'callbackUrl' | 'returnUrl'> {
  readonly amount?: WireMoney['amount']
  readonly currencyCode?: string
  readonly method?: Partial<TopUpCreate['paymentMethod']>
}

/** A body that is accepted as it is. */
export function bodyOf(given: BodyGiven = {}): TopUpCreate {
  const { method, ...rest } = given
  const { amount = 100, currencyCode = 'EUR', ...urls } = rest
  return {
    topUpRequested: { money: { amount, currencyCode } },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', ...method },
    ...urls,
  }
}
