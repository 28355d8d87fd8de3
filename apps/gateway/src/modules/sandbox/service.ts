import type { TriggerOutcome } from '@tollgate/contract/words'
import type { AnsweredRequest } from '../../platform/answered-request.ts'
import type { Database } from '../../platform/database.ts'
import {
  type Payment,
  type PaymentKey,
  type PaymentService,
  type Triggered,
  unknownPayment,
} from '../payments/index.ts'
import type { RecordedRequest } from './model.ts'
import { insertRequests, listRequests, type OwnedRequest, type RequestQuery } from './store.ts'

interface SandboxDeps {
  readonly db: Database
  readonly payments: Pick<PaymentService, 'find'>
  readonly trigger: (payment: Payment, outcome: TriggerOutcome) => Promise<Triggered>
}

/** What merchants' developers have in a sandbox, by their own keys. */
export interface SandboxService {
  /** Remembers a request for its merchant, soon; under a flood only some of them. Never fails. */
  record(request: AnsweredRequest): void
  /** A merchant's requests, the earliest first: those after one, or the latest. */
  listRequests(query: RequestQuery): Promise<readonly RecordedRequest[]>
  /** Makes the simulated institution say something about a payment. Throws ENTITY_NOT_FOUND. */
  trigger(
    key: PaymentKey,
    outcome: TriggerOutcome,
  ): Promise<{ readonly payment: Payment; readonly triggered: Triggered }>
}

/** Of all merchants together. */
const KEPT_MAX = 10_000
/** So few that a flood is no work for the database, and more than developers send. */
const ROWS_PER_WRITE_MAX = 100
const WRITE_EVERY_MS = 250
const PATH_CHARACTERS_MAX = 300
const SENTENCES_MAX = 5
const SENTENCE_CHARACTERS_MAX = 300

export function createSandboxService({ db, payments, trigger }: SandboxDeps): SandboxService {
  let gathered: OwnedRequest[] = []
  const write = (): void => {
    const requests = gathered
    gathered = []
    // A help for developers: what cannot be written is left out, and nobody waits for it.
    insertRequests(db, requests, KEPT_MAX).catch(() => undefined)
  }
  async function find(key: PaymentKey): Promise<Payment> {
    const payment = await payments.find(key)
    // A payment from before the installation became a sandbox moved real money.
    if (payment?.isTest !== true) throw unknownPayment(key)
    return payment
  }
  return {
    record(request) {
      const { merchantCode } = request
      if (merchantCode === undefined || gathered.length >= ROWS_PER_WRITE_MAX) return
      if (gathered.length === 0) setTimeout(write, WRITE_EVERY_MS).unref()
      gathered.push({ ...cut(request), merchantCode })
    },
    listRequests: (query) => listRequests(db, query),
    async trigger(key, outcome) {
      const triggered = await trigger(await find(key), outcome)
      return { payment: await find(key), triggered }
    },
  }
}

const cut = (request: AnsweredRequest): AnsweredRequest => ({
  ...request,
  path: request.path.slice(0, PATH_CHARACTERS_MAX),
  says: request.says.slice(0, SENTENCES_MAX).map((sentence) => sentence.slice(0, SENTENCE_CHARACTERS_MAX)),
})
