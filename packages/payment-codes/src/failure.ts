/** A value that a standard does not admit. The message names the member and what would be right. */
export class PaymentCodeInvalid extends Error {
  override readonly name = 'PaymentCodeInvalid'
}

/** Throws PaymentCodeInvalid unless the condition holds. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new PaymentCodeInvalid(message)
}
