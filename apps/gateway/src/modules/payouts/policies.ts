import { createLoadingCache } from '../../platform/caches.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { digestPayee, formerDigestOf, type PayeeSource, type PaymentKey, payeeOf } from '../payments/index.ts'
import { digestText, listBlockedDigests } from './block-store.ts'
import { findOpenGap, listGapIdsOf } from './gap-store.ts'
import { HOUSE_ID, type PayoutRule } from './model.ts'
import { listRules } from './rule-store.ts'

/** What is agreed about the payouts of one merchant, as it is in memory. */
export interface PayoutPolicy {
  readonly rules: ReadonlyMap<string, PayoutRule>
  /** Whether there is any account that the merchant may not pay to. */
  readonly blocksAny: boolean
  /** Whether the account with the digest is blocked, for the merchant or for the house. */
  readonly blocks: (digest: Buffer) => boolean
  /** Why nothing new may be accepted under an id, after a restore. */
  readonly stopOf: (key: Pick<PaymentKey, 'kind' | 'idPayment'>) => Refusal | undefined
}

/** The policies of all merchants: at once when they are cached. */
export interface PayoutPolicies {
  of(merchantId: string): PayoutPolicy | Promise<PayoutPolicy>
}

/** How many merchants' policies a process keeps. */
const POLICIES_CACHED_MAX = 10_000

interface Own {
  readonly rules: ReadonlyMap<string, PayoutRule>
  readonly blocked: ReadonlySet<string>
  /** Of the house: a restore gap is open. */
  readonly isGapOpen: boolean
  /** Ids of a restore gap, with their kinds. */
  readonly lostIds: ReadonlySet<string>
}

/** Holds rules and block-lists in memory, for the hot path of a create. The house's list is kept like a merchant's. */
export function createPayoutPolicies(deps: {
  readonly db: Database
  readonly changes: Pick<ConfigurationChanges, 'on'>
}): PayoutPolicies {
  const cache = createLoadingCache<Own>({
    entriesMax: POLICIES_CACHED_MAX,
    load: async (merchantId) => ({
      rules: await listRules(deps.db, merchantId),
      blocked: await listBlockedDigests(deps.db, merchantId),
      isGapOpen: merchantId === HOUSE_ID && (await findOpenGap(deps.db)) !== undefined,
      lostIds: new Set((await listGapIdsOf(deps.db, merchantId)).map(nameOf)),
    }),
  })
  deps.changes.on('MERCHANT', (merchantId) => {
    if (merchantId === undefined) cache.clear()
    else cache.drop(merchantId)
  })
  return {
    of(merchantId) {
      const [own, house] = [cache.peek(merchantId), cache.peek(HOUSE_ID)]
      if (own !== undefined && house !== undefined) return policyOf(own, house)
      return Promise.all([cache.get(merchantId), cache.get(HOUSE_ID)]).then(([mine, ours]) =>
        policyOf(mine ?? NOTHING, ours ?? NOTHING),
      )
    },
  }
}

const NOTHING: Own = { rules: new Map(), blocked: new Set(), isGapOpen: false, lostIds: new Set() }
const RETRY_AFTER_SECONDS = 60

const nameOf = ({ kind, idPayment }: Pick<PaymentKey, 'kind' | 'idPayment'>): string => `${kind} ${idPayment}`

const policyOf = (own: Own, house: Own): PayoutPolicy => ({
  rules: own.rules,
  blocksAny: own.blocked.size > 0 || house.blocked.size > 0,
  blocks(digest) {
    const text = digestText(digest)
    return own.blocked.has(text) || house.blocked.has(text)
  },
  stopOf(key) {
    if (own.lostIds.has(nameOf(key))) return new Refusal('PAYOUT_ID_LOST')
    return house.isGapOpen
      ? new Refusal('PAYOUTS_STOPPED', { retryAfterSeconds: RETRY_AFTER_SECONDS })
      : undefined
  },
})

/** Whether the payee of a request is on a block-list, be it under the digest that lists had before payees had an identity. */
export function isPayeeBlocked(
  secrets: Secrets,
  policy: Pick<PayoutPolicy, 'blocks' | 'blocksAny'>,
  source: PayeeSource,
): boolean {
  const payee = policy.blocksAny ? payeeOf(source) : undefined
  if (payee === undefined) return false
  if (policy.blocks(digestPayee(secrets, payee))) return true
  return policy.blocks(formerDigestOf(secrets, source.request.account?.accountNumber ?? ''))
}
