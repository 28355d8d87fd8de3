import type { Answer, AttentionSchema } from '@tollgate/contract'
import { ATTENTION_KINDS, type AttentionKind, type OperatorPermission } from '@tollgate/contract/words'
import type { OperatorCaller } from '../http/operator-authentication.ts'
import type { BankChannelService } from '../modules/bank-channels/index.ts'
import { findExhaustedCallbacks } from '../modules/callbacks/index.ts'
import type { ChainService } from '../modules/chains/index.ts'
import { findWaitingActs } from '../modules/confirmations/index.ts'
import { findFailedDocuments } from '../modules/inbox/index.ts'
import { mayDo } from '../modules/operators/index.ts'
import { findHeld, findReviews, findUnapproved, presentMoney } from '../modules/payments/index.ts'
import { findUnclearFiles } from '../modules/payout-files/index.ts'
import { findWaitingLines } from '../modules/statements/index.ts'
import { ABOUT_MAX, type FindWaiting, type Waiting } from '../platform/waiting.ts'
import { buildHealthService } from './health.ts'
import type { Parts } from './parts.ts'
import { buildRestoreGap } from './restore-gap.ts'

interface AttentionDeps extends Pick<Parts, 'db' | 'secrets'> {
  readonly bankChannels: { readonly service: Pick<BankChannelService, 'list'> }
  readonly chains: { readonly service: Pick<ChainService, 'list'> }
}

interface Source {
  /** What an operator needs to be told of it: the permission of the list itself. */
  readonly permission: OperatorPermission
  readonly find: FindWaiting
}

/** What waits for people, of what the operator may see. */
export async function readAttention(
  deps: AttentionDeps,
  operator: OperatorCaller,
): Promise<Answer<typeof AttentionSchema>> {
  const sources = sourcesOf(deps)
  const seen = ATTENTION_KINDS.map((kind) => sources[kind]).filter(({ permission }) =>
    mayDo(operator, permission),
  )
  const found = await Promise.all(seen.map(({ find }) => find(deps.db)))
  return { data: found.filter((waiting) => waiting !== undefined).map(present) }
}

function sourcesOf(deps: AttentionDeps): Readonly<Record<AttentionKind, Source>> {
  return {
    RESTORE_GAP: { permission: 'payouts.read', find: () => findGap(deps) },
    CALLBACKS_EXHAUSTED: { permission: 'callbacks.read', find: findExhaustedCallbacks },
    PAYOUT_FILES_UNCLEAR: { permission: 'payout-files.read', find: findUnclearFiles },
    BANK_CHANNELS: { permission: 'statements.read', find: () => findFaultyChannels(deps) },
    CHAINS: { permission: 'statements.read', find: () => findFaultyChains(deps) },
    PAYOUTS_AWAITING_APPROVAL: { permission: 'payouts.read', find: findUnapproved },
    PAYOUTS_ON_HOLD: { permission: 'payouts.read', find: findHeld },
    CONFIRMATIONS: { permission: 'confirmations.read', find: findWaitingActs },
    REVIEWS: { permission: 'reviews.read', find: findReviews },
    SUSPENSE: { permission: 'statements.read', find: findWaitingLines },
    FAILED_DOCUMENTS: { permission: 'statements.read', find: findFailedDocuments },
    INSTITUTIONS: { permission: 'institutions.read', find: () => findInstitutionsAway(deps) },
  }
}

const present = ({ oldestAt, sums, about, ...waiting }: Waiting) => ({
  ...waiting,
  ...(oldestAt !== undefined && { oldestAt: oldestAt.toISOString() }),
  sums: sums.map(presentMoney),
  about: [...about],
})

async function findGap(deps: AttentionDeps): Promise<Waiting | undefined> {
  const view = await buildRestoreGap(deps).find()
  if (view === undefined) return undefined
  return {
    ...listed('RESTORE_GAP', view.obstacles, [view.gap.restoredAt]),
    count: view.held,
  }
}

/** Known from the settings and a few rows: these are never many. */
async function findFaultyChannels({ bankChannels }: AttentionDeps): Promise<Waiting | undefined> {
  const faulty = (await bankChannels.service.list()).flatMap(({ channel, state: { fault, isHalted } }) =>
    fault === undefined
      ? []
      : [{ fault, says: `${channel.code} ${isHalted ? 'has stopped' : 'fails'}: ${fault.message}` }],
  )
  return unlessNone(
    listed(
      'BANK_CHANNELS',
      faulty.map(({ says }) => says),
      faulty.map(({ fault }) => fault.since),
    ),
  )
}

/** That cannot be read, that do not have what was booked or what should be there, or from which payouts do not leave. */
async function findFaultyChains({ chains }: AttentionDeps): Promise<Waiting | undefined> {
  const faulty = (await chains.service.list()).flatMap(
    ({ chain, wallet, holdings, state: { fault, missingCount, lookedAt } }) => [
      ...(fault === undefined ? [] : [{ says: `${chain.code} fails: ${fault.message}`, since: fault.since }]),
      ...(missingCount === 0
        ? []
        : [
            {
              says: `${chain.code} does not have ${missingCount} booked transfers any more`,
              since: lookedAt,
            },
          ]),
      ...(holdings.findingsSince === undefined
        ? []
        : [
            {
              says: `${chain.code} does not have what it should have: ${holdings.counted?.holdings.findings[0] ?? ''}`,
              since: holdings.findingsSince,
            },
          ]),
      ...(wallet?.problem === undefined
        ? []
        : [
            {
              says: `payouts on ${chain.code} do not leave: ${wallet.problem.message}`,
              since: wallet.problem.since,
            },
          ]),
      ...(wallet === undefined || wallet.troubledCount === 0
        ? []
        : [{ says: `${wallet.troubledCount} payouts on ${chain.code} do not go on`, since: lookedAt }]),
    ],
  )
  return unlessNone(
    listed(
      'CHAINS',
      faulty.map(({ says }) => says),
      faulty.flatMap(({ since }) => since ?? []),
    ),
  )
}

async function findInstitutionsAway(deps: AttentionDeps): Promise<Waiting | undefined> {
  const away = (await buildHealthService(deps).list()).filter(
    ({ observed, byHand }) => (byHand?.availability ?? observed) !== 'OPERATIONAL',
  )
  return unlessNone(
    listed(
      'INSTITUTIONS',
      away.map(
        ({ institution: { code, direction }, observed, byHand }) =>
          `${code} (${direction.toLowerCase()}) ${(byHand?.availability ?? observed).toLowerCase()}`,
      ),
      away.map(({ observedSince, byHand }) => byHand?.since ?? observedSince),
    ),
  )
}

function listed(kind: AttentionKind, about: readonly string[], since: readonly Date[]): Waiting {
  const [oldestAt] = [...since].sort((a, b) => a.getTime() - b.getTime())
  const aboutCount = about.length
  return { kind, count: aboutCount, oldestAt, sums: [], about: about.slice(0, ABOUT_MAX), aboutCount }
}

const unlessNone = (waiting: Waiting): Waiting | undefined => (waiting.count === 0 ? undefined : waiting)
