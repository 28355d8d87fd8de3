/**
 * The statements of a payin's life, from its acceptance until its callback is noted, by the names under which they are prepared.
 * A test compares them with what a gateway sends; `npm run bench -- --only life` shows what each costs.
 */
export const LIFE: ReadonlySet<string> = new Set([
  // The merchant and the prices are read once, then they are in memory.
  'merchants_find_by_code',
  'merchants_find_by_id',
  'catalogue_find_terms',
  'payments_insert',
  'payment_tasks_claim',
  'payments_list_for_update',
  'payments_update',
  'payments_insert_personal_data',
  'ledger_insert_transfers',
  'ledger_upsert_balances',
  'callbacks_insert_events',
  'callbacks_update_attempts',
])

/** What may run at the same time although no payment waits for it. What an idle gateway runs, too, need not be here. */
export const HOUSEKEEPING: ReadonlySet<string> = new Set([
  'select 1',
  // Once a second: a callback is sent by whoever wrote it.
  'callbacks_claim_due',
  // Behind a backlog.
  'callbacks_claim_walking',
  'payment_tasks_claim_beside',
  'institution_results_add',
  'journal_insert_entries',
  // Of the sandbox: at most 100 requests in a quarter of a second.
  'sandbox_requests_insert',
  'sandbox_requests_delete_old',
  // A minute behind: only of a capture on a busy machine.
  'volumes_count',
  'volumes_count_house',
  'volumes_set_mark',
  'volumes_set_house_mark',
])
