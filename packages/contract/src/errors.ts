/** What a code means: its HTTP status, the sentence in the answer, why it happens and what to do about it. */
export interface ErrorDescription {
  readonly status: 400 | 401 | 403 | 404 | 406 | 409 | 410 | 429 | 500
  readonly message: string
  readonly cause: string
  readonly remedy: string
}

/**
 * Every code the gateway answers with (specification section 7; the codes themselves are ours).
 * A code outside this list cannot be thrown, each has a page in docs/errors and a test that makes it happen.
 */
export const ERROR_CATALOGUE = {
  ATTRIBUTE_REQUIRED: {
    status: 400,
    message: 'A required attribute is missing or empty.',
    cause: 'The request lacks a member that the operation needs, or the member is an empty text.',
    remedy:
      'Read `violations`: each entry names the field. Add it and send the request again with the same id.',
  },
  ATTRIBUTE_INVALID: {
    status: 400,
    message: 'An attribute has the wrong type.',
    cause: 'A member has another JSON type than the interface defines, e.g. an amount sent as a text.',
    remedy:
      'Read `violations`: each entry names the field and the type it must have. Amounts are JSON numbers.',
  },
  ATTRIBUTE_VALUE_INVALID: {
    status: 400,
    message: 'An attribute has a value that is not allowed.',
    cause: 'The type is right, but the value breaks a constraint: pattern, length, enumeration or range.',
    remedy: 'Read `violations`: each entry names the field and the rule.',
  },
  BODY_INVALID: {
    status: 400,
    message: 'The request could not be read.',
    cause:
      'The body is missing, too large, not JSON, not UTF-8, has a member twice, or was sent with another content type than application/json.',
    remedy:
      'Send one JSON object in UTF-8 with `Content-Type: application/json` and without compression, at most 64 KiB.',
  },
  INVALID_REF_NUM: {
    status: 400,
    message: 'This payment takes no external reference.',
    cause: 'The payment method of this payin has no step in which the customer supplies a reference.',
    remedy:
      'Call this operation only for methods whose `flow` is REFERENCE or whose instructions ask for a reference.',
  },
  ENTITY_EXPIRED: {
    status: 400,
    message: 'The payment has ended; its external reference can no longer change.',
    cause: 'The payin is in a final status and the reference differs from the one that was stored.',
    remedy: 'Read the payment detail. Money that still arrives is matched by the operator.',
  },
  TOKEN_MISSING: {
    status: 401,
    message: 'The Authorization header with a Bearer token is missing.',
    cause:
      'The request carries no `Authorization: Bearer <token>` header. Tokens in the query or the body are not read.',
    remedy: 'Create a token with POST /auth-tokens or POST /auth-tokens-by-action and send it in the header.',
  },
  TOKEN_INVALID: {
    status: 401,
    message: 'The token is not valid.',
    cause: 'It was not signed by this gateway for this environment, was altered, or has been revoked.',
    remedy: 'Create a new token. Tokens of the sandbox do not work in live, nor the reverse.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    message: 'The token has expired.',
    cause: 'The time in the claim `exp` has passed.',
    remedy: 'Create a new token; ask for a longer `validitySecs` if your process takes longer.',
  },
  CREDENTIALS_INVALID: {
    status: 401,
    message: 'The credentials are not valid.',
    cause:
      'Unknown merchant code, wrong secret, or no credential at all. The answer is the same for all of them.',
    remedy: 'Check the merchant code and the secret, or sign the request with X-SIGNATURE.',
  },
  SIGNATURE_INVALID: {
    status: 401,
    message: 'The signature or its timestamp is not valid.',
    cause:
      'X-SIGNATURE does not verify against any active public key of the merchant, is not strict base64, or `timestamp` is more than the tolerance away from now.',
    remedy:
      'Compare with `npx tollgate sign`, which shows the exact bytes, the digest and the header. Check the clock.',
  },
  OPERATION_NOT_PERMITTED: {
    status: 403,
    message: 'The token does not permit this operation.',
    cause: 'No entry of the claim `operations` matches the method and the path of this request.',
    remedy:
      'Create a token whose `operations` cover it; `npx tollgate token explain` shows what a token allows.',
  },
  MONEY_NOT_PERMITTED: {
    status: 403,
    message: 'The token is limited to another amount or currency.',
    cause: 'The token was created with `money`, and the request asks for different money.',
    remedy: 'Send exactly the money of the token, or create a token for the new amount.',
  },
  MERCHANT_UNAVAILABLE: {
    status: 403,
    message: 'The merchant account is disabled.',
    cause: 'The operator of the gateway has disabled the merchant.',
    remedy: 'Contact the operator of the gateway.',
  },
  API_VERSION_UNSUPPORTED: {
    status: 404,
    message: 'The header X-API-Version is missing or names an unsupported version.',
    cause: 'Every request carries the MAJOR version alone, e.g. `X-API-Version: 2`.',
    remedy: 'Send one of `supportedVersions`.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    message: 'There is no such operation.',
    cause: 'The method and path match no operation of this interface version.',
    remedy: 'Compare with /openapi.json. Literal operation names begin with an exclamation mark.',
  },
  ENTITY_DUPLICATED: {
    status: 409,
    message: 'A payment with this id was already accepted; this request was not processed.',
    cause: 'The id was used before by this merchant for this kind of payment.',
    remedy:
      'With `duplicate: IDENTICAL` your earlier request was accepted: read the detail. With DIFFERENT, use a new id for a new payment.',
  },
  ENTITY_NOT_FOUND: {
    status: 410,
    message: 'There is no payment with this id.',
    cause: 'This merchant has not created a payment of this kind under this id.',
    remedy: 'Check the id and the kind. An id whose create was never answered may be sent again safely.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Too many requests; this one was not processed.',
    cause: 'More requests than the limit arrived within one second.',
    remedy: 'Wait for the seconds in `Retry-After` and send the same request again.',
  },
  SYSTEM: {
    status: 500,
    message: 'The gateway could not process the request; its outcome is not known.',
    cause: 'A fault inside the gateway, or its database is away.',
    remedy:
      'Repeat the request with the same id after `Retry-After`: an accepted payment answers 409, a lost one is accepted.',
  },
  NO_OPTION_AVAILABLE: {
    status: 406,
    message: 'No payment option is available for this amount, currency and segment.',
    cause: 'Every method of the merchant was excluded; the answer has one entry per method that says why.',
    remedy: 'Change the amount or the currency, or ask the operator to enable a method.',
  },
  PAYMENT_METHOD_NOT_AVAILABLE: {
    status: 406,
    message: 'The payment method is not available.',
    cause:
      'The method does not exist, is switched off, or is not configured for this merchant and direction.',
    remedy: 'Use a method of POST /payins/!availablePaymentOptions.',
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
  CURRENCY_NOT_SUPPORTED: {
    status: 406,
    message: 'The currency is not supported.',
    cause: 'The currency is unknown to the gateway, or no method of the merchant takes it.',
    remedy: 'Use a currency of GET /currencies.',
  },
  SEGMENT_NOT_SUPPORTED: {
    status: 406,
    message: 'The customer segment is not supported.',
    cause: 'The segment is unknown, or the method is not offered to it.',
    remedy: 'Use a segment of GET /segments, or leave it out.',
  },
  CHANNEL_UNAVAILABLE: {
    status: 406,
    message: 'The payment channel is closed at the moment.',
    cause: 'The institution behind the operator is closed for this direction.',
    remedy: 'Offer another operator; GET /payment-operators shows the availability.',
  },
  CHANNEL_LIMIT: {
    status: 406,
    message: 'The daily limit of this payment method is used up.',
    cause:
      'The merchant has a cap on the amount or number of payments per day, and this payment would exceed it.',
    remedy: 'Try again tomorrow (UTC), use another method, or ask the operator to raise the cap.',
  },
  ACCOUNT_REQUIRED: {
    status: 406,
    message: 'The payment method needs account data.',
    cause: '`paymentMethod.account` lacks a field that the method requires.',
    remedy: 'Read `fields` of the method in the payment options and send the required ones.',
  },
  ACCOUNT_INVALID: {
    status: 406,
    message: 'The account data does not have the form that the payment method needs.',
    cause: 'A field of `paymentMethod.account` does not match the pattern, length or checksum of the method.',
    remedy: 'Read `fields` of the method: each has its `pattern` and `maxLength`.',
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
      '`paymentMethod.emailAddress` ends in @sandbox.test, which decides outcomes in the sandbox and means nothing in live.',
    remedy: 'Send the customer’s real e-mail address.',
  },
  ACCOUNT_DATA_NOT_AVAILABLE: {
    status: 406,
    message: 'No account data has been collected for this payment yet.',
    cause: 'The request carried no account data, and the payment process has not delivered any.',
    remedy: 'Read it again after the payment has finished.',
  },
} as const satisfies Readonly<Record<string, ErrorDescription>>

/** A code of the catalogue. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE

/** True for a text that is a code of the catalogue. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, text)
}
