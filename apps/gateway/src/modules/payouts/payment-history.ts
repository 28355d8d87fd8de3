import { factsOf, historyBy } from '../../platform/history.ts'

const OF_PAYMENT = 'merchant_id = $1 and kind = $2 and id_payment = $3'

/** What approvers decided. */
export const readApprovalHistory = historyBy({
  name: 'payout_approvals_list_history',
  text: `select decided_at as happened_at, 'APPROVAL' as what, decision as says, operator_code as by_whom,
      ${factsOf({ reason: 'reason', contentHash: `encode(content_hash, 'hex')` })}
    from payout_approvals where ${OF_PAYMENT}`,
})
