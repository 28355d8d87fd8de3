import type { Check } from '../ledger/index.ts'

/** Settlements against their items, their bookings, and what is left to be settled. */
export const SETTLEMENT_CHECKS: readonly Check[] = [
  {
    name: 'settlements_add_up',
    text: `select format('settlement %s of merchant %s says gross %s, fees %s, adjustments %s, net %s; its items come to %s, %s, %s, %s',
      s.id_settlement, s.merchant_id, s.gross, s.fees, s.adjustments, s.net, i.gross, i.fees, i.adjustments, i.net) as detail
    from settlements s
      left join (
        select merchant_id, id_settlement, sum(gross) filter (where type = 'PAYIN') as gross, sum(fee) as fees,
          sum(net) filter (where type <> 'PAYIN') as adjustments, sum(net) as net
        from settlement_items group by merchant_id, id_settlement) items using (merchant_id, id_settlement)
      cross join lateral (
        select coalesce(items.gross, 0) as gross, coalesce(items.fees, 0) as fees,
          coalesce(items.adjustments, 0) as adjustments, coalesce(items.net, 0) as net) i
    where s.kind = 'CYCLE' and (s.gross, s.fees, s.adjustments, s.net) is distinct from (i.gross, i.fees, i.adjustments, i.net)
      or s.kind = 'REQUESTED' and i.net <> 0 or s.net <> s.gross - s.fees + s.adjustments`,
  },
  {
    name: 'settlement_items_belong_to_settlements',
    text: `select format('transfer %s of merchant %s is in the settlement %s, which %s', i.transfer_id, i.merchant_id, i.id_settlement,
      case when s.kind is null then 'does not exist' else 'the merchant asked for' end) as detail
    from settlement_items i left join settlements s using (merchant_id, id_settlement) where s.kind is distinct from 'CYCLE'`,
  },
  {
    // A payin that went into its fee as a whole never touched what is not settled.
    name: 'settlement_items_are_transfers',
    text: `with booked as (
      select merchant_id, transfer_id, max(currency_code) as currency_code, coalesce(sum(amount) filter (where account = 'NOT_SETTLED'), 0) as net,
        coalesce(sum(amount) filter (where account = 'FEES'), 0) as fee
      from ledger_postings group by merchant_id, transfer_id)
    select format('transfer %s of merchant %s is settled in %s as %s of %s with %s %s after a fee of %s; the ledger has %s of %s with %s %s and %s',
      i.transfer_id, i.merchant_id, i.id_settlement, i.type, i.id_entity, i.net, s.currency_code, i.fee,
      coalesce(t.event, 'nothing'), t.id_payment, b.net, b.currency_code, b.fee) as detail
    from settlement_items i join settlements s using (merchant_id, id_settlement)
      left join ledger_transfers t using (merchant_id, transfer_id)
      left join booked b using (merchant_id, transfer_id)
    where t.transfer_id is null or t.event like 'SETTLED%' or (i.type = 'PAYIN') <> (t.event = 'PAYIN_SUCCESS')
      or (i.id_entity, i.net, i.fee, s.currency_code) is distinct from
        (t.id_payment, b.net, case t.event when 'PAYIN_SUCCESS' then b.fee else 0 end, b.currency_code)`,
  },
  {
    name: 'settlements_are_booked',
    text: `with booked as (
      select t.merchant_id, t.id_payment,
        coalesce(-sum(p.amount) filter (where p.account = 'NOT_SETTLED'), 0) as net, max(p.currency_code) filter (where p.account = 'NOT_SETTLED') as currency_code,
        coalesce(sum(p.amount) filter (where t.event = 'SETTLED_SOLD' and p.account = 'EXCHANGE'), 0) as sold,
        coalesce(-sum(p.amount) filter (where t.event = 'SETTLED_BOUGHT' and p.account = 'EXCHANGE'), 0) as bought,
        max(p.currency_code) filter (where t.event = 'SETTLED_BOUGHT') as bought_currency_code
      from ledger_transfers t join ledger_postings p using (merchant_id, transfer_id)
      where t.event like 'SETTLED%' group by t.merchant_id, t.id_payment)
    select format('settlement %s of merchant %s is %s %s, of which %s became %s %s; booked are %s %s, of which %s became %s %s',
      coalesce(s.id_settlement, b.id_payment), coalesce(s.merchant_id, b.merchant_id), s.net, s.currency_code, s.net - s.repaid, s.settled_amount,
      s.settled_currency_code, b.net, b.currency_code, b.sold, b.bought, b.bought_currency_code) as detail
    from (select * from settlements where kind = 'CYCLE') s
      full join booked b on b.merchant_id = s.merchant_id and b.id_payment = s.id_settlement
    where (s.net, s.currency_code) is distinct from (b.net, b.currency_code)
      or (case when s.settled_amount is null then 0 else s.net - s.repaid end, coalesce(s.settled_amount, 0), s.settled_currency_code)
        is distinct from (b.sold, b.bought, b.bought_currency_code)`,
  },
  {
    name: 'requested_settlements_are_paid_out',
    text: `select format('settlement %s of merchant %s is for %s %s, its payment for %s %s', coalesce(s.id_settlement, p.id_payment),
      coalesce(s.merchant_id, p.merchant_id), s.net, s.currency_code, p.amount, p.currency_code) as detail
    from (select * from settlements where kind = 'REQUESTED') s
      full join (select * from payments where kind = 'SETTLEMENT') p on p.merchant_id = s.merchant_id and p.id_payment = s.id_settlement
    where (s.net, s.currency_code, s.reference) is distinct from (p.amount, p.currency_code, p.reference)`,
  },
  {
    name: 'what_is_not_settled_is_in_the_balance',
    text: `with open as (
      select p.merchant_id, p.currency_code, sum(p.amount) as net
      from ledger_postings p join ledger_transfers t using (merchant_id, transfer_id)
        left join settlement_items i using (merchant_id, transfer_id)
      where p.account = 'NOT_SETTLED' and i.transfer_id is null and t.event not like 'SETTLED%' group by p.merchant_id, p.currency_code)
    select format('merchant %s has %s %s not settled, but its open transfers come to %s', merchant_id, coalesce(b.not_settled, 0), currency_code,
      coalesce(o.net, 0)) as detail
    from balances b full join open o using (merchant_id, currency_code) where coalesce(b.not_settled, 0) <> coalesce(o.net, 0)`,
  },
]
