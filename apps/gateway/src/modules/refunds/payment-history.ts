import { factsOf, historyBy } from '../../platform/history.ts'

/** Refunds of a payin; of a payout, the payin whose refund it is. */
export const readRefundHistory = historyBy({
  name: 'refunds_list_history',
  text: `select created_at as happened_at, 'REFUND' as what, trim_scale(amount) || ' ' || currency_code as says, null as by_whom,
      ${factsOf({ idRefund: 'id_refund', idPayin: 'id_payin', idPayout: 'id_payment' })}
    from refunds where merchant_id = $1 and (($2 = 'PAYIN' and id_payin = $3) or ($2 = 'PAYOUT' and id_payment = $3))`,
})
