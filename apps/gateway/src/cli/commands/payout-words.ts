import type { OperatorPayoutListSchema, OperatorPayoutSchema, Printed } from '@tollgate/contract'
import type { Pen } from '../client-command.ts'

// A payout or settlement, as the commands about them write it.

type Payout = Printed<typeof OperatorPayoutSchema>

const approversOf = ({ approvals }: Payout): string =>
  approvals.length === 0 ? 'nobody yet' : approvals.map(({ operatorCode }) => operatorCode).join(' ')

/** Who stopped it and why; undefined when it is not on hold. */
function holdOf({ process, holds }: Payout): string | undefined {
  const last = holds.at(-1)
  if (process.processorStatus !== 'ON_HOLD' || last === undefined) return undefined
  return `by ${last.operatorCode ?? 'the gateway'}: ${last.reason}`
}

const waitsFor = ({ process, holds, waitsBecause }: Payout): string =>
  process.processorStatus === 'ON_HOLD' ? (holds.at(-1)?.cause ?? '') : waitsBecause.join(' ')

export const payoutTable = ({ data }: Printed<typeof OperatorPayoutListSchema>, pen: Pen): string =>
  pen.table(
    ['MERCHANT', 'PAYOUT', 'MONEY', 'ACCOUNT', 'STATUS', 'WAITS FOR', 'APPROVED BY', 'CONTENT', 'UNTIL'],
    data.map((payout) => [
      payout.merchantCode,
      payout.idPayout,
      pen.money(payout.money),
      payout.account?.accountNumber ?? '',
      `${payout.process.status} (${payout.process.processorStatus})`,
      waitsFor(payout),
      payout.waitsBecause.length === 0 ? '' : approversOf(payout),
      payout.contentHash,
      pen.momentOf(payout.expireAt),
    ]),
    'No payouts.',
  )

export function describePayout(payout: Payout, pen: Pen): string {
  const { process, account, kind } = payout
  const { failureReasons: failure } = process
  return pen.pairs([
    [kind === 'SETTLEMENT' ? 'Settlement' : 'Payout', `${payout.idPayout} of ${payout.merchantCode}`],
    ['Status', `${process.status} (${process.processorStatus})`],
    ['Money', pen.money(payout.money)],
    ['Account', account?.accountNumber],
    ['Waits for', payout.waitsBecause.join(' ')],
    ['On hold', holdOf(payout)],
    ['Approved by', `${approversOf(payout)}; ${payout.approvalsNeeded} are needed`],
    ['Failure', failure && `${failure.failureReasonCode}: ${failure.message}`],
  ])
}
