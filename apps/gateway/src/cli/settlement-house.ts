import { CURRENCIES_ISO_4217 } from '@tollgate/money'
import { randomIds } from '@tollgate/runtime'
import { createCatalogueService } from '../modules/catalogue/index.ts'
import { createMerchantService } from '../modules/merchants/index.ts'
import { createRateService } from '../modules/rates/index.ts'
import {
  createConverter,
  createSettlementAdministration,
  type RunDeps,
  type SettlementAdministration,
} from '../modules/settlements/index.ts'
import { watchConfiguration } from '../platform/configuration-changes.ts'
import type { House } from './house.ts'
import type { Shell } from './shell.ts'

/** What commands about settlements work with. */
export interface SettlementHouse {
  readonly administration: SettlementAdministration
  readonly runDeps: RunDeps
  merchantIdOf(merchantCode: string): Promise<string>
}

/** Reads the catalogue and the rate lists once: a command ends before they change. */
export async function openSettlements(shell: Shell, house: House): Promise<SettlementHouse> {
  const { clock } = shell
  const changes = watchConfiguration({ ...house, clock })
  const catalogue = createCatalogueService({ ...house, changes })
  const minorUnitsOf = (currency: string): number | undefined =>
    (catalogue.current().currencies.get(currency) ?? CURRENCIES_ISO_4217.get(currency))?.minorUnits
  const rates = createRateService({ ...house, clock, changes, minorUnitsOf })
  await catalogue.start()
  await rates.start()
  const merchants = createMerchantService({ ...house, ids: randomIds })
  return {
    administration: createSettlementAdministration({ ...house, catalogue, rates }),
    runDeps: { ...house, clock, ids: randomIds, convert: createConverter({ rates, minorUnitsOf, clock }) },
    merchantIdOf: async (merchantCode) => (await merchants.show(merchantCode)).merchant.merchantId,
  }
}
