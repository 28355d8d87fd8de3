// Every screen of the operators' console, as `npm run screens:console` takes its picture.

/** Who looks at it: operators of the sandbox, or an administrator of a merchant. */
export type Eyes = 'ada' | 'alan' | 'lea'

/** A screen, and how a browser gets there. */
export interface ConsoleScene {
  readonly name: string
  /** As the console's list of screens has it. */
  readonly route: string
  readonly eyes: Eyes
  readonly path: string
  /** The picture is of the first page that `path` links to with such an address. */
  readonly follow?: RegExp
  readonly onPhone?: true
  readonly shows: string
}

interface Chapter {
  readonly title: string
  readonly scenes: readonly ConsoleScene[]
}

type More = Pick<ConsoleScene, 'follow' | 'onPhone'> & { readonly path?: string }

const lookedAtBy =
  (eyes: Eyes) =>
  (name: string, route: string, shows: string, more: More = {}): ConsoleScene => ({
    name,
    route,
    eyes,
    path: route,
    shows,
    ...more,
  })

const ada = lookedAtBy('ada')
const alan = lookedAtBy('alan')
const lea = lookedAtBy('lea')
const onPhone = true

export const CONSOLE_CHAPTERS: readonly Chapter[] = [
  {
    title: 'Every day',
    scenes: [
      ada('home', '/', 'What waits, balances, and the volume of 14 days.', { onPhone }),
      ada('payments', '/payments', 'Find payments by any filter, and export them.', { onPhone }),
      ada('payment', '/payments/:kind/:merchantCode/:idPayment', 'Everything that happened to a payment.', {
        path: '/payments?kind=PAYIN&status=SUCCESS',
        follow: /^\/payments\/PAYIN\//,
        onPhone,
      }),
      ada('search', '/search', 'Find payments, merchants and pages.', { path: '/search?q=papaya' }),
      ada('payouts', '/payouts', 'Payouts that wait for a decision.', { onPhone }),
      ada('payout', '/payouts/:kind/:merchantCode/:idPayout', 'Approve or reject one payout.', {
        path: '/payouts',
        follow: /^\/payouts\/PAYOUT\//,
      }),
      ada('suspense', '/suspense', 'Bank lines that match no payment for certain.', { onPhone }),
      ada('suspense-line', '/suspense/:lineId', 'Decide where the money of a bank line belongs.', {
        path: '/suspense',
        follow: /^\/suspense\/\d+$/,
      }),
      ada('callbacks', '/callbacks', 'Callbacks with their attempts; send one again.'),
      ada('reviews', '/reviews', 'Payments with unknown outcome.'),
      ada(
        'review',
        '/reviews/:kind/:merchantCode/:idPayment',
        'Decide an unknown outcome by two operators.',
        {
          path: '/reviews',
          follow: /^\/reviews\/PAYOUT\//,
        },
      ),
      ada('confirmations', '/confirmations', 'Proposals that need a second operator.'),
      ada('confirmation', '/confirmations/:confirmationId', 'Confirm, refuse or withdraw a proposal.', {
        path: '/confirmations',
        follow: /^\/confirmations\/\d+$/,
      }),
    ],
  },
  {
    title: 'Money and banks',
    scenes: [
      ada('settlements', '/settlements', 'Settlements by merchant.'),
      ada('merchant-settlements', '/settlements/:merchantCode', 'The settlements of one merchant.', {
        path: '/settlements/DEMO',
      }),
      ada('settlement', '/settlements/:merchantCode/:idSettlement', 'How a settlement was computed.', {
        path: '/settlements/DEMO',
        follow: /^\/settlements\/DEMO\/./,
      }),
      ada('balances', '/balances', 'What merchants have and what is owed to them.'),
      ada('rates', '/rates', 'Rate lists and their age.'),
      ada('rate-list', '/rates/:code', 'A rate list: its sheets, and a converter.', {
        path: '/rates/SANDBOX',
      }),
      ada('bank-files', '/bank-files', 'Payout files for the bank.'),
      ada('bank-file', '/bank-files/:fileId', 'A payout file and its payouts.', {
        path: '/bank-files',
        follow: /^\/bank-files\/[A-Z0-9]+$/,
      }),
      ada('bank-reports', '/bank-files/reports', 'Status reports from the bank.'),
      ada('bank-report', '/bank-files/reports/:reportId', 'What a status report said about each payout.', {
        path: '/bank-files/reports',
        follow: /^\/bank-files\/reports\/\d+$/,
      }),
      ada('report-import', '/bank-files/reports/import', 'Import a status report.'),
      ada('statements', '/statements', 'Imported bank statements and their balances.'),
      ada('statement-import', '/statements/import', 'Import a bank statement.'),
      ada('failed-documents', '/statements/failed', 'Files that could not be imported, and why.'),
      ada('bank-channels', '/bank-files/channels', 'Bank channels, and the result of their last look.'),
      ada('bank-channel', '/bank-files/channels/:channelCode', 'A channel, and the files received over it.', {
        path: '/bank-files/channels/MYBANK',
      }),
      ada('chains', '/bank-files/chains', 'Chains on which customers pay in coins.'),
      ada('chain', '/bank-files/chains/:chainCode', 'A chain, and the coins that came.', {
        path: '/bank-files/chains/LOCAL',
      }),
      ada(
        'chain-payouts',
        '/bank-files/chains/:chainCode/payouts',
        'Payouts on a chain, and how far they are.',
        {
          path: '/bank-files/chains/LOCAL/payouts',
        },
      ),
    ],
  },
  {
    title: 'Merchants',
    scenes: [
      alan('merchants', '/merchants', 'All merchants; create a new one.'),
      alan('merchant', '/merchants/:merchantCode', 'One merchant: keys, terms, brand, callbacks.', {
        path: '/merchants/DEMO',
      }),
      alan('people', '/merchants/:merchantCode/people', 'The merchant’s people, and their roles.', {
        path: '/merchants/DEMO/people',
      }),
      alan('customers', '/merchants/:merchantCode/customers', 'Find a customer by id.', {
        path: '/merchants/DEMO/customers',
      }),
      alan('customer', '/merchants/:merchantCode/customers/:idCustomer', 'Block or erase a customer.', {
        path: '/merchants/DEMO/customers/CUST-1042',
      }),
      ada('blocked-accounts', '/blocked-accounts', 'Accounts that receive no payouts.'),
      alan('merchant-terms', '/merchants/:merchantCode/terms', 'Methods, fees and limits of a merchant.', {
        path: '/merchants/DEMO/terms',
      }),
    ],
  },
  {
    title: 'Catalogue',
    scenes: [
      alan('methods', '/catalogue', 'Payment methods and where they are offered.'),
      alan('method', '/catalogue/methods/:methodCode', 'One payment method.', {
        path: '/catalogue/methods/BANK_TRANSFER',
      }),
      alan('payment-operators', '/catalogue/operators', 'Banks and wallets, and their state.'),
      alan('currencies', '/catalogue/currencies', 'Currencies and their limits.'),
      alan('fees', '/catalogue/fees', 'Fees by method and currency.'),
      alan('accounts', '/catalogue/accounts', 'Your bank accounts.'),
      alan('rails', '/catalogue/rails', 'Rails and the methods that use them.'),
      alan('explain', '/catalogue/explain', 'Why a method is offered or not, and its fee.', {
        path: '/catalogue/explain?merchantCode=DEMO&amount=149.90&currencyCode=EUR',
      }),
      alan('document', '/catalogue/document', 'Apply a catalogue document.'),
      alan('changes', '/catalogue/changes', 'Changes to the catalogue.'),
    ],
  },
  {
    title: 'Running the gateway',
    scenes: [
      alan('operators', '/operators', 'Who operates the gateway.'),
      alan('operator', '/operators/:operatorCode', 'Roles, keys, passkeys and sessions of an operator.', {
        path: '/operators/ada',
      }),
      alan('account', '/account', 'Your own passkeys and sessions.'),
      alan('health', '/health', 'Queues, ledger check, rates and retention.'),
      alan('audit', '/audit', 'What operators did.'),
      alan('audit-act', '/audit/:number', 'One act, with the values before and after.', {
        path: '/audit?merchantCode=DEMO',
        follow: /^\/audit\/\d+$/,
      }),
    ],
  },
  {
    title: 'What a merchant’s people see',
    scenes: [
      lea('member-home', '/', 'The home page of a merchant’s administrator.'),
      lea('member-payments', '/payments', 'The merchant’s own payments.'),
      lea('member-merchant', '/merchants/:merchantCode', 'The merchant’s own keys, terms and brand.', {
        path: '/merchants/DEMO',
      }),
      lea('member-people', '/merchants/:merchantCode/people', 'Colleagues of the merchant.', {
        path: '/merchants/DEMO/people',
      }),
    ],
  },
]

export const CONSOLE_SCENES: readonly ConsoleScene[] = CONSOLE_CHAPTERS.flatMap(({ scenes }) => scenes)
