import { createPublicKey, type KeyObject } from 'node:crypto'
import { parsePlainAmount } from '@tollgate/money'
import type { Clock, Ids } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import type { Random } from '../../../../../lab/rig/random.ts'
import type { Authenticator } from '../../http/gate.ts'
import { createRateLimiter } from '../../http/rate-limit.ts'
import { CALLBACK_SETTINGS, createCallbackWorker } from '../../modules/callbacks/index.ts'
import { createCatalogueService } from '../../modules/catalogue/index.ts'
import {
  type ConfirmationService,
  createConfirmationService,
  createConfirmationWorker,
  createSecondPerson,
  policyOf,
  recordPolicy,
  type SecondPersonSettings,
} from '../../modules/confirmations/index.ts'
import { type BalanceService, createBalanceService } from '../../modules/ledger/index.ts'
import { createCallbackSigner, createMerchantDirectory } from '../../modules/merchants/index.ts'
import {
  createNotificationIntake,
  createNotificationWorker,
  type NotificationIntake,
} from '../../modules/notifications/index.ts'
import { createPayinService, type PayinService } from '../../modules/payins/index.ts'
import {
  createIntake,
  createPaymentService,
  createPaymentWorker,
  type PaymentService,
} from '../../modules/payments/index.ts'
import {
  type ApprovalService,
  contentHashOf,
  createApprovalService,
  createPayoutService,
  type PayoutRule,
  type PayoutService,
} from '../../modules/payouts/index.ts'
import { createAuthenticator } from '../../modules/tokens/index.ts'
import { createTopUpService, type TopUpService } from '../../modules/topups/index.ts'
import { type ConfigurationChanges, watchConfiguration } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { createMetrics } from '../../platform/metrics.ts'
import type { TargetPolicy } from '../../platform/outbound/index.ts'
import { createSecrets, type Secrets } from '../../platform/secrets.ts'
import { createOpenRail } from '../../rails/open/index.ts'
import type { Rail } from '../../rails/rail.ts'
import { type Bank, RAIL_CODE, RAIL_KEY_ID, RAIL_SECRET } from './bank.ts'
import type { Receivers } from './receivers.ts'
import { APPROVED_FROM, CURRENCIES, codeOf } from './shop.ts'
import { type Life, lifeOfNow, type VirtualTime } from './time.ts'
import { KEYRING } from './tokens.ts'
import { createUploadPerformer, type HandedIn, handIn, type Waiting } from './uploads.ts'

/** The outside, as one process of the gateway is connected to it. */
export interface Surroundings {
  readonly life: Life
  readonly time: VirtualTime
  readonly db: Database
  readonly ids: Ids
  readonly bank: Bank
  readonly receivers: Receivers
  /** How far the wall clock of the process is ahead; it may change at any time. */
  readonly skewMs: () => number
  /** Is given what watches the configuration in the process. */
  readonly onWatch: (changes: ConfigurationChanges) => void
  /** Whether the configuration has changed since the process has read it. */
  readonly isBehind: () => boolean
}

/** What a process of the API has. */
export interface Api {
  readonly authenticator: Authenticator
  readonly payments: Pick<PaymentService, 'decideReview' | 'hold' | 'release' | 'cancelHeld'>
  readonly payins: PayinService
  readonly payouts: PayoutService
  readonly topUps: TopUpService
  readonly balances: BalanceService
  readonly approvals: ApprovalService
  readonly confirmations: ConfirmationService
  /** Takes a document that an operator hands in. */
  readonly handIn: (handedIn: HandedIn) => Promise<Waiting>
  readonly notifications: NotificationIntake
  readonly limiter: ReturnType<typeof createRateLimiter>
}

// Made once for all processes: they hold nothing that a simulation looks at.
const log = createLog({ level: 'silent' })
const metrics = createMetrics()
const secrets = signOnce(createSecrets(Buffer.alloc(32, 7)))
const shared = { log, metrics, secrets }

/** Derives each key once, for all simulations. */
function signOnce(real: Secrets): Secrets {
  const keys = new Map<string, KeyObject>()
  return {
    ...real,
    derivedSigningKey(context) {
      const key = keys.get(context) ?? real.derivedSigningKey(context)
      keys.set(context, key)
      return key
    },
  }
}

/** The key of a merchant by which receivers know who calls. */
export function callbackKeyOf(merchantId: string, generation: number): KeyObject {
  const key = publicKeys.get(`${merchantId} ${generation}`)
  if (key !== undefined) return key
  const made = createPublicKey(secrets.derivedSigningKey(`${merchantId} ${generation}`))
  publicKeys.set(`${merchantId} ${generation}`, made)
  return made
}
const publicKeys = new Map<string, KeyObject>()

/** As they are by default. */
const TOLERANCE_SECONDS = 300
const BATCHES = { batchRowsMax: 128, batchesInFlightMax: 2 }
const POLICY: TargetPolicy = { httpsOnly: false, portsAllowed: 'any', allowPrivate: false }
const RULE: PayoutRule = {
  amountFrom: parsePlainAmount(APPROVED_FROM),
  newBeneficiary: false,
  dailySumFrom: undefined,
}
const POLICIES = {
  of: () => ({
    rules: new Map(CURRENCIES.map((code) => [code, RULE])),
    blocksAny: false,
    blocks: () => false,
    stopOf: () => undefined,
  }),
}
/** Every document needs a second operator, as it does in live. */
const SECOND_PERSON: SecondPersonSettings = {
  isOn: true,
  fromAmounts: '',
  expiresAfterHours: 24,
  isFolderChannel: false,
}
/** What nobody decides about in time is marked now and then. */
const CONFIRMATIONS_POLL_MS = 3_600_000
/** What the specification says, and what the properties of callbacks (S11) expect. */
const CALLBACK_INTERVAL_SECONDS = 120
const merchantCodeOf = (merchantId: string): Promise<string> => Promise.resolve(codeOf(merchantId))

/** The process that a call belongs to. */
const processes = new WeakMap<Life, { readonly clock: Clock; readonly bank: ReturnType<Bank['outbound']> }>()
function processOfNow() {
  const process = processes.get(lifeOfNow())
  if (process === undefined) throw new Error('this process has no surroundings')
  return process
}

/** One for all processes, since deriving its keys takes longer than a simulated hour. */
const RAIL: Rail = createOpenRail({
  code: RAIL_CODE,
  keyId: RAIL_KEY_ID,
  secret: RAIL_SECRET,
  baseUrl: 'https://bank.example',
  customerUrl: 'https://bank.example',
  directions: ['PAYIN', 'PAYOUT', 'TOPUP'],
  flows: ['REDIRECT'],
  clock: { nowMs: () => processOfNow().clock.nowMs() },
  outbound: { call: (request) => processOfNow().bank.call(request) },
})
const RAILS: ReadonlyMap<string, Rail> = new Map([[RAIL.code, RAIL]])

function openParts({ life, time, db, ids, bank, skewMs, ...configured }: Surroundings) {
  const startMs = time.nowMs()
  const clock: Clock = {
    nowMs: () => time.nowMs() + skewMs(),
    monotonicMs: () => time.nowMs() - startMs,
  }
  processes.set(life, { clock, bank: bank.outbound(life) })
  const parts = { ...shared, db, ids, clock, rails: RAILS }
  const payments: PaymentService = createPaymentService({ ...parts, ...BATCHES })
  const watched = watchConfiguration({ db, clock, log })
  configured.onWatch(watched)
  // What was last read is what there is: only the looks that would have found so were left out.
  const staleMs = (): number => (configured.isBehind() ? watched.staleMs() : 0)
  return { ...parts, payments, merchantCodeOf, changes: { ...watched, staleMs } }
}

/** Opens a process that answers requests, in the order in which the gateway does. It has no workers, so nothing is woken. */
export async function openApi(surroundings: Surroundings): Promise<Api> {
  const parts = openParts(surroundings)
  const catalogue = createCatalogueService(parts)
  const merchants = createMerchantDirectory(parts)
  const authenticator = createAuthenticator({
    ...parts,
    merchants,
    keyring: KEYRING,
    environment: 'live',
    timestampToleranceSeconds: TOLERANCE_SECONDS,
    customersRateFactor: 10,
  })
  const wakeWorker = (): void => undefined
  const intake = createIntake({
    ...parts,
    catalogue,
    merchants,
    isLive: true,
    wakeWorker,
    findCustomer: () => Promise.resolve(undefined),
    rates: { current: () => ({ lists: new Map() }) },
    callbackPolicy: POLICY,
    returnPolicy: POLICY,
    isSandboxAddress: () => false,
  })
  const secondPerson = createSecondPerson({ secrets, policy: policyOf(SECOND_PERSON) })
  const performer = createUploadPerformer(parts)
  await recordPolicy(parts.db, SECOND_PERSON)
  await catalogue.start()
  await authenticator.start()
  await parts.changes.start()
  return {
    authenticator,
    payments: parts.payments,
    payins: createPayinService({
      intake,
      payments: parts.payments,
      wakeWorker,
      findPaidBack: async () => undefined,
    }),
    payouts: createPayoutService({ intake, secrets, policies: POLICIES }),
    topUps: createTopUpService({ intake }),
    balances: createBalanceService(parts),
    approvals: createApprovalService({
      ...parts,
      merchants,
      verificationsOf: async () => ({ ofPayment: undefined, ofOthers: undefined }),
      wakeWorker,
      policies: POLICIES,
      listPowerless: async () => new Set(),
    }),
    confirmations: createConfirmationService({
      ...parts,
      listPowerless: async () => new Set(),
      performers: { STATEMENT_FILE: performer, PAYOUT_REPORT: performer, LINE_DECISION: performer },
    }),
    handIn: (handedIn) => handIn({ ...parts, secondPerson }, handedIn),
    notifications: createNotificationIntake({ ...parts, wakeWorker }),
    limiter: createRateLimiter(parts.clock),
  }
}

/** Starts a process of workers: payments, callbacks, and messages of institutions. */
export async function startWorkers(surroundings: Surroundings): Promise<void> {
  const { life, receivers } = surroundings
  const parts = openParts(surroundings)
  const signer = createCallbackSigner(parts)
  await parts.changes.start()
  const callbacks = createCallbackWorker({
    ...parts,
    outbound: receivers.outbound(life),
    sign: (merchantId, message) => signer.sign(merchantId, message),
    settings: { ...CALLBACK_SETTINGS, intervalSeconds: CALLBACK_INTERVAL_SECONDS, version: 'simulated' },
  })
  const payments = createPaymentService({ ...parts, ...BATCHES, openFreshCallbacks: callbacks.openFresh })
  const workers = [
    createPaymentWorker({ ...parts, payments, contentHashOf }),
    createNotificationWorker({ ...parts, payments }),
    callbacks,
  ]
  for (const worker of workers) worker.start()
  createConfirmationWorker({
    ...parts,
    pollMs: CONFIRMATIONS_POLL_MS,
    resume: () => Promise.resolve(),
  }).start()
}

/** Those of the product's own. */
const REFERENCE_LENGTH = 12
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BITS_PER_LETTER = 5
/** Odd, so that each number goes to another one: references that follow each other have little in common. */
const SCATTERING = 0x9e3779b97f4a7c15n

/** Ids that the same seed gives again. Those of one simulation never meet. */
export function createIds(random: Random): Ids {
  let count = 0
  const ids: Ids = {
    uuid() {
      count += 1
      return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => random.below(256))),
    readable(length) {
      count += 1
      const number = BigInt.asUintN(BITS_PER_LETTER * length, BigInt(count) * SCATTERING)
      return Array.from(
        { length },
        (_, at) => LETTERS[Number((number >> BigInt(BITS_PER_LETTER * at)) & 31n)],
      ).join('')
    },
    reference: () => ids.readable(REFERENCE_LENGTH),
  }
  return ids
}
