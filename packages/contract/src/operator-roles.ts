/** What an operator is trusted with. */
export const OPERATOR_ROLES = ['AUDITOR', 'SUPPORT', 'FINANCE', 'APPROVER', 'CATALOGUE', 'ADMIN'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** What an operation of the operator API can ask for: a noun and what is done with it. */
export const OPERATOR_PERMISSIONS = [
  'self.read',
  'payins.read',
  'payins.change',
  'payouts.read',
  'payouts.approve',
  'payments.hold',
  'payments.release',
  'topups.read',
  'topups.change',
  'payout-files.read',
  'payout-files.change',
  'reviews.read',
  'reviews.decide',
  'callbacks.read',
  'callbacks.resend',
  'ledger.read',
  'ledger.adjust',
  'settlements.read',
  'settlements.run',
  'statements.read',
  'statements.take',
  'statements.decide',
  'rates.read',
  'rates.change',
  'customers.read',
  'customers.change',
  'catalogue.read',
  'catalogue.change',
  'institutions.read',
  'institutions.change',
  'merchants.read',
  'merchants.change',
  'operators.read',
  'operators.change',
] as const
export type OperatorPermission = (typeof OPERATOR_PERMISSIONS)[number]
