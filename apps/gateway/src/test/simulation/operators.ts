import { createCatalogueSettings, type FeeSetting, SettingInvalid } from '../../modules/catalogue/index.ts'
import { updateCallbackKeyGeneration } from '../../modules/merchants/store.ts'
import { insertRevocation } from '../../modules/tokens/index.ts'
import type { Database } from '../../platform/database.ts'
import type { Kind, Order } from './client.ts'
import type { CurrencyCode } from './shop.ts'
import { revocationOf } from './tokens.ts'

// What operators do while payments are under way. All of it may be done again when its answer was lost.

/** What the house takes from now on. */
export interface FeeChange {
  readonly kind: 'PAYIN' | 'PAYOUT'
  readonly methodCode: Order['methodCode']
  readonly currencyCode: CurrencyCode
  readonly fixed: number
  /** Of a percent. */
  readonly hundredths: number
}

/** Whether a merchant has TRANSFER in a direction from now on. */
export interface MethodChange {
  readonly merchantId: string
  readonly kind: Kind
  readonly isOn: boolean
}

/** Done by an operator's process with its database. */
export type Work = (db: Database) => Promise<unknown>

export const setFee =
  ({ kind: direction, hundredths, fixed, ...of }: FeeChange): Work =>
  (db) => {
    const setting: FeeSetting = {
      ...of,
      direction,
      fixed: String(fixed),
      percentage: String(hundredths / 100),
    }
    return createCatalogueSettings({ db }).setFee(setting)
  }

export const setMethod =
  ({ merchantId, kind: direction, isOn }: MethodChange): Work =>
  async (db) => {
    const settings = createCatalogueSettings({ db })
    const setting = { merchantId, direction, methodCode: 'TRANSFER' }
    if (isOn) return settings.enableMethod(setting)
    return settings.disableMethod(setting).catch((error: unknown) => {
      // It was taken away before.
      if (!(error instanceof SettingInvalid)) throw error
    })
  }

export const revokeSpare =
  (merchantId: string): Work =>
  (db) =>
    insertRevocation(db, revocationOf(merchantId))

export const rotateKey =
  (merchantId: string): Work =>
  (db) =>
    updateCallbackKeyGeneration(db, merchantId)
