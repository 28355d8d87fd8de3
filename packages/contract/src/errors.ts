import type { ErrorDescription } from './error-description.ts'
import { REJECTIONS } from './rejections.ts'

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
    message: 'This payment does not accept this external reference.',
    cause:
      'The payment method of this payin has no step in which the customer supplies a reference, or the reference does not have the form of the method: 12 digits for UPI and IMPS; 12, 16 or 22 letters and digits for other methods in INR.',
    remedy:
      'Call this operation only for methods whose `flow` is REFERENCE or whose instructions ask for a reference. Send the reference that the bank or wallet gave to the customer.',
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
      'The request carries no `Authorization: Bearer <token>` header. Tokens in the query or body are ignored.',
    remedy:
      'Create a token with POST /auth-tokens or POST /auth-tokens-by-action and send it in the header. The operator API takes an operator’s key there.',
  },
  TOKEN_INVALID: {
    status: 401,
    message: 'The token is not valid.',
    cause: 'It was not signed by this gateway for this environment, was altered, or has been revoked.',
    remedy:
      'Create a new token. Sandbox tokens do not work in live, and live tokens do not work in the sandbox. Operators: ask for a new key.',
  },
  PASSKEY_INVALID: {
    status: 401,
    message: 'Signing in with this passkey failed.',
    cause:
      'Operator API: the passkey is unknown or removed, its signature, address or challenge is wrong, its counter went back, or its operator is disabled. The answer is the same for all of them; the log of the gateway says which.',
    remedy: 'Begin again. If it fails again, ask an ADMIN for an invitation to register a passkey.',
  },
  IDENTITY_INVALID: {
    status: 401,
    message: 'Signing in by the provider of identities failed.',
    cause:
      'Operator API: the attempt is unknown, was used, took too long or is of another browser; the provider refused, or what it sent is not for us; or its account is linked to no operator, or to a disabled one. The answer is the same for all of them; the log of the gateway says which.',
    remedy: 'Begin again. If it fails again, ask an ADMIN for an invitation to link your account.',
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
      'X-SIGNATURE does not verify against any active public key of the merchant, is not strict base64, `timestamp` is more than the tolerance away from now, or the request was signed before all tokens were revoked or so long ago that its token would have expired.',
    remedy:
      'Compare with `npx tollgate sign`, which shows the exact bytes, the digest and the header. Check the clock.',
  },
  OPERATION_NOT_PERMITTED: {
    status: 403,
    message: 'The token does not permit this operation.',
    cause: 'No entry of the claim `operations` matches the method and the path of this request.',
    remedy:
      'Create a token whose `operations` cover it; `npx tollgate token explain` shows what a token allows. Operators: GET /operator/me shows what your roles permit.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    message: 'This operation needs a fresh touch of your passkey.',
    cause:
      'Operator API: the session was made by a passkey, and the header X-Step-Up is missing, or its secret was used, has expired, or is for another request or session.',
    remedy:
      'POST /operator/step-ups/!begin with `method` and `path` of this request, sign its challenge, POST /operator/step-ups/!finish, and send this request again with the secret in X-Step-Up within two minutes.',
  },
  MONEY_NOT_PERMITTED: {
    status: 403,
    message: 'The token is limited to another amount or currency.',
    cause:
      'The token was created with `money`, and the request asks for different money. Or it carries no `money` and the merchant requires it in tokens that go to customers (`requireMoneyInTokens`).',
    remedy:
      'Send exactly the money of the token, or create a token for the new amount. Where `money` is missing, request the token with it; `tollgate merchants require-money <code> off` lifts the requirement.',
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
    message: 'This id was already accepted; this request was not processed.',
    cause: 'The id was used before by this merchant for the same kind of entity.',
    remedy:
      'With `duplicate: IDENTICAL` your earlier request was accepted: read the detail. With DIFFERENT, use a new id for a new payment.',
  },
  PAYOUT_ID_LOST: {
    status: 409,
    message: 'This id was accepted before, and its record was lost; this request was not processed.',
    cause:
      'The gateway was restored from a backup. A payment with this id had been accepted after that backup, and may have been paid.',
    remedy:
      'Do not pay it again under another id. The operator of the gateway can find out whether it was paid.',
  },
  PAYIN_NOT_CANCELLABLE: {
    status: 409,
    message: 'This payin cannot be cancelled.',
    cause:
      'It has ended, money may have arrived for it, its customer says so, or its institution is being asked about it at this moment. The message says which.',
    remedy:
      'Read the payin: this request changed nothing. If its institution is being asked, repeat the request in a moment. What was paid can only be paid back.',
  },
  APPROVAL_NOT_OPEN: {
    status: 409,
    message: 'This payment is not waiting for approval.',
    cause:
      'Operator API: the payment never needed approval, was approved or rejected by others, or has expired.',
    remedy: 'Read the payment. This request changed nothing.',
  },
  APPROVAL_CONTENT_CHANGED: {
    status: 409,
    message: 'The content differs from what you decided on.',
    cause:
      'Operator API: `contentHash` is not the fingerprint of the payment as it is now. It belongs to another payment, or the row was changed since you read it.',
    remedy:
      'Read the payment again and check its content. If you cannot explain the change, investigate before anybody approves.',
  },
  APPROVAL_REPEATED: {
    status: 409,
    message: 'You have already approved this.',
    cause: 'Operator API: two different operators have to approve a payment.',
    remedy: 'Ask another operator. To stop the payment, reject it.',
  },
  HOLD_NOT_OPEN: {
    status: 409,
    message: 'This payment cannot be put on hold, or is not on hold.',
    cause:
      'Operator API: only an outgoing payment that no institution has can be stopped, once; only one that is on hold can be released or cancelled.',
    remedy: 'Read the payment. This request changed nothing.',
  },
  STATEMENT_LINE_NOT_OPEN: {
    status: 409,
    message: 'The statement line is not in a state that allows this decision.',
    cause:
      'Operator API: the line is not waiting for this decision, its money does not add up to the payment’s amount, or the payment cannot take it.',
    remedy: 'Read the line and its payment. This request changed nothing.',
  },
  CONFIRMATION_NOT_OPEN: {
    status: 409,
    message: 'This is not waiting for confirmation.',
    cause:
      'Operator API: it was already confirmed, refused or withdrawn, could not be carried out, or has expired.',
    remedy: 'Read it. This request changed nothing. What has ended can be proposed again.',
  },
  CONFIRMATION_CHANGED: {
    status: 409,
    message: 'This has changed since you read it.',
    cause:
      'Operator API: `digest` does not match what is waiting, or `consequencesDigest` no longer matches what would follow.',
    remedy: 'Read it again, check it, and send the digests that it shows now.',
  },
  CONFIRMATION_FAILED: {
    status: 409,
    message: 'It could not be carried out and has ended.',
    cause:
      'Operator API: the statement line, payment or account changed between the proposal and its confirmation. Nothing was done.',
    remedy: 'Check the line, payment or file. Propose it again if it is still right.',
  },
  REVIEW_NOT_OPEN: {
    status: 409,
    message: 'The payment is not in a state that allows this decision.',
    cause:
      'Operator API: the payment has ended in the meantime, is not with an institution, or cannot go from its status to this outcome.',
    remedy: 'Read the payment. This request changed nothing.',
  },
  REVIEW_REPEATED: {
    status: 409,
    message: 'You have already recorded this decision.',
    cause:
      'Operator API: two different operators have to record the same decision about the payment as it is now.',
    remedy: 'Ask another operator.',
  },
  OUTCOME_NOT_POSSIBLE: {
    status: 406,
    message: 'The payment cannot have this outcome.',
    cause: 'Operator API of the sandbox: the outcome does not fit the payment, or no institution has it yet.',
    remedy: 'Read the payment. This request changed nothing.',
  },
  CLOCK_NOT_MOVABLE: {
    status: 406,
    message: 'The clock of this merchant cannot be moved.',
    cause:
      'Operator API of the sandbox: the merchant has payments of real money, from a time when the installation was live.',
    remedy: 'Use another merchant, or a sandbox with a database of its own.',
  },
  STATE_CONFLICT: {
    status: 409,
    message: 'This conflicts with the current state.',
    cause:
      'Operator API: the code is taken, another operator was faster, or the record is not in a state that allows this. The message says which.',
    remedy: 'Read it again. This request changed nothing.',
  },
  ENTITY_NOT_FOUND: {
    status: 410,
    message: 'There is no entity with this id.',
    cause: 'This merchant has nothing of this kind under this id.',
    remedy: 'Check the id and the kind. An id whose create was never answered may be sent again safely.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Too many requests; this one was not processed.',
    cause: 'More requests than the limit arrived within one second.',
    remedy: 'Wait the number of seconds in `Retry-After`, then send the same request again.',
  },
  PAYOUTS_STOPPED: {
    status: 500,
    message: 'No new payouts are accepted at the moment; this one may have been accepted before.',
    cause:
      'The gateway was restored from a backup, and the operator is still finding out which payouts were accepted after that backup.',
    remedy:
      'Repeat the request later with the same id. Never use another id for it: it may have been paid. Payins and top-ups work.',
  },
  SYSTEM: {
    status: 500,
    message: 'The gateway could not process the request; its outcome is not known.',
    cause: 'An internal error, or the database is unavailable.',
    remedy:
      'Repeat the request with the same id after `Retry-After`: an accepted payment answers 409, a lost one is accepted.',
  },
  ...REJECTIONS,
} as const satisfies Readonly<Record<string, ErrorDescription>>

/** A code of the catalogue. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE

/** True for a text that is a code of the catalogue. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, text)
}
