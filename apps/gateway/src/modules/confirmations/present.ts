import type { Answer, ConfirmationDetailSchema, ConfirmationSchema, WaitingSchema } from '@tollgate/contract'
import { lookUp } from '../../platform/look-up.ts'
import { presentMoney } from '../payments/index.ts'
import type { Act, Consequences } from './model.ts'
import type { ActView } from './service.ts'

type Detail = Answer<typeof ConfirmationDetailSchema>
type CodeOf = (merchantId: string) => Promise<string>

/** An act as it is listed. */
export function presentAct(act: Act): Answer<typeof ConfirmationSchema> {
  const { confirmationId, kind, state, title, digest, endedAt, endedBy, endedReason, result } = act
  return {
    confirmationId,
    kind,
    state: act.isDue ? 'EXPIRED' : state,
    title,
    digest,
    proposedBy: act.actor,
    proposedAt: act.proposedAt.toISOString(),
    expireAt: act.expireAt.toISOString(),
    sums: act.sums.map(presentMoney),
    lineIds: act.lineIds,
    ...(endedAt !== undefined && { endedAt: endedAt.toISOString() }),
    ...(endedBy !== undefined && { endedBy }),
    ...(endedReason !== undefined && { reason: endedReason }),
    ...(result !== undefined && { result }),
  }
}

/** What is answered for an act that waits now. */
export const presentWaiting = (act: Act): Answer<typeof WaitingSchema> => ({ waiting: presentAct(act) })

/** More payments than these are counted; the sums have all of them. */
const PAYMENTS_SHOWN_MAX = 1_000

/** An act with what would follow. */
export async function presentView(view: ActView, codeOf: CodeOf): Promise<Detail> {
  const { act, about, consequences, consequencesDigest, impossible, earlier } = view
  return {
    ...presentAct(act),
    about,
    ...(consequences !== undefined && { consequences: await presentConsequences(consequences, codeOf) }),
    ...(consequencesDigest !== undefined && { consequencesDigest }),
    ...(impossible !== undefined && { impossible }),
    earlier: earlier.map(presentAct),
  }
}

async function presentConsequences(
  { payments, sums, remarks }: Consequences,
  codeOf: CodeOf,
): Promise<Detail['consequences']> {
  const shown = payments.slice(0, PAYMENTS_SHOWN_MAX)
  const merchantCodeOf = await lookUp(
    shown.map(({ key }) => key.merchantId),
    codeOf,
  )
  return {
    paymentCount: payments.length,
    payments: shown.map(({ key, becomes, money }) => ({
      payment: { merchantCode: merchantCodeOf(key.merchantId), kind: key.kind, idPayment: key.idPayment },
      becomes,
      money: presentMoney(money),
    })),
    sums: sums.map(({ what, count, money }) => ({ what, count, money: presentMoney(money) })),
    remarks,
  }
}
