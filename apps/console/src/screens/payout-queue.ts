import { OperatorPayoutListSchema } from '@tollgate/contract'
import { ApiRefusal } from '../operator-api.ts'
import { kindWords } from '../status.ts'
import type { Visit } from '../visit.ts'
import type { Payout } from './payout-subject.ts'

// What waits for a decision about money that leaves, as the desk reads it.

const LIST = '/operator/payouts'
const LIMIT = '100'
/** Of payouts, and as many of settlements. */
const PAGES_MAX = 5

export type QueueState = 'AWAITING_APPROVAL' | 'ON_HOLD'

export interface Queue {
  /** The longest waiting first. */
  readonly payouts: readonly Payout[]
  /** There are older ones, which were not read. */
  readonly hasMore: boolean
}

/** Payouts and settlements that wait in this way. */
export async function readQueue({ api }: Visit, status: QueueState): Promise<Queue> {
  const readKind = async (kind: string): Promise<Queue> => {
    const payouts: Payout[] = []
    let cursor: string | undefined
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const asked = { kind, status, limit: LIMIT, cursor }
      const { data, nextCursor } = await api.get(LIST, OperatorPayoutListSchema, asked)
      payouts.push(...data)
      cursor = nextCursor
      if (cursor === undefined) break
    }
    return { payouts, hasMore: cursor !== undefined }
  }
  const kinds = await Promise.all(['PAYOUT', 'SETTLEMENT'].map(readKind))
  return {
    payouts: kinds
      .flatMap(({ payouts }) => payouts)
      .sort((a, b) => a.process.createdAt.localeCompare(b.process.createdAt)),
    hasMore: kinds.some(({ hasMore }) => hasMore),
  }
}

/** The payout of the address, whether it waits or not. */
export async function readNamed({ api, name }: Visit): Promise<Payout> {
  const [kind, merchantCode, idPayout] = [name('kind'), name('merchantCode'), name('idPayout')]
  const { data } = await api.get(LIST, OperatorPayoutListSchema, { kind, merchantCode, idPayout })
  const [payout] = data
  if (payout !== undefined) return payout
  const message = `${merchantCode} has no ${kindWords(kind).toLowerCase()} ${idPayout}.`
  throw new ApiRefusal(410, { code: 'ENTITY_NOT_FOUND', message })
}
