import type { Money } from '@tollgate/money'
import { createBoundedMap, type WallClock } from '@tollgate/runtime'
import type { Api, Offer, Subject } from './api-client.ts'
import { createCache } from './cache.ts'
import type { Choice } from './records.ts'

/** What the catalogue says of a method; the same for every shop and customer. */
export interface MethodFacts {
  readonly name: string
  readonly externalReference: string
  readonly operators: ReadonlyMap<string, string>
}

/** Offers, and what was learnt from them about the names of methods. */
export interface Directory {
  offer(token: string, money: Money): Promise<Offer>
  /** What a picker shows beside an offer; empty where nobody says. */
  choices(subject: Subject, money: Money): Promise<readonly Choice[]>
  /** The gateway has refused what it offered: the next question is asked anew. */
  forget(token: string, money: Money): void
  /** Asks for an offer where the method is not known yet; undefined where the token does not permit to know. */
  describe(token: string, money: Money, methodCode: string): Promise<MethodFacts | undefined>
}

const METHODS_MAX = 500
/** From one step to the next, what can be chosen stays the same. */
const OFFER_MS = 15_000
const OFFERS_MAX = 2_000

export function createDirectory(api: Pick<Api, 'offer' | 'choices'>, clock: WallClock): Directory {
  const memory = { lifeMs: OFFER_MS, sizeMax: OFFERS_MAX, nowMs: () => clock.nowMs() }
  const offers = createCache<Offer>({ ...memory, isKept: ({ kind }) => kind === 'FOUND' })
  const choices = createCache<readonly Choice[]>({ ...memory, isKept: ({ length }) => length > 0 })
  const known = createBoundedMap<string, MethodFacts>(METHODS_MAX)
  const learn = (offer: Offer): Offer => {
    if (offer.kind !== 'FOUND') return offer
    for (const { paymentMethodCode, name, externalReference = 'NONE', paymentOperators } of offer.options) {
      // Another currency has other operators: all of them are worth knowing.
      const before = known.get(paymentMethodCode)?.operators ?? []
      const operators = new Map([
        ...before,
        ...paymentOperators.map((each) => [each.code, each.name] as const),
      ])
      known.set(paymentMethodCode, { name, externalReference, operators })
    }
    return offer
  }
  const offer: Directory['offer'] = (token, money) =>
    offers.get(keyOf(token, money), async () => learn(await api.offer(token, money)))
  return {
    offer,
    choices: (subject, money) => choices.get(keyOf(subject.token, money), () => api.choices(subject, money)),
    forget(token, money) {
      offers.forget(keyOf(token, money))
      choices.forget(keyOf(token, money))
    },
    async describe(token, money, methodCode) {
      if (!known.has(methodCode)) await offer(token, money)
      return known.get(methodCode)
    },
  }
}

const keyOf = (token: string, { amount, currencyCode }: Money): string =>
  [token, amount, currencyCode].join('\n')

/** A name for a code that nobody has explained: `BANKA_VLTAVA` is `Banka Vltava`. */
export function nameOfCode(code: string): string {
  return code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
