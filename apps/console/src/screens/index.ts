import type { Screen } from '../visit.ts'
import { callbacksScreen } from './callbacks.ts'
import { accountsScreen } from './catalogue/accounts.ts'
import { changesScreen } from './catalogue/changes.ts'
import { currenciesScreen } from './catalogue/currencies.ts'
import { documentScreen } from './catalogue/document.ts'
import { explainScreen } from './catalogue/explain.ts'
import { feesScreen } from './catalogue/fees.ts'
import { methodScreen, methodsScreen } from './catalogue/methods.ts'
import { paymentOperatorsScreen } from './catalogue/operators.ts'
import { railsScreen } from './catalogue/rails.ts'
import { healthScreen } from './health.ts'
import { homeScreen } from './home.ts'
import { merchantTermsScreen } from './merchant-terms.ts'
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
  merchantTermsScreen,
  methodsScreen,
  methodScreen,
  paymentOperatorsScreen,
  currenciesScreen,
  feesScreen,
  accountsScreen,
  railsScreen,
  explainScreen,
  documentScreen,
  changesScreen,
  healthScreen,
]
