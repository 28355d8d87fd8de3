/** What an operator is trusted with. */
export const OPERATOR_ROLES = ['AUDITOR', 'SUPPORT', 'FINANCE', 'APPROVER', 'CATALOGUE', 'ADMIN'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** What somebody may do who belongs to one merchant and not to the house. */
export const MEMBER_ROLES = ['ADMIN', 'STAFF'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** What an operation of the operator API can ask for: a noun and what is done with it. */
export const OPERATOR_PERMISSIONS = [
  'self.read',
  'payins.read',
  'payouts.read',
  'payouts.approve',
  'payouts.unmask',
  'payments.hold',
  'payments.release',
  'payments.trigger',
  'topups.read',
  'payout-files.read',
  'payout-files.change',
  'reviews.read',
  'reviews.decide',
  'callbacks.read',
  'callbacks.resend',
  'ledger.read',
  'volumes.recount',
  'settlements.read',
  'settlements.run',
  'statements.read',
  'statements.unmask',
  'statements.take',
  'statements.decide',
  'confirmations.read',
  'confirmations.decide',
  'confirmations.withdraw',
  'rates.read',
  'rates.change',
  'retention.read',
  'customers.read',
  'customers.change',
  'catalogue.read',
  'catalogue.change',
  'catalogue.apply',
  'bank-accounts.read',
  'bank-accounts.change',
  'health.read',
  'institutions.read',
  'institutions.change',
  'institutions.unmask',
  'merchants.read',
  'merchants.change',
  'merchant-keys.change',
  'people.read',
  'people.change',
  'operators.read',
  'unmaskings.read',
  'operators.change',
] as const
export type OperatorPermission = (typeof OPERATOR_PERMISSIONS)[number]
