import type { Ids } from '@tollgate/runtime'
import type { Lacking } from './api-client.ts'
import { chooseLanguage, createTexts, LANGUAGES, type Texts } from './messages/index.ts'
import { type ErrorKind, type Trouble, trouble } from './screens/errors.ts'
import type { Page, View } from './screens/view.ts'
import type { Deps, Visit } from './visit.ts'

// What it takes to draw a screen.

/** A screen in the making. */
export interface Drawing {
  readonly deps: Deps
  readonly visit: Visit
  readonly view: View
}

/** What the address asks for, beside the payment. */
export interface Wanted {
  readonly step: View['step'] | 'leave'
  /** Show why the API did not take it. */
  readonly isRefused: boolean
}

/** The step that stays in the address; leaving has one of its own. */
export const stepOf = ({ step }: Wanted): View['step'] => (step === 'leave' ? undefined : step)

const TEXTS: ReadonlyMap<string, Texts> = new Map(LANGUAGES.map((each) => [each, createTexts(each)]))

/** The texts for a browser. */
export function textsFor(acceptLanguage: string | undefined, asked: string | undefined): Texts {
  const language = chooseLanguage(acceptLanguage, asked)
  return TEXTS.get(language) ?? createTexts(language)
}

/** A view without a payment: for what went wrong before one was found. */
export function bareView(deps: Pick<Deps, 'isLive' | 'clock'>, texts: Texts): View {
  return {
    texts,
    base: '',
    formToken: '',
    mode: 'PAY',
    isSandbox: !deps.isLive,
    nowMs: deps.clock.nowMs(),
    shop: undefined,
    money: undefined,
    idPayin: undefined,
    returnUrl: undefined,
    pageUrl: '',
    hasChoice: true,
  }
}

/** A short code by which a customer and the log name the same incident, such as `PG-7F3KQ2`. */
export const incidentOf = (ids: Pick<Ids, 'readable'>): string => `PG-${ids.readable(6)}`

/** What to do about it, wherever it is met. */
const REMEDIES: Readonly<Partial<Record<ErrorKind, string>>> = {
  LINK_INVALID:
    'The gateway does not take this token: it has expired or was revoked, or it belongs to another merchant than merchantCode or to another payment than idPayin ("tollgate token explain" says which). Or this browser has not opened the link of the shop.',
  TOKEN_INCOMPLETE:
    'The token must permit "POST /payins/!availablePaymentOptions", "POST /payins/<idPayin>" and "GET /payins/<idPayin>" of this payment. A token of the action PAYIN_CREATE does.',
  REFERENCE_DENIED:
    'The gateway does not permit this page to send a reference. Set CHECKOUT_SERVICE_KEY to what "tollgate checkout --settings" prints, or let the token permit "POST /payins/<idPayin>/!setExternalReference".',
}

/** Logs what went wrong and draws it; both name the same incident. */
export function troublePage(
  deps: Pick<Deps, 'ids' | 'log'>,
  view: View,
  kind: ErrorKind,
  more: Omit<Trouble, 'kind' | 'incident'> = {},
): Page {
  const incident = incidentOf(deps.ids)
  deps.log.warn({ incident, kind }, 'a customer saw an error')
  return trouble(view, { ...more, remedy: more.remedy ?? REMEDIES[kind], kind, incident })
}

/** What is missing in a token that is valid, as the screen that says so. */
export function lackOf(lacks: Lacking, { claims }: Visit): ErrorKind {
  if (lacks === 'OPERATION') return 'TOKEN_INCOMPLETE'
  return claims.money === undefined ? 'MONEY_MISSING' : 'AMOUNT_DIFFERENT'
}

/** For developers: what to do about it. */
export function remedyFor(kind: ErrorKind, { session, claims }: Visit): string | undefined {
  if (kind === 'RETURN_NOT_ALLOWED')
    return `callbackUrl and returnUrl must have an origin of the merchant: tollgate merchants set-origins ${session.merchantCode} <origin>…`
  if (kind === 'MONEY_MISSING') {
    const { amount, currencyCode } = session.order?.money ?? {}
    const money = JSON.stringify({ amount, currencyCode })
    return `The token lacks the claim "money", which this merchant requires (requireMoneyInTokens). Request the token with "money": ${money}; see /errors/MONEY_NOT_PERMITTED of the API. To do without: tollgate merchants require-money ${session.merchantCode} off`
  }
  if (kind === 'AMOUNT_DIFFERENT') {
    const { amount = '', currencyCode = '' } = claims.money ?? {}
    return `The token is for ${amount} ${currencyCode}; amount and currencyCode of the address must say the same.`
  }
  return REMEDIES[kind]
}
