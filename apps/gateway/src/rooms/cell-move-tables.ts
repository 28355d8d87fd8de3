import type { MovingTable } from '../modules/cells/index.ts'

// What goes with a merchant that moves into another cell, and what stays (docs/cells.md, "Moving a merchant").

const OF_PAYMENT = ['merchant_id', 'kind', 'id_payment'] as const

/** Those that are not told yet are due: they come at the end. */
const EVENTS: MovingTable = { name: 'callback_events', key: ['event_id'] }

/** The history, most of which does not change any more: copied while the merchant is served, and what changed meanwhile once more. */
export const HISTORY: readonly MovingTable[] = [
  { name: 'customers', key: ['merchant_id', 'id_customer'] },
  { name: 'payments', key: OF_PAYMENT },
  { name: 'payment_timeline', key: [...OF_PAYMENT, 'entry_no'] },
  { name: 'payment_personal_data', key: [...OF_PAYMENT, 'source'] },
  { name: 'payment_external_references', key: [...OF_PAYMENT, 'entry_no'] },
  { name: 'payment_inquiries', key: [...OF_PAYMENT, 'inquiry_id'] },
  { name: 'payment_holds', key: [...OF_PAYMENT, 'entry_no'], isOnlyAdded: true },
  { name: 'payee_checks', key: OF_PAYMENT, isOnlyAdded: true, without: ['check_no'] },
  { name: 'payout_approval_requests', key: OF_PAYMENT },
  {
    name: 'payout_approvals',
    key: [...OF_PAYMENT, 'operator_code', 'content_hash', 'decision'],
    isOnlyAdded: true,
  },
  { name: 'refunds', key: ['merchant_id', 'id_payin', 'id_refund'], isOnlyAdded: true },
  {
    name: 'ledger_transfers',
    key: ['merchant_id', 'transfer_id'],
    isOnlyAdded: true,
    // The journal takes them in the order of the transactions here.
    without: ['xid'],
  },
  {
    name: 'ledger_postings',
    key: ['merchant_id', 'transfer_id', 'posting_no'],
    isOnlyAdded: true,
    together: 'transfer_id',
  },
  { name: 'settlements', key: ['merchant_id', 'id_settlement'], isOnlyAdded: true },
  { name: 'settlement_items', key: ['merchant_id', 'transfer_id'], isOnlyAdded: true },
  EVENTS,
  {
    name: 'callback_attempts',
    key: ['event_id', 'attempt_no'],
    where: `t.event_id in (select event_id from callback_events where merchant_id = $1
      union all select event_id from parked_callback_events where merchant_id = $1)`,
  },
]

/** Switches that money waits for: written at the end alone, since whoever throws one keeps payouts waiting. */
export const SWITCHES: readonly MovingTable[] = [
  { name: 'blocked_beneficiaries', key: ['merchant_id', 'beneficiary_digest'] },
]

/** What is small: copied with the history, and as a whole at the end. */
export const STATE: readonly MovingTable[] = [
  {
    name: 'merchant_fees',
    key: ['merchant_id', 'direction', 'method_code', 'operator_code', 'segment_code', 'currency_code'],
  },
  { name: 'merchant_keys', key: ['merchant_id', 'key_id'] },
  { name: 'merchant_limits', key: ['merchant_id', 'method_code', 'direction', 'currency_code'] },
  { name: 'merchant_logos', key: ['merchant_id'] },
  { name: 'merchant_methods', key: ['merchant_id', 'method_code', 'direction'] },
  { name: 'merchant_secrets', key: ['merchant_id', 'secret_id'] },
  { name: 'payout_rules', key: ['merchant_id', 'currency_code'] },
  { name: 'settlement_accounts', key: ['merchant_id', 'currency_code'] },
  { name: 'settlement_cycles', key: ['merchant_id', 'currency_code'] },
  { name: 'balances', key: ['merchant_id', 'currency_code'] },
  { name: 'payment_daily_usage', key: ['merchant_id', 'kind', 'method_code', 'currency_code', 'day'] },
  { name: 'payout_daily_sums', key: ['merchant_id', 'kind', 'currency_code', 'day'] },
  // A request for a token that was used once is not used again here.
  { name: 'signed_token_requests', key: ['merchant_id', 'jti'] },
  { name: 'clock_advances', key: ['merchant_id', 'advance_no'], isOnlyAdded: true },
]

/** Without its place: each database says for itself where the merchant is. */
export const MERCHANT: MovingTable = { name: 'merchants', key: ['merchant_id'], without: ['cell'] }

/** What is due, and where the cell that is left has it. */
export const DUE = [
  { table: EVENTS, parkedIn: { name: 'parked_callback_events', key: EVENTS.key } },
  {
    table: { name: 'payment_tasks', key: [...OF_PAYMENT, 'task'] },
    parkedIn: { name: 'parked_payment_tasks', key: [...OF_PAYMENT, 'task'] },
  },
] as const satisfies readonly { readonly table: MovingTable; readonly parkedIn: MovingTable }[]

/** Tables with a merchant that stay, and why. */
export const LEFT: Readonly<Record<string, string>> = {
  cell_moves: 'Each database has its own side of a move.',
  chain_payouts: 'Of a chain: a merchant with payments on one does not move.',
  chain_transfers: 'Of a chain: a merchant with payments on one does not move.',
  configuration_changes: 'Written anew by the triggers of the database.',
  ledger_journal: 'Each journal chains what was booked in its database.',
  parked_callback_events: 'Given back: they are callback events again.',
  parked_payment_tasks: 'Given back: they are tasks again.',
  payment_volumes: 'Counted anew.',
  payout_file_payments: 'Of a bank account of the cell that made the file.',
  payout_report_entries: 'Of a bank account of the cell that got the report.',
  rail_notifications: 'What was reported to the cell, and what it did with it.',
  restore_gap_ids: 'A merchant with payouts of a restore gap does not move.',
  revoked_tokens: 'Of tokens that the cell signed: no other cell takes them.',
  statement_decisions: 'Of a bank account of the cell.',
  statement_lines: 'Of a bank account of the cell.',
  unmaskings: 'Who saw what in the cell.',
}
