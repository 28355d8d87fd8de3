import type { Screen } from '../visit.ts'
import { balancesScreen } from './balances.ts'
import { blockedAccountsScreen } from './blocked-accounts.ts'
import { callbacksScreen } from './callbacks.ts'
import { customerScreen, customersScreen } from './customers.ts'
import { homeScreen } from './home.ts'
import { merchantScreen } from './merchant.ts'
import { merchantsScreen } from './merchants.ts'
import { paymentScreen } from './payment.ts'
import { paymentsScreen } from './payments.ts'
import { payoutScreen, payoutsScreen } from './payouts.ts'
import { rateListScreen } from './rate-list.ts'
import { ratesScreen } from './rates.ts'
import { searchScreen } from './search.ts'
import { merchantSettlementsScreen, settlementScreen } from './settlement.ts'
import { settlementsScreen } from './settlements.ts'

/** Every screen of the console. */
export const SCREENS: readonly Screen[] = [
  homeScreen,
  paymentsScreen,
  paymentScreen,
  searchScreen,
  payoutsScreen,
  payoutScreen,
  callbacksScreen,
  settlementsScreen,
  merchantSettlementsScreen,
  settlementScreen,
  balancesScreen,
  ratesScreen,
  rateListScreen,
  merchantsScreen,
  merchantScreen,
  customersScreen,
  customerScreen,
  blockedAccountsScreen,
]
