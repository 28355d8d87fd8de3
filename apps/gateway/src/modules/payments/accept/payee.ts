import { compactIban, isIban, type PayeeIdentity, payeeIdentity, payeeText } from '@tollgate/payment-codes'
import type { Secrets } from '../../../platform/secrets.ts'
import type { AcceptedPayment } from '../../catalogue/index.ts'
import type { PaymentRequest } from './request.ts'

/** A request of which it may be known already which method and payment operator it goes through. */
export interface PayeeSource {
  readonly request: Pick<PaymentRequest, 'account' | 'operatorCode' | 'money'>
  readonly accepted: Pick<AcceptedPayment, 'method' | 'operator'> | undefined
}

/**
 * Who an outgoing payment goes to. A bank code that the method does not ask for is left out: it would make the same account look
 * like another one. Undefined when no account is named.
 */
export function payeeOf({ request, accepted }: PayeeSource): PayeeIdentity | undefined {
  const { accountNumber, bankCode } = request.account ?? {}
  if (accountNumber === undefined) return undefined
  const { asksBank, accountScheme } = askedBy(accepted)
  return payeeIdentity({
    accountNumber,
    bankCode: asksBank ? bankCode : undefined,
    operatorCode: accepted === undefined ? request.operatorCode : accepted.operator?.code,
    accountScheme,
    currencyCode: request.money.currencyCode,
  })
}

/** What the method wants to know of an account; it may not be known yet which method that is. */
function askedBy(accepted: PayeeSource['accepted']) {
  const fields = accepted?.method.sides.get('PAYOUT')?.fields
  return {
    asksBank: fields === undefined || fields.some(({ name }) => name === 'bankCode'),
    accountScheme: fields?.find(({ name }) => name === 'accountNumber')?.checksum,
  }
}

/** The keyed digest by which a payee is known again. */
export function digestPayee(secrets: Secrets, payee: PayeeIdentity): Buffer {
  return secrets.digest('request-digest', payeeText(payee))
}

/**
 * The digest that stood for an account before payees had an identity: of its letters and digits alone. Block-lists may still
 * hold it, and so may payments from before; see docs/decisions/0028-payee-identity.md.
 */
export function formerDigestOf(secrets: Secrets, accountNumber: string): Buffer {
  const letters = accountNumber.replace(/[\s./-]/g, '').toUpperCase()
  return secrets.digest('request-digest', `beneficiary ${letters}`)
}

/**
 * The former digest where it means this account and no other: of an IBAN. What was paid to other accounts before does not make
 * them known.
 */
export function exactFormerDigestOf(secrets: Secrets, { account }: PaymentRequest): Buffer | undefined {
  const { accountNumber } = account ?? {}
  return accountNumber !== undefined && isIban(compactIban(accountNumber))
    ? formerDigestOf(secrets, accountNumber)
    : undefined
}
