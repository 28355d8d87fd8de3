import type { Accepted } from '../../modules/payments/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './gateway.ts'
import type { Breach } from './properties.ts'
import { type CurrencyCode, codeOf, receiverHost } from './shop.ts'
import { keyText } from './statements.ts'
import { type TokenName, tokenOf } from './tokens.ts'
import type { HandedIn, Waiting } from './uploads.ts'
import type { Answer, World } from './world.ts'

export const KINDS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
export type Kind = (typeof KINDS)[number]

/** Names a payment as its merchant does. */
export interface Name {
  readonly merchantId: string
  readonly kind: Kind
  readonly id: string
}

/** A create request. */
export interface Order extends Name {
  readonly amount: number
  readonly currencyCode: CurrencyCode
  readonly methodCode: 'TRANSFER' | 'WALLET'
  readonly token: TokenName
}

const NOUNS = { PAYIN: 'payins', PAYOUT: 'payouts', TOPUP: 'topups' } as const

export const nameText = ({ merchantId, kind, id }: Name): string => keyText(merchantId, kind, id)

/** What an operator says about a payment. */
export interface Word {
  readonly operatorCode: 'ANNA' | 'BERT'
  readonly outcome: 'EXECUTED' | 'NOT_EXECUTED' | 'RETURNED'
}

/** What an operator says about a payout that waits for two: about what is shown, or about something else. */
export interface Judgement {
  readonly operatorCode: Word['operatorCode']
  readonly sees: 'CONTENT' | 'OTHER'
}

/** How an operator ends what waits for a second one. */
export interface Ending {
  readonly action: 'confirm' | 'refuse' | 'withdraw'
  readonly operatorCode: Word['operatorCode']
}

type HoldAction = 'hold' | 'release' | 'cancelHeld'

/** What merchants do, and what they remember of the answers. */
export interface Client {
  create(order: Order): Promise<Answer>
  read(name: Name, token: TokenName): Promise<Answer>
  setReference(name: Name, reference: string): Promise<Answer>
  readBalances(merchantId: string): Promise<Answer>
  /** An operator stops a payout, releases it, or ends it while it is on hold. */
  changeHold(action: HoldAction, name: Name, operatorCode: Word['operatorCode']): Promise<Answer>
  /** An operator looks at the payouts that wait, and approves or rejects one. */
  judge(action: 'approve' | 'reject', name: Name, judgement: Judgement): Promise<Answer>
  /** An operator hands in a document; the body of the answer is what waits. */
  handIn(handedIn: HandedIn): Promise<Answer>
  endUpload(waiting: Waiting, ending: Ending): Promise<Answer>
  /** An operator's word, which needs that of another one. */
  say(name: Name, word: Word): Promise<Answer>
  /** What was acknowledged, by 201 or by a 409 after an answer that did not come. */
  readonly acknowledged: ReadonlyMap<string, Order>
  /** The references of payments that were accepted, whether the merchant heard of it or not. */
  readonly references: ReadonlyMap<string, string>
  /** Payments of which somebody was told with a 409 that they are there. */
  readonly duplicates: ReadonlySet<string>
  /** An operator heard that the merchant's spare token is revoked. */
  noteRevoked(merchantId: string): void
  /** What the answers themselves show to be wrong. */
  readonly breaches: Breach[]
}

/** After so long nobody comes in with a revoked token; after as much more, when the database was away meanwhile. */
const DENIED_WITHIN_MS = 5_000

/** The way of every request: its token, the rate limit, then what the token permits, as the gate has them. */
async function enter(
  api: Api,
  call: Pick<Order, 'merchantId' | 'token'> & { readonly method: string; readonly path: string },
) {
  const caller = await api.authenticator.authenticate(tokenOf(call.merchantId, call.token))
  if (!api.limiter.admit(caller.bucket.key, caller.bucket.limitPerSecond).admitted)
    throw new Refusal('RATE_LIMIT_EXCEEDED')
  if (!caller.allows(call.method, call.path)) throw new Refusal('OPERATION_NOT_PERMITTED')
  return caller
}

export function createClient(world: World): Client {
  const acknowledged = new Map<string, Order>()
  const references = new Map<string, string>()
  const duplicates = new Set<string>()
  const revoked = new Map<string, { readonly atMs: number; readonly failovers: number }>()
  const breaches: Breach[] = []
  const say = (property: string, what: string): void => void breaches.push({ property, what })

  /** Looks at an answer where it is given, so that one that is lost counts, too. */
  function witness(order: Order, answer: Accepted | Refusal): void {
    const text = nameText(order)
    if (answer instanceof Refusal) {
      if (answer.status === 409) duplicates.add(text)
      return
    }
    if (references.has(text)) say('S1', `${text} was answered 201 twice`)
    if (world.disk.payments.get(text) === undefined) say('S2', `${text} was answered 201, and is not there`)
    references.set(text, answer.payment.reference)
  }

  /** Looks at who is let in. */
  function witnessEntry({ token, merchantId }: Order): void {
    const since = revoked.get(merchantId)
    if (token !== 'SPARE' || since === undefined) return
    const limitMs = DENIED_WITHIN_MS * (1 + world.failovers() - since.failovers)
    if (world.time.nowMs() > since.atMs + limitMs) say('S14', `${merchantId} came in with a revoked token`)
  }

  return {
    acknowledged,
    references,
    duplicates,
    breaches,
    noteRevoked: (merchantId) =>
      void revoked.set(merchantId, { atMs: world.time.nowMs(), failovers: world.failovers() }),
    async create(order) {
      const answer = await world.request(201, async (api) => {
        try {
          const accepted = await createBy(api, order, () => witnessEntry(order))
          witness(order, accepted)
          return accepted
        } catch (error) {
          witness(order, error instanceof Refusal ? error : new Refusal('SYSTEM'))
          throw error
        }
      })
      if (answer.status === 201) acknowledged.set(nameText(order), order)
      return answer
    },
    read: ({ merchantId, kind, id }, token) =>
      world.request(200, async (api) => {
        const path = `/${NOUNS[kind]}/${id}`
        const caller = await enter(api, { merchantId, token, method: 'GET', path })
        const service = { PAYIN: api.payins, PAYOUT: api.payouts, TOPUP: api.topUps }[kind]
        return service.read(caller, id)
      }),
    setReference: ({ merchantId, kind, id }, reference) =>
      world.request(200, async (api) => {
        const path = `/${NOUNS[kind]}/${id}/externalReference`
        const caller = await enter(api, { merchantId, token: 'FULL', method: 'POST', path })
        await api.payins.setExternalReference(caller, id, { externalReference: reference })
      }),
    say: ({ merchantId, kind, id: idPayment }, word) =>
      world.request(200, (api) =>
        api.payments.decideReview({ merchantId, kind, idPayment }, { ...word, reason: 'read on paper' }),
      ),
    changeHold: (action, { merchantId, kind, id: idPayment }, operatorCode) =>
      world.request(200, (api) =>
        api.payments[action]({ merchantId, kind, idPayment }, { operatorCode, reason: 'somebody called' }),
      ),
    judge: (action, name, judgement) => world.request(200, (api) => judge(api, action, { name, judgement })),
    handIn: (handedIn) => world.request(200, (api) => api.handIn(handedIn)),
    endUpload: (waiting, { action, operatorCode }) =>
      world.request(200, ({ confirmations }) => {
        const order = { ...waiting, operatorCode, reason: 'seen' }
        if (action === 'withdraw') return confirmations.withdraw(order)
        if (action === 'refuse') return confirmations.refuse(order)
        return confirmations.confirm({ ...order, consequencesDigest: undefined })
      }),
    readBalances: (merchantId) =>
      world.request(200, async (api) => {
        await enter(api, { merchantId, token: 'FULL', method: 'GET', path: '/balances' })
        return api.balances.list(merchantId, undefined)
      }),
  }
}

/** What is approved is what was shown: a hash of nothing finds nothing that waits. */
async function judge(
  { approvals }: Api,
  action: 'approve' | 'reject',
  { name, judgement }: { readonly name: Name; readonly judgement: Judgement },
): Promise<unknown> {
  const { merchantId, kind, id: idPayment } = name
  const merchantCode = codeOf(merchantId)
  const { items } = await approvals.list({
    kind,
    merchantCode,
    waiting: 'AWAITING_APPROVAL',
    after: undefined,
    limit: SHOWN_MAX,
  })
  const shown = items.find(({ payment }) => payment.idPayment === idPayment)?.contentHash
  const contentHash = judgement.sees === 'CONTENT' && shown !== undefined ? shown : OTHER_HASH
  const { operatorCode } = judgement
  return approvals[action]({ kind, merchantCode, idPayment, operatorCode, contentHash, reason: 'seen' })
}

const SHOWN_MAX = 1_000
const OTHER_HASH = '0'.repeat(64)

async function createBy(api: Api, order: Order, onEntered: () => void): Promise<Accepted> {
  const { merchantId, kind, id, token, amount, currencyCode, methodCode } = order
  const caller = await enter(api, { merchantId, token, method: 'POST', path: `/${NOUNS[kind]}/${id}` })
  onEntered()
  const requested = { money: { amount, currencyCode } }
  const paymentMethod = {
    paymentMethodCode: methodCode,
    // Of somebody; sealing it costs more than all the rest.
    ...(id === 'again' && { account: { accountNumber: 'ACCOUNT-1' } }),
  }
  const callbackUrl = `https://${receiverHost(merchantId)}/callbacks`
  switch (kind) {
    case 'PAYIN':
      return api.payins.create(caller, id, { paymentRequested: requested, paymentMethod, callbackUrl })
    case 'PAYOUT':
      return api.payouts.create(caller, id, { paymentRequested: requested, paymentMethod, callbackUrl })
    case 'TOPUP':
      return api.topUps.create(caller, id, { topUpRequested: requested, paymentMethod, callbackUrl })
  }
}
