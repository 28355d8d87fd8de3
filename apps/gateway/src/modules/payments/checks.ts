import { AGEING_BY_CLOCKS } from '../../platform/expiry.ts'
import type { Check } from '../ledger/index.ts'
import { changesWhere } from './volumes/store.ts'

/** What was due for merchants of another cell is parked. */
const IS_HERE = (merchantId: string): string => `cell_of_merchant(${merchantId}) is null`

/** How often each kind of booking is there, of one payment. A settlement that is paid out is booked as a payout. */
const COUNTS = `count(*) filter (where t.event in ('PAYIN_SUCCESS', 'PAYOUT_SUCCESS', 'TOPUP_SUCCESS')) as success,
        count(*) filter (where t.event = 'PAYOUT_SUCCESS_LATE') as late, count(*) filter (where t.event = 'PAYOUT_HELD') as held,
        count(*) filter (where t.event = 'PAYOUT_RELEASED') as released, count(*) filter (where t.event like '%_REVERSED') as reversed`

/** Payments against the ledger. */
export const BOOKING_CHECKS: readonly Check[] = [
  {
    name: 'payments_are_booked',
    text: `with counted as (
      select p.merchant_id, p.kind, p.id_payment, p.status,
        case when p.kind = 'SETTLEMENT' then 'PAYOUT' else p.kind end as family, ${COUNTS}
      from payments p left join ledger_transfers t using (merchant_id, kind, id_payment)
      group by p.merchant_id, p.kind, p.id_payment)
    select format('%s %s of merchant %s is %s but is booked as held %s times, released %s, succeeded %s, reversed %s',
      kind, id_payment, merchant_id, status, held, released, success + late, reversed) as detail
    from counted where success + late <> (status in ('SUCCESS', 'REVERSED'))::int or reversed <> (status = 'REVERSED')::int
      or held <> (family = 'PAYOUT')::int or (late > 0 and family <> 'PAYOUT')
      or released <> (case when family = 'PAYOUT' then (status in ('FAILED', 'CANCELLED', 'EXPIRED'))::int + late else 0 end)`,
  },
  {
    name: 'bookings_are_of_the_payment',
    text: `select format('transfer %s (%s) of merchant %s moves %s %s of %s and %s of fees; %s %s is of %s %s and a fee of %s', t.transfer_id, t.event,
      t.merchant_id, m.moved, m.currency_code, m.account, m.fees, y.kind, y.id_payment, y.amount, y.currency_code, y.fee_amount) as detail
    from ledger_transfers t join payments y using (merchant_id, kind, id_payment)
      left join (
        select merchant_id, transfer_id, max(currency_code) as currency_code, sum(amount) filter (where account = 'FEES') as fees,
          sum(amount) filter (where account = 'RESERVED') as reserved, sum(amount) filter (where account = 'CLEARING') as cleared
        from ledger_postings group by merchant_id, transfer_id) p using (merchant_id, transfer_id)
      cross join lateral (
        select p.currency_code, coalesce(p.fees, 0) as fees, e.account,
          coalesce(case e.account when 'RESERVED' then p.reserved else p.cleared end, 0) as moved
        from (select case when t.event in ('PAYOUT_HELD', 'PAYOUT_RELEASED') then 'RESERVED' else 'CLEARING' end as account) e) m
    where (m.moved, m.currency_code, m.fees) is distinct from (case t.event
        when 'PAYIN_SUCCESS' then -y.amount when 'TOPUP_SUCCESS' then -y.amount when 'PAYOUT_REVERSED' then -y.amount
        when 'PAYOUT_HELD' then y.amount + y.fee_amount when 'PAYOUT_RELEASED' then -(y.amount + y.fee_amount)
        else y.amount end, y.currency_code,
      case when t.event in ('PAYIN_SUCCESS', 'TOPUP_SUCCESS', 'PAYOUT_SUCCESS', 'PAYOUT_SUCCESS_LATE') then y.fee_amount else 0 end)
      and t.event not like 'SETTLED%'`,
  },
  {
    name: 'transfers_belong_to_payments',
    text: `select format('transfer %s of merchant %s belongs to no payment', t.transfer_id, t.merchant_id) as detail
    from ledger_transfers t left join payments p using (merchant_id, kind, id_payment)
    where p.id_payment is null and t.event not like 'SETTLED%' and t.event not like 'SUSPENSE%' and t.event <> 'NETWORK_FEE'`,
  },
  {
    name: 'success_is_for_the_requested_money',
    text: `select format('%s %s of merchant %s is %s with %s %s instead of %s %s', kind, id_payment, merchant_id, status,
      received_amount, received_currency_code, amount, currency_code) as detail
    from payments where status in ('SUCCESS', 'REVERSED')
      and (received_amount, received_currency_code) is distinct from (amount, currency_code)`,
  },
]

/** The allowed edges, as the table in model.ts has them; a test compares the two. */
const EDGES = `(values ('CREATED', 'SUCCESS'), ('CREATED', 'FAILED'), ('CREATED', 'EXPIRED'), ('CREATED', 'CANCELLED'),
      ('EXPIRED', 'SUCCESS'), ('FAILED', 'SUCCESS'), ('CANCELLED', 'SUCCESS'), ('SUCCESS', 'REVERSED')) as edge(before, status)`

/**
 * The evidence that suffices, and how many operators it takes, as the table in evidence.ts has it; a test compares
 * the two. An expired payin counts as open.
 */
const SUFFICIENT = `(values
      ('CREATED', 'SUCCESS', 'RAIL', 0), ('CREATED', 'SUCCESS', 'BANK_CHANNEL', 0), ('CREATED', 'SUCCESS', 'BANK_UPLOAD', 1),
      ('CREATED', 'SUCCESS', 'PEOPLE', 2), ('CREATED', 'SUCCESS', 'SANDBOX', 0),
      ('CREATED', 'FAILED', 'RAIL', 0), ('CREATED', 'FAILED', 'BANK_CHANNEL', 0), ('CREATED', 'FAILED', 'BANK_UPLOAD', 1),
      ('CREATED', 'FAILED', 'PEOPLE', 2), ('CREATED', 'FAILED', 'SANDBOX', 0),
      ('CREATED', 'CANCELLED', 'RAIL', 0), ('CREATED', 'CANCELLED', 'BANK_CHANNEL', 0), ('CREATED', 'CANCELLED', 'BANK_UPLOAD', 1),
      ('CREATED', 'CANCELLED', 'PEOPLE', 1), ('CREATED', 'CANCELLED', 'SANDBOX', 0), ('CREATED', 'CANCELLED', 'MERCHANT', 0),
      ('CREATED', 'EXPIRED', 'CLOCK', 0), ('CREATED', 'EXPIRED', 'SANDBOX', 0),
      ('SUCCESS', 'REVERSED', 'RAIL', 0), ('SUCCESS', 'REVERSED', 'BANK_CHANNEL', 0), ('SUCCESS', 'REVERSED', 'BANK_UPLOAD', 1),
      ('SUCCESS', 'REVERSED', 'PEOPLE', 2), ('SUCCESS', 'REVERSED', 'SANDBOX', 0),
      ('FAILED', 'SUCCESS', 'BANK_CHANNEL', 2), ('FAILED', 'SUCCESS', 'BANK_UPLOAD', 2), ('FAILED', 'SUCCESS', 'PEOPLE', 2),
      ('CANCELLED', 'SUCCESS', 'BANK_CHANNEL', 2), ('CANCELLED', 'SUCCESS', 'BANK_UPLOAD', 2), ('CANCELLED', 'SUCCESS', 'PEOPLE', 2),
      ('EXPIRED', 'SUCCESS', 'BANK_CHANNEL', 2), ('EXPIRED', 'SUCCESS', 'BANK_UPLOAD', 2), ('EXPIRED', 'SUCCESS', 'PEOPLE', 2))
      as e(before, status, evidence_class, needed)`

/** What is older may have been removed together with its attempts. */
const DELIVERIES_KEPT_SINCE = `coalesce((select removed_until from retention_horizons where class = 'DELIVERIES'), '-infinity')`

/** Each payment against its own history, its callbacks and its work. */
export const PAYMENT_CHECKS: readonly Check[] = [
  {
    name: 'timelines_are_whole',
    text: `select format('%s %s of merchant %s has %s timeline rows, the last is number %s, instead of %s', p.kind, p.id_payment, p.merchant_id,
      count(l.entry_no), max(l.entry_no), p.timeline_count) as detail
    from payments p left join payment_timeline l using (merchant_id, kind, id_payment)
    group by p.merchant_id, p.kind, p.id_payment having count(l.entry_no) <> p.timeline_count or max(l.entry_no) <> p.timeline_count`,
  },
  {
    name: 'timelines_follow_the_states',
    text: `with changes as (
      select merchant_id, kind, id_payment, entry_no, status,
        lag(status) over (partition by merchant_id, kind, id_payment order by entry_no) as before
      from payment_timeline)
    select format('%s %s of merchant %s: entry %s goes from %s to %s', kind, id_payment, merchant_id, entry_no,
      coalesce(before, 'nothing'), c.status) as detail
    from changes c left join ${EDGES} using (before, status)
    where case when c.before is null then c.status <> 'CREATED' else c.before <> c.status and edge.status is null end
      or c.before = 'EXPIRED' and c.status <> 'EXPIRED' and c.kind not in ('PAYIN', 'TOPUP')`,
  },
  {
    // Rows from before evidence was kept say so themselves.
    name: 'changes_have_sufficient_evidence',
    text: `with changes as (
      select merchant_id, kind, id_payment, entry_no, status, evidence_class, coalesce(operators, '{}') as operators, operators_needed,
        is_without_evidence, lag(status) over (partition by merchant_id, kind, id_payment order by entry_no) as before
      from payment_timeline)
    select format('%s %s of merchant %s: entry %s goes from %s to %s on %s of %s', c.kind, c.id_payment, c.merchant_id, c.entry_no, c.before,
      c.status, coalesce(c.evidence_class, 'no evidence'), coalesce(nullif(array_to_string(c.operators, ' and '), ''), 'nobody')) as detail
    from changes c join payments p using (merchant_id, kind, id_payment) left join ${SUFFICIENT} on e.status = c.status
      and e.before = case when c.before = 'EXPIRED' and c.kind = 'PAYIN' then 'CREATED' else c.before end and e.evidence_class = c.evidence_class
    where c.before <> c.status and not c.is_without_evidence and (e.needed is null or (c.evidence_class = 'SANDBOX' and not p.is_test)
      or (c.status = 'CANCELLED' and c.evidence_class = 'PEOPLE' and p.submitted_at is not null)
      or (c.evidence_class = 'MERCHANT' and c.kind <> 'PAYIN')
      or (select count(distinct o) from unnest(c.operators) o) < greatest(e.needed, c.operators_needed))`,
  },
  {
    name: 'status_is_the_last_of_the_timeline',
    text: `select format('%s %s of merchant %s is %s, its timeline ends with %s', p.kind, p.id_payment, p.merchant_id, p.status, l.status) as detail
    from payments p join payment_timeline l on l.merchant_id = p.merchant_id and l.kind = p.kind and l.id_payment = p.id_payment
      and l.entry_no = p.timeline_count where l.status <> p.status or l.processor_status <> p.processor_status`,
  },
  {
    name: 'ended_payments_have_their_time',
    text: `select format('%s %s of merchant %s is %s, processed at %s', kind, id_payment, merchant_id, status, processed_at) as detail
    from payments where (status = 'CREATED') <> (processed_at is null)`,
  },
  {
    name: 'changes_are_called_back',
    text: `with changes as (
      select merchant_id, kind, id_payment, entry_no, status, happened_at,
        lag(status) over (partition by merchant_id, kind, id_payment order by entry_no) as before
      from payment_timeline),
    told as (
      select c.merchant_id, c.kind, c.id_payment, c.entry_no, c.status, c.happened_at from changes c join payments p using (merchant_id, kind, id_payment)
      where c.before <> c.status and p.callback_url is not null)
    select format('%s %s of merchant %s: entry %s (%s) has %s', coalesce(c.kind, e.kind), coalesce(c.id_payment, e.id_entity),
      coalesce(c.merchant_id, e.merchant_id), coalesce(c.entry_no, e.timeline_entry_no), coalesce(c.status, 'no change'),
      case when e.event_id is null then 'no callback' else 'a callback' end) as detail
    from told c full join callback_events e
      on e.merchant_id = c.merchant_id and e.kind = c.kind and e.id_entity = c.id_payment and e.timeline_entry_no = c.entry_no
    where (c.entry_no is null or e.event_id is null and c.happened_at >= ${DELIVERIES_KEPT_SINCE}
      and ${AGEING_BY_CLOCKS.aged('c.happened_at', 'c.merchant_id')} >= ${DELIVERIES_KEPT_SINCE})
      and ${IS_HERE('coalesce(c.merchant_id, e.merchant_id)')}`,
  },
  {
    // What an institution has been given does not expire: only the institution knows what became of it.
    name: 'open_payments_expire',
    text: `select format('%s %s of merchant %s is CREATED and nothing will end it', p.kind, p.id_payment, p.merchant_id) as detail
    from payments p left join payment_tasks t
      on t.merchant_id = p.merchant_id and t.kind = p.kind and t.id_payment = p.id_payment and t.task = 'EXPIRE'
    where p.status = 'CREATED' and t.task is null and p.submitted_at is null and ${IS_HERE('p.merchant_id')}`,
  },
  {
    // A file's bank is not asked, and an institution that said it is waiting may tell by itself.
    name: 'submitted_payments_are_asked_about',
    text: `with silent as (
      select merchant_id, kind, id_payment from payments p
      where status = 'CREATED' and kind in ('PAYOUT', 'SETTLEMENT') and submitted_at is not null and processor_status <> 'IN_REVIEW'
        and ${IS_HERE('p.merchant_id')}
      except select merchant_id, kind, id_payment from payment_tasks where task = 'RAIL'
      except select merchant_id, kind, id_payment from payout_file_payments
      except select merchant_id, kind, id_payment from payment_inquiries where answer = 'WAITING')
    select format('%s %s of merchant %s was handed over, and no task asks what became of it', kind, id_payment, merchant_id) as detail
    from silent`,
  },
  {
    name: 'volumes_are_counted',
    text: `with counted as (${changesWhere('l.happened_at < (select counted_until from payment_volume_marks)')})
    select format('%s of %s: %s payments of %s by %s of merchant %s, %s, are counted, with %s; the timelines have %s, with %s; tollgate ledger recount counts again',
      lower(step), begins_at, coalesce(v.payments, 0), currency_code, method_code, merchant_id, entered, coalesce(v.amount, 0),
      coalesce(c.payments, 0), coalesce(c.amount, 0)) as detail
    from payment_volumes v full join counted c using (step, begins_at, merchant_id, kind, method_code, currency_code, entered)
    where (v.payments, v.amount) is distinct from (c.payments, c.amount)`,
  },
  {
    name: 'house_volumes_are_those_of_merchants',
    // The step that is being counted is compared when it is over, where the two are not counted equally far.
    text: `with each as (
      select step, begins_at, kind, method_code, currency_code, entered, sum(payments) as payments, sum(amount) as amount
      from payment_volumes group by 1, 2, 3, 4, 5, 6)
    select format('%s of %s: %s payments of %s by %s, %s, of all merchants together, with %s; added up they have %s, with %s; tollgate ledger recount counts again',
      lower(step), begins_at, coalesce(h.payments, 0), currency_code, method_code, entered, coalesce(h.amount, 0),
      coalesce(e.payments, 0), coalesce(e.amount, 0)) as detail
    from payment_house_volumes h full join each e using (step, begins_at, kind, method_code, currency_code, entered)
    where (h.payments, h.amount) is distinct from (e.payments, e.amount)
      and ((select counted_until = house_counted_until from payment_volume_marks)
        or begins_at + case step when 'DAY' then interval '1 day' else interval '1 hour' end
          <= (select least(counted_until, house_counted_until) from payment_volume_marks))`,
  },
  ...(
    [
      ['payment_timeline', 'a timeline row'],
      ['payment_personal_data', 'personal data'],
      ['payment_external_references', 'an external reference'],
      ['payment_tasks', 'a task'],
    ] as const
  ).map(([table, what]) => ({
    name: `${table}_belongs_to_payments`,
    text: `select distinct format('%s %s of merchant %s has ${what} but does not exist', d.kind, d.id_payment, d.merchant_id) as detail
    from ${table} d left join payments p using (merchant_id, kind, id_payment) where p.id_payment is null`,
  })),
]
