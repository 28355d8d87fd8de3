import type { Screen } from '../visit.ts'
import { accountScreen } from './account.ts'
import { auditActScreen, auditScreen } from './audit.ts'
import { balancesScreen } from './balances.ts'
import { bankChannelScreen, bankChannelsScreen } from './bank-channels.ts'
import { bankFileScreen } from './bank-file.ts'
import { bankFilesScreen } from './bank-files.ts'
import { bankReportScreen, bankReportsScreen, reportImportScreen } from './bank-reports.ts'
import { blockedAccountsScreen } from './blocked-accounts.ts'
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
import { cellPaymentsScreen, cellsScreen } from './cells.ts'
import { chainPayoutsScreen, chainScreen, chainsScreen } from './chains.ts'
import { confirmationScreen } from './confirmation.ts'
import { confirmationsScreen } from './confirmations.ts'
import { customerScreen, customersScreen } from './customers.ts'
import { failedDocumentsScreen } from './failed-documents.ts'
import { healthScreen } from './health.ts'
import { homeScreen } from './home.ts'
import { merchantScreen } from './merchant.ts'
import { peopleScreen } from './merchant-people.ts'
import { merchantTermsScreen } from './merchant-terms.ts'
import { merchantsScreen } from './merchants.ts'
import { operatorScreen } from './operator.ts'
import { operatorsScreen } from './operators.ts'
import { paymentScreen } from './payment.ts'
import { paymentsScreen } from './payments.ts'
import { payoutScreen, payoutsScreen } from './payouts.ts'
import { rateListScreen } from './rate-list.ts'
import { ratesScreen } from './rates.ts'
import { reviewScreen } from './review.ts'
import { reviewsScreen } from './reviews.ts'
import { searchScreen } from './search.ts'
import { merchantSettlementsScreen, settlementScreen } from './settlement.ts'
import { settlementsScreen } from './settlements.ts'
import { importScreen, statementsScreen } from './statements.ts'
import { suspenseLineScreen, suspenseScreen } from './suspense.ts'

/** Those that there are where there are several cells. The gallery is of one. */
export const CELL_SCREENS: readonly Screen[] = [cellsScreen, cellPaymentsScreen]

/** Every other screen of the console. */
export const SCREENS: readonly Screen[] = [
  homeScreen,
  paymentsScreen,
  paymentScreen,
  searchScreen,
  payoutsScreen,
  payoutScreen,
  suspenseScreen,
  suspenseLineScreen,
  callbacksScreen,
  reviewsScreen,
  reviewScreen,
  confirmationsScreen,
  confirmationScreen,
  bankFilesScreen,
  bankFileScreen,
  bankReportsScreen,
  bankReportScreen,
  reportImportScreen,
  statementsScreen,
  importScreen,
  failedDocumentsScreen,
  bankChannelsScreen,
  bankChannelScreen,
  chainsScreen,
  chainScreen,
  chainPayoutsScreen,
  operatorsScreen,
  operatorScreen,
  accountScreen,
  settlementsScreen,
  merchantSettlementsScreen,
  settlementScreen,
  balancesScreen,
  ratesScreen,
  rateListScreen,
  merchantsScreen,
  merchantScreen,
  peopleScreen,
  customersScreen,
  customerScreen,
  blockedAccountsScreen,
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
  auditScreen,
  auditActScreen,
]
