import type { ErrorDescription } from './error-description.ts'

/** The codes of 406: the request was understood, but a rule of the business was not met. */
export const REJECTIONS = {
  NO_OPTION_AVAILABLE: {
    status: 406,
    message: 'No payment option is available for this amount, currency and segment.',
    cause: 'Every method of the merchant was excluded; the answer has one entry per method with the reason.',
    remedy: 'Change the amount or the currency, or ask the operator to enable a method.',
  },
  PAYMENT_METHOD_NOT_AVAILABLE: {
    status: 406,
    message: 'The payment method is not available.',
    cause:
      'The method does not exist, is switched off, or is not configured for this merchant and direction.',
    remedy: 'Use a method listed by POST /payins/!availablePaymentOptions.',
  },
  PAYMENT_OPERATOR_NOT_AVAILABLE: {
    status: 406,
    message: 'The payment operator is not available.',
    cause:
      'The bank or wallet does not exist, does not serve this method or currency, is closed, or is missing where one is needed.',
    remedy: 'Use an operator listed with the method in the payment options.',
  },
  AMOUNT_BELOW_MINIMUM: {
    status: 406,
    message: 'The amount is below the minimum.',
    cause: 'The method, segment or merchant has a higher minimum for this currency; see `limit`.',
    remedy: 'Send an amount within `limit`.',
  },
  AMOUNT_ABOVE_MAXIMUM: {
    status: 406,
    message: 'The amount is above the maximum.',
    cause: 'The method, segment or merchant has a lower maximum for this currency; see `limit`.',
    remedy: 'Send an amount within `limit`.',
  },
  AMOUNT_PRECISION_INVALID: {
    status: 406,
    message: 'The amount has more decimals than the currency.',
    cause: 'E.g. 10.5 JPY, or a third decimal in EUR.',
    remedy: 'Round the amount to the `minorUnits` of GET /currencies.',
  },
  REFUND_NOT_POSSIBLE: {
    status: 406,
    message: 'This payin cannot be refunded.',
    cause:
      'It is not SUCCESS: nothing was paid, it is not known, or the money went back already. Or it has as many refunds as possible.',
    remedy: 'Read the payin. Only what was received and was not taken back can be refunded.',
  },
  REFUND_AMOUNT_EXCEEDED: {
    status: 406,
    message: 'The refund is more than what is left of the payin.',
    cause:
      'All refunds that are paid, or may still be, count, also those sent at the same moment. The message says how much is left.',
    remedy: 'Read the refunds of the payin, and send an amount up to what is left.',
  },
  REFUND_CURRENCY_DIFFERENT: {
    status: 406,
    message: 'A payin is refunded in its own currency.',
    cause: '`refundRequested.money.currencyCode` is not the currency of the payin.',
    remedy: 'Send the amount in the currency of the payin.',
  },
  REFUND_ACCOUNT_REQUIRED: {
    status: 406,
    message: 'It is not known which account to refund to.',
    cause: 'The institution did not say which account the money came from, or that was erased.',
    remedy: 'Send `account`, as a payout by this method needs it.',
  },
  REFUND_ACCOUNT_DIFFERENT: {
    status: 406,
    message: 'The money came from another account.',
    cause: 'Money is refunded to the account it came from, which is known.',
    remedy: 'Leave `account` out. To pay somebody else, create a payout.',
  },
  CURRENCY_NOT_SUPPORTED: {
    status: 406,
    message: 'The currency is not supported.',
    cause: 'The currency is unknown to the gateway, or no method of the merchant takes it.',
    remedy: 'Use a currency listed by GET /currencies.',
  },
  SEGMENT_NOT_SUPPORTED: {
    status: 406,
    message: 'The customer segment is not supported.',
    cause: 'The segment is unknown, or the method is not offered to it.',
    remedy: 'Use a segment listed by GET /segments, or leave it out.',
  },
  CHANNEL_UNAVAILABLE: {
    status: 406,
    message: 'The payment channel is closed at the moment.',
    cause: 'The institution behind the operator is closed for this direction.',
    remedy: 'Offer another operator; GET /payment-operators shows the availability.',
  },
  CHANNEL_LIMIT: {
    status: 406,
    message: 'The daily limit of this payment method has no room for this payment today.',
    cause:
      'The merchant has a cap on the amount or number of payments per day, and this payment would exceed it.',
    remedy:
      'Try a smaller amount, another method or again tomorrow (UTC), or ask the operator to raise the cap.',
  },
  ACCOUNT_REQUIRED: {
    status: 406,
    message: 'The payment method needs account data.',
    cause: '`paymentMethod.account` lacks a field that the method requires.',
    remedy: 'Read `fields` of the method in the payment options and send the required ones.',
  },
  ACCOUNT_INVALID: {
    status: 406,
    message: 'The account data does not have the format that the payment method requires.',
    cause:
      'A field of `paymentMethod.account` does not match the pattern, length or checksum of the method, or the account fails the checks of its scheme (IBAN, UPI address, PIX key, Ethereum or Bitcoin address).',
    remedy:
      'Read the `message`: it names the field, what is wrong and what is expected. `fields` of the method has each `pattern` and `maxLength`.',
  },
  EMAIL_REQUIRED: {
    status: 406,
    message: 'The payment method needs an e-mail address.',
    cause: '`paymentMethod.emailAddress` is missing.',
    remedy:
      'Send the customer’s e-mail address. Sandbox addresses (…@sandbox.test) work in the sandbox only.',
  },
  CALLBACK_URL_NOT_ALLOWED: {
    status: 406,
    message: 'The callback URL is not allowed.',
    cause:
      'The URL breaks a rule of this environment: https, port, public address, or the merchant’s list of origins.',
    remedy: 'Use a public https URL of a registered origin.',
  },
  RETURN_URL_NOT_ALLOWED: {
    status: 406,
    message: 'The return URL is not allowed.',
    cause: 'The URL breaks a rule of this environment: https, or the merchant’s list of origins.',
    remedy: 'Use an https URL of a registered origin.',
  },
  SANDBOX_ADDRESS_NOT_ALLOWED: {
    status: 406,
    message: 'Sandbox e-mail addresses do not work in the live environment.',
    cause:
      '`paymentMethod.emailAddress` ends in @sandbox.test, which chooses the outcome in the sandbox and has no meaning in live.',
    remedy: 'Send the customer’s real e-mail address.',
  },
  ACCOUNT_DATA_NOT_AVAILABLE: {
    status: 406,
    message: 'No account data has been collected for this payment yet.',
    cause: 'The request carried no account data, and the payment process has not delivered any.',
    remedy: 'Read it again after the payment has finished.',
  },
  BALANCE_INSUFFICIENT: {
    status: 406,
    message: 'The available balance does not cover the amount and the fee.',
    cause:
      'A payout holds its amount and its fee from the available balance of its currency. Money that is not settled yet does not count, and currencies are never converted.',
    remedy:
      'Read GET /balances. Top up, wait for the settlement, or send a smaller payout; the same id may be used again, because nothing was stored.',
  },
  BENEFICIARY_BLOCKED: {
    status: 406,
    message: 'The account to pay to is on the block-list.',
    cause: 'The operator of the gateway has blocked this account, for this merchant or for all.',
    remedy: 'Do not retry. If you think this is a mistake, contact the operator of the gateway.',
  },
  APPROVAL_OWN_REQUEST: {
    status: 406,
    message: 'You requested this payment, so other operators have to approve it.',
    cause: 'Operator API: the operator who requested a payment cannot be one of the two who approve it.',
    remedy: 'Ask two other operators.',
  },
  HOLD_OWN: {
    status: 406,
    message: 'You put this payment on hold, so another operator has to release it.',
    cause: 'Operator API: the operator who put a payment on hold cannot release it.',
    remedy: 'Ask another operator.',
  },
  CUSTOMER_NOT_FOUND: {
    status: 406,
    message: 'There is no customer with this id.',
    cause:
      'The request names `customer.idCustomer`, and the merchant has no such customer, or it was erased. A token for one payment, which a customer may hold, can name none.',
    remedy:
      'Create the customer with POST /customers/{idCustomer} first, and name it with a token of your server; or leave `customer` out.',
  },
  CUSTOMER_BLOCKED: {
    status: 406,
    message: 'The customer is blocked.',
    cause: 'The customer that the request names was blocked with POST /customers/{idCustomer}/!block.',
    remedy: 'Unblock the customer with POST /customers/{idCustomer}/!unblock, if that is intended.',
  },
  CUSTOMER_HAS_OPEN_PAYMENTS: {
    status: 406,
    message: 'The customer has payments that have not ended.',
    cause:
      'Erasing the data of a payment in progress would leave the institution without the account to pay.',
    remedy: 'Wait until the payments of GET /customers/{idCustomer}/payments have ended, then erase.',
  },
  RATE_NOT_AVAILABLE: {
    status: 406,
    message: 'There is no rate for this conversion.',
    cause:
      'The rate list has no valid sheet for the date, the sheet has no row for one of the currencies, or the sheet is too old.',
    remedy: 'Read GET /rate-lists/{code} for the currencies and the age of the sheet.',
  },
  SETTLEMENT_ACCOUNT_MISSING: {
    status: 406,
    message: 'No settlement account is registered for this currency.',
    cause: 'The operator of the gateway registers each merchant’s settlement accounts, one per currency.',
    remedy: 'Ask the operator of the gateway to register your account.',
  },
  CONFIRMATION_OTHER_PERSON: {
    status: 406,
    message: 'Another operator has to do this.',
    cause:
      'Operator API: you proposed it, uploaded the file with its lines, or made the payout file that it is about. Only the operator who proposed it can withdraw it.',
    remedy: 'Ask another operator. The message says why it cannot be you.',
  },
} as const satisfies Readonly<Record<string, ErrorDescription>>
