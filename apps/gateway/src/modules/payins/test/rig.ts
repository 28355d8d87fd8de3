import type { PayinCreate, WireMoney } from '@tollgate/contract'
import type { TestLife } from '@tollgate/testkit'
import { openShop, type Shop, type ShopOptions } from '../../../test/support/shop.ts'
import { createPayinService, type PayinService } from '../index.ts'

/** A shop in the sandbox's catalogue with every method. */
export interface Rig extends Shop {
  readonly payins: PayinService
}

export async function openRig(t: TestLife, options?: ShopOptions): Promise<Rig> {
  const shop = await openShop(t, options)
  const { wakeWorker } = shop.intakeDeps
  return { ...shop, payins: createPayinService({ ...shop, wakeWorker, findPaidBack: async () => undefined }) }
}

interface BodyGiven {
  readonly amount?: WireMoney['amount']
  readonly currencyCode?: string
  readonly segmentCode?: string
  readonly method?: Partial<PayinCreate['paymentMethod']>
  readonly callbackUrl?: string
  readonly returnUrl?: string
}

/** A body that is accepted as it is. */
export function bodyOf(given: BodyGiven = {}): PayinCreate {
  const { amount = 100, currencyCode = 'EUR', segmentCode, method, ...urls } = given
  return {
    paymentRequested: { money: { amount, currencyCode }, ...(segmentCode !== undefined && { segmentCode }) },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountName: 'Ada' }, ...method },
    callbackUrl: 'https://shop.example/callbacks',
    ...urls,
  }
}
