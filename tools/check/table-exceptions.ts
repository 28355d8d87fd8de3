/** SQL about a table that stands outside of the room that the table belongs to. Places are below apps/gateway/src/. */
export type Exception = { readonly in: string; readonly table: string; readonly why: string }

function allow(place: string, why: string, ...tables: readonly string[]): readonly Exception[] {
  return tables.map((table) => ({ in: place, table, why }))
}

const CHAIN =
  'The journal is a copy of the books by design: it reads every transfer in the order of its commit.'
const JOIN = 'The rows are chosen by what both tables say; two statements would read far more than they need.'
const MUST_STAY =
  'Whether a row may go depends on work that another room still has with it: asked by the statement that takes it away.'
const CODES = 'A list shows merchants by their codes, without another round trip.'
const CHECK = 'A check compares what rooms say of the same thing, over whole tables and at one moment.'
const EXISTS = 'A foreign key by hand: the row is locked or looked up by its key, and nothing is read of it.'

const OPENS_A_GAP =
  'open_restore_gap, a function of the database: it opens the gap and stops what may have left, in one transaction, also right after a restore.'
const MAY_LEAVE =
  'outgoing_stop, a function of the database: whether money may leave is asked by the statement that notes that it leaves.'
const WHERE_IT_IS =
  'cell_of_merchant or cell_of_line, functions of the database: whether it is this cell’s is asked by the statement that finds the work.'

const OWN_CLOCK =
  'How far a merchant advanced its clock, of each payment that is read: the door of its room, a function, costs four times what reading the payment does.'

/** Writes, with the reads that go with them. */
export const WRITES: readonly Exception[] = [
  ...allow(
    'cli/actions/restore.ts',
    OPENS_A_GAP,
    'payment_holds',
    'payment_tasks',
    'payment_timeline',
    'payments',
    'restore_gaps',
  ),
  ...allow(
    'modules/payouts/gap-store.ts',
    OPENS_A_GAP,
    'payment_holds',
    'payment_tasks',
    'payment_timeline',
    'payments',
  ),
  ...allow(
    'modules/payments/accept/store.ts',
    'A payout is accepted, its money held and its task made by one statement: one round trip, one commit.',
    'ledger_transfers',
    'ledger_postings',
    'balances',
  ),
]

/** Reads. */
export const READS: readonly Exception[] = [
  ...allow('modules/audit/store.ts', CODES, 'operators'),
  ...allow(
    'modules/cells/store.ts',
    'Whether anybody has used a database is one question, which is asked before it has a root key.',
    'merchants',
    'operators',
    'token_signing_keys',
  ),
  ...allow(
    'rooms/cell-move-tables.ts',
    'Rows are copied as they are, by the names of their tables; attempts have no merchant, and are found by their callbacks.',
    'callback_events',
    'parked_callback_events',
  ),
  ...allow('modules/bank-accounts/store.ts', EXISTS, 'currencies'),
  ...allow(
    'modules/callbacks/store.ts',
    'What was erased must not be kept anew: asked by the statement that keeps what a receiver answered.',
    'payment_personal_data',
  ),
  ...allow('modules/callbacks/expiry-store.ts', MUST_STAY, 'payment_tasks'),
  ...allow(
    'modules/catalogue/store.ts',
    'All that decides about a create is read by one statement, which is one snapshot.',
    'institution_health',
  ),
  ...allow('modules/catalogue/store.ts', JOIN, 'merchants'),
  ...allow('modules/chains/checks.ts', CHECK, 'ledger_transfers', 'ledger_postings', 'payments'),
  ...allow(
    'modules/confirmations/expiry-store.ts',
    MUST_STAY,
    'payout_reports',
    'statement_files',
    'statement_lines',
    'statements',
  ),
  ...allow('modules/journal/', CHAIN, 'ledger_postings', 'ledger_transfers'),
  ...allow('modules/merchants/store.ts', EXISTS, 'segments'),
  ...allow('modules/notifications/store.ts', CODES, 'merchants'),
  ...allow('modules/operators/unmasking-store.ts', CODES, 'merchants'),
  ...allow(
    'modules/payments/checks.ts',
    CHECK,
    'callback_events',
    'ledger_postings',
    'ledger_transfers',
    'payout_file_payments',
    'retention_horizons',
  ),
  ...allow(
    'modules/payments/privacy/checks.ts',
    CHECK,
    'callback_attempts',
    'callback_events',
    'customers',
    'statement_lines',
  ),
  ...allow('modules/payments/rows.ts', OWN_CLOCK, 'clock_advances'),
  ...allow('modules/payments/people/search-store.ts', WHERE_IT_IS, 'merchants'),
  ...['customer-payments.ts', 'erasure.ts', 'payer-store.ts'].flatMap((file) =>
    allow(`modules/payments/privacy/${file}`, WHERE_IT_IS, 'merchants'),
  ),
  ...allow('modules/payments/privacy/expiry-store.ts', MUST_STAY, 'statement_lines'),
  ...allow('modules/payments/progress/match-store.ts', WHERE_IT_IS, 'merchants'),
  ...allow('modules/payments/progress/reference-store.ts', WHERE_IT_IS, 'merchants'),
  ...allow(
    'modules/payments/progress/hand-over-store.ts',
    MAY_LEAVE,
    'blocked_beneficiaries',
    'merchants',
    'payout_approvals',
    'refunds',
    'restore_gap_ids',
    'restore_gap_references',
    'restore_gaps',
  ),
  ...allow(
    'modules/payout-files/expiry-store.ts',
    MUST_STAY,
    'payment_personal_data',
    'payment_timeline',
    'payments',
  ),
  ...allow('modules/payout-files/payees/check-store.ts', JOIN, 'payment_tasks', 'payments'),
  ...allow('modules/payout-files/store.ts', JOIN, 'payments'),
  ...allow('modules/payout-files/trace-store.ts', JOIN, 'payments'),
  ...allow('modules/payout-files/verification-store.ts', JOIN, 'payments'),
  ...allow('modules/payouts/rule-store.ts', JOIN, 'payments'),
  ...allow('modules/settlements/cycle-store.ts', WHERE_IT_IS, 'merchants'),
  ...allow('modules/statements/waiting.ts', WHERE_IT_IS, 'cell_splits'),
  ...allow(
    'modules/settlements/checks.ts',
    CHECK,
    'balances',
    'ledger_postings',
    'ledger_transfers',
    'payments',
  ),
  ...allow('modules/refunds/checks.ts', CHECK, 'payments'),
  ...allow('modules/refunds/store.ts', JOIN, 'payments'),
  ...allow('modules/settlements/run-store.ts', JOIN, 'balances', 'ledger_postings', 'ledger_transfers'),
  ...allow('modules/settlements/seed.ts', EXISTS, 'currencies'),
  ...allow('modules/settlements/store.ts', JOIN, 'payments'),
  ...allow('modules/statements/checks.ts', CHECK, 'ledger_postings', 'ledger_transfers', 'payments'),
]
