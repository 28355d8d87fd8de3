import type { Screen } from '../visit.ts'
import { auditActScreen, auditScreen } from './audit.ts'
import { callbacksScreen } from './callbacks.ts'
import { homeScreen } from './home.ts'
import { paymentScreen } from './payment.ts'
import { paymentsScreen } from './payments.ts'
import { payoutScreen, payoutsScreen } from './payouts.ts'
import { searchScreen } from './search.ts'

/** Every screen of the console. */
export const SCREENS: readonly Screen[] = [
  homeScreen,
  paymentsScreen,
  paymentScreen,
  searchScreen,
  payoutsScreen,
  payoutScreen,
  callbacksScreen,
  auditScreen,
  auditActScreen,
]
