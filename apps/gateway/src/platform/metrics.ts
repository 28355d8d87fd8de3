import { httpDuration } from '@tollgate/runtime/metrics'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What the process counts for its operators. No merchant or payment ids as labels: their number has no bound. */
export interface Metrics {
  readonly registry: Registry
  readonly httpDurationSeconds: Histogram<'method' | 'route' | 'status'>
  readonly payments: Counter<'kind' | 'method' | 'status'>
  readonly callbackAttempts: Counter<'result'>
  readonly callbackOldestPendingSeconds: Gauge
  readonly rateLimited: Counter<'bucket'>
  readonly rateLimitedAlone: Counter
  readonly settlementRuns: Counter<'result'>
  /** Messages of institutions: as they came in, and what became of them. */
  readonly railNotifications: Counter<'rail' | 'result'>
  /** Conversations with banks, by how they ended: OK, or the kind of the fault. */
  readonly bankChannelLooks: Counter<'channel' | 'result'>
  /** Files of payouts of which nobody can tell whether the bank has them. */
  readonly payoutFilesUnclear: Counter<'channel'>
  /** Readings of chains, by how they ended: OK, or the kind of the fault. */
  readonly chainLooks: Counter<'chain' | 'result'>
  /** Coins that were booked, and that their chain does not have any more. */
  readonly chainTransfersMissing: Gauge<'chain'>
  /** What did not agree when it was last counted what we have on a chain. */
  readonly chainHoldingsFindings: Gauge<'chain'>
  /** Payouts on a chain that do not go on, or the wallet from which none leave. */
  readonly chainPayoutsStuck: Gauge<'chain'>
  readonly journalLagSeconds: Gauge
  /** 1 while it is not known, after a restore, what was paid since the backup. */
  readonly restoreGapOpen: Gauge
  readonly retentionRemoved: Counter<'class'>
  readonly batchRows: Histogram<'batch'>
}

/** A registry of its own, so that several gateways in one process (tests) do not share counts. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    httpDurationSeconds: httpDuration(registers),
    payments: new Counter({
      name: 'tollgate_payments_total',
      help: 'Payments that entered a status.',
      labelNames: ['kind', 'method', 'status'],
      registers,
    }),
    callbackAttempts: new Counter({
      name: 'tollgate_callback_attempts_total',
      help: 'Callback attempts by result.',
      labelNames: ['result'],
      registers,
    }),
    callbackOldestPendingSeconds: new Gauge({
      name: 'tollgate_callback_oldest_pending_seconds',
      help: 'How long the oldest due callback has been waiting for its attempt.',
      registers,
    }),
    rateLimited: new Counter({
      name: 'tollgate_rate_limited_total',
      help: 'Requests answered 429.',
      labelNames: ['bucket'],
      registers,
    }),
    ...backgroundMetrics(registers),
    ...chainMetrics(registers),
    batchRows: new Histogram({
      name: 'tollgate_batch_rows',
      help: 'Rows that shared one round trip.',
      labelNames: ['batch'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
  }
}

function backgroundMetrics(
  registers: Registry[],
): Pick<
  Metrics,
  | 'settlementRuns'
  | 'restoreGapOpen'
  | 'journalLagSeconds'
  | 'railNotifications'
  | 'rateLimitedAlone'
  | 'retentionRemoved'
  | 'bankChannelLooks'
  | 'payoutFilesUnclear'
> {
  return {
    bankChannelLooks: new Counter({
      name: 'tollgate_bank_channel_looks_total',
      help: 'Conversations with banks over their channels, by how they ended.',
      labelNames: ['channel', 'result'],
      registers,
    }),
    payoutFilesUnclear: new Counter({
      name: 'tollgate_payout_files_unclear_total',
      help: 'Payout files of which nobody can tell whether the bank has them.',
      labelNames: ['channel'],
      registers,
    }),
    retentionRemoved: new Counter({
      name: 'tollgate_retention_removed_total',
      help: 'What was removed because its time was over: callbacks, inquiries, and payments whose personal data was erased.',
      labelNames: ['class'],
      registers,
    }),
    rateLimitedAlone: new Counter({
      name: 'tollgate_rate_limit_alone_total',
      help: 'Requests that this process counted against their limit by itself, because Redis was away.',
      registers,
    }),
    settlementRuns: new Counter({
      name: 'tollgate_settlement_runs_total',
      help: 'Periods of settlement cycles that a worker ran, by result.',
      labelNames: ['result'],
      registers,
    }),
    railNotifications: new Counter({
      name: 'tollgate_rail_notifications_total',
      help: 'Messages of institutions: as they came in (RECEIVED, REPEATED, FORGED) and their result (APPLIED, KNOWN, QUARANTINED).',
      labelNames: ['rail', 'result'],
      registers,
    }),
    restoreGapOpen: new Gauge({
      name: 'tollgate_restore_gap_open',
      help: '1 after a restore, as long as no payouts are accepted or handed over.',
      registers,
    }),
    journalLagSeconds: new Gauge({
      name: 'tollgate_journal_lag_seconds',
      help: 'How long the transfer that comes next in the journal has been waiting for its entry.',
      registers,
    }),
  }
}

function chainMetrics(
  registers: Registry[],
): Pick<Metrics, 'chainLooks' | 'chainTransfersMissing' | 'chainHoldingsFindings' | 'chainPayoutsStuck'> {
  return {
    chainLooks: new Counter({
      name: 'tollgate_chain_looks_total',
      help: 'Readings of chains, by how they ended.',
      labelNames: ['chain', 'result'],
      registers,
    }),
    chainTransfersMissing: new Gauge({
      name: 'tollgate_chain_transfers_missing',
      help: 'Coins that were booked, and that their chain does not have any more.',
      labelNames: ['chain'],
      registers,
    }),
    chainHoldingsFindings: new Gauge({
      name: 'tollgate_chain_holdings_findings',
      help: 'What did not agree when it was last counted what we have on a chain.',
      labelNames: ['chain'],
      registers,
    }),
    chainPayoutsStuck: new Gauge({
      name: 'tollgate_chain_payouts_stuck',
      help: 'Payouts on a chain that do not go on, and one for the wallet while none leave from it.',
      labelNames: ['chain'],
      registers,
    }),
  }
}
