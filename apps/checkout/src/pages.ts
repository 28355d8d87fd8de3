import { type MethodFacts, nameOfCode } from './directory.ts'
import { FORMAT_TABLE, maskField, referenceFormat } from './formats/index.ts'
import { faultOf, formatOf, formOf } from './forms.ts'
import { chooseLanguage, createTexts, LANGUAGES, type Texts } from './messages/index.ts'
import type { OfferedOption, Payin, Rejection } from './records.ts'
import { isWebAddress } from './redirect-url.ts'
import { nextStep, type Situation, type Step } from './scenarios.ts'
import { chooseMethod, chooseOperator } from './screens/choose.ts'
import { details } from './screens/details.ts'
import { type ErrorKind, type Trouble, trouble } from './screens/errors.ts'
import { instructions, partial } from './screens/instructions.ts'
import { methodName } from './screens/parts.ts'
import { progress } from './screens/progress.ts'
import { redirect, returned } from './screens/redirect.ts'
import { reference, referenceSent } from './screens/reference.ts'
import { cancelled, expired, failed, leave, paid, reversed } from './screens/results.ts'
import type { Page, View } from './screens/view.ts'
import type { Session } from './sessions.ts'
import { type Deps, moneyAt, type Seen, type Visit } from './visit.ts'

/** What the address asks for, beside the payment. */
export interface Wanted {
  readonly step: 'method' | 'operator' | 'reference' | 'leave' | undefined
  /** The form was sent without a choice. */
  readonly isMissing: boolean
  /** Show why the API did not take it. */
  readonly isRefused: boolean
}

const TEXTS: ReadonlyMap<string, Texts> = new Map(LANGUAGES.map((each) => [each, createTexts(each)]))

/** The texts for a browser. */
export function textsFor(acceptLanguage: string | undefined, asked: string | undefined): Texts {
  const language = chooseLanguage(acceptLanguage, asked)
  return TEXTS.get(language) ?? createTexts(language)
}

/** A view without a payment: for what went wrong before one was found. */
export function bareView(deps: Deps, texts: Texts): View {
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
  }
}

/** Logs what went wrong and draws it; both name the same incident. */
export function troublePage(
  deps: Deps,
  view: View,
  kind: ErrorKind,
  more: Omit<Trouble, 'kind' | 'incident'> = {},
): Page {
  const incident = deps.ids.incident()
  deps.log.warn('a customer saw an error', { incident, kind })
  return trouble(view, { kind, incident, ...more })
}

/** The screen of a visit. */
export async function pageOf(
  deps: Deps,
  visit: Visit,
  seen: Seen,
  asked: { readonly texts: Texts; readonly wanted: Wanted },
): Promise<{ view: View; page: Page }> {
  const view = await viewOf(deps, visit, seen, asked.texts)
  const fault = errorFor(seen)
  if (fault !== undefined) {
    const { retryAfterSeconds } = seen.silence ?? {}
    return {
      view,
      page: troublePage(deps, view, fault, { retryAfterSeconds, remedy: remedyFor(fault, visit) }),
    }
  }
  if (seen.payin === undefined) return { view, page: await startPage({ deps, visit, view }, asked.wanted) }
  return { view, page: await paymentPage({ deps, visit, view }, seen, seen.payin, asked.wanted) }
}

/** Nothing of a link is believed before the API has accepted its token. */
async function viewOf(deps: Deps, visit: Visit, seen: Seen, texts: Texts): Promise<View> {
  const { session, mode, place, base } = visit
  const view = {
    ...bareView(deps, texts),
    base,
    mode,
    formToken: deps.sessions.formTokenOf(place),
    pageUrl: deps.publicUrl + base,
  }
  if (errorFor(seen) !== undefined) return view
  const address =
    seen.payin === undefined ? session.order?.returnUrl : seen.payin.paymentMethodResponse.returnUrl
  const mayKnowShop = visit.claims.operations.some(
    (each) => each.startsWith('GET ') && each !== `GET /payins/${session.idPayin}`,
  )
  return {
    ...view,
    idPayin: session.idPayin,
    money: moneyAt(visit, seen.payin),
    returnUrl: address !== undefined && isWebAddress(address, deps.isLive) ? new URL(address) : undefined,
    shop: mayKnowShop ? await deps.api.shop(session.token) : undefined,
  }
}

function errorFor({ screen }: Seen): ErrorKind | undefined {
  switch (screen) {
    case 'LINK_INCOMPLETE':
    case 'LINK_INVALID':
    case 'AMOUNT_DIFFERENT':
    case 'RETURN_NOT_ALLOWED':
    case 'UNREACHABLE':
    case 'BUSY':
    case 'NOT_FOUND':
      return screen
    default:
      return undefined
  }
}

/** For developers: what to do about it. */
function remedyFor(kind: ErrorKind, { session, claims }: Visit): string | undefined {
  if (kind === 'RETURN_NOT_ALLOWED')
    return `callbackUrl and returnUrl must have an origin of the merchant: tollgate merchants allow-origin ${session.merchantCode} <origin>`
  if (kind === 'AMOUNT_DIFFERENT') {
    const { amount = '', currencyCode = '' } = claims.money ?? {}
    return `The token is for ${amount} ${currencyCode}; amount and currencyCode of the address must say the same.`
  }
  return undefined
}

interface Drawing {
  readonly deps: Deps
  readonly visit: Visit
  readonly view: View
}

/** Before there is a payment: the five scenarios. */
async function startPage(drawing: Drawing, wanted: Wanted): Promise<Page> {
  const { deps, visit, view } = drawing
  const { session } = visit
  const { order } = session
  const money = moneyAt(visit, undefined)
  if (order === undefined || money === undefined) return troublePage(deps, view, 'NOT_FOUND')
  const refusals = wanted.isRefused ? session.refusals : []
  if (refusals.some(({ code }) => ADDRESS_CODES.has(code)))
    return troublePage(deps, view, 'RETURN_NOT_ALLOWED', { remedy: remedyFor('RETURN_NOT_ALLOWED', visit) })
  const offer = await deps.directory.offer(session.token, money)
  if (offer.kind === 'NONE') return troublePage(deps, view, 'NO_OPTIONS', { reasons: offer.reasons })
  if (offer.kind !== 'FOUND')
    return troublePage(deps, view, offer.kind === 'DENIED' ? 'LINK_INVALID' : offer.kind, offer)
  const situation = situationOf(session, offer.options, wanted)
  const step = nextStep(situation)
  return stepPage(drawing, { step, situation, wanted, refusals })
}

const ADDRESS_CODES: ReadonlySet<string> = new Set(['RETURN_URL_NOT_ALLOWED', 'CALLBACK_URL_NOT_ALLOWED'])

/** What the shop fixed and the customer chose, as the decision wants it. */
export function situationOf(
  session: Session,
  options: readonly OfferedOption[],
  wanted: Pick<Wanted, 'step'>,
): Situation {
  const { order, choice } = session
  const { paymentMethodCode, paymentOperatorCode } = order ?? {}
  const fixed =
    paymentMethodCode === undefined
      ? undefined
      : { methodCode: paymentMethodCode, operatorCode: paymentOperatorCode }
  return {
    options,
    fixed,
    optionsAvailable: order?.optionsAvailable ?? false,
    allowCustomerDataChange: order?.allowCustomerDataChange ?? false,
    supplied: order?.customer ?? {},
    chosen: choice,
    change: wanted.step === 'method' ? 'METHOD' : wanted.step === 'operator' ? 'OPERATOR' : undefined,
  }
}

interface Stepping {
  readonly step: Step
  readonly situation: Situation
  readonly wanted: Wanted
  readonly refusals: readonly Rejection[]
}

function stepPage(drawing: Drawing, { step, situation, wanted, refusals }: Stepping): Page {
  const { deps, view } = drawing
  switch (step.kind) {
    case 'METHOD':
      return chooseMethod(view, { ...step, options: situation.options, isMissing: wanted.isMissing })
    case 'OPERATOR':
      return chooseOperator(view, { ...step, isMissing: wanted.isMissing })
    case 'DETAILS':
      return detailsPage(drawing, step, refusals)
    case 'NONE':
      return troublePage(deps, view, 'NO_OPTIONS', {
        remedy: 'paymentMethodCode and paymentOperatorCode must be one of the available options.',
      })
  }
}

function detailsPage(
  { deps, visit, view }: Drawing,
  step: Extract<Step, { kind: 'DETAILS' }>,
  refusals: readonly Rejection[],
): Page {
  const { session } = visit
  const { order } = session
  const { option } = step
  const code = option.paymentMethodCode
  const currencyCode = order?.money.currencyCode ?? ''
  const supplied = order?.customer ?? {}
  // The customer cannot mend what the shop has fixed.
  const isWrong = step.locked.some((name) =>
    faultOf(formatOf(code, currencyCode, name), supplied[name] ?? '', true),
  )
  const elsewhere = refusals.filter(({ field }) => !step.asked.some(({ name }) => name === field))
  if (isWrong || elsewhere.some(({ field }) => field !== undefined))
    return troublePage(deps, view, 'SHOP_DETAILS', { reasons: refusals })
  if (elsewhere.length > 0) return troublePage(deps, view, 'NO_OPTIONS', { reasons: refusals })
  const drafts = session.drafts[code]
  const isPrefilled = order?.allowCustomerDataChange === true && Object.keys(supplied).length > 0
  const fields = formOf({
    methodCode: code,
    currencyCode,
    asked: step.asked,
    values: drafts ?? (isPrefilled ? supplied : {}),
    isJudged: session.checked === code || (drafts === undefined && isPrefilled),
    refusals,
  })
  const masked = step.locked.map((name) => {
    const format = formatOf(code, currencyCode, name)
    return {
      label: view.texts.say(FORMAT_TABLE[format].label),
      masked: maskField(format, supplied[name] ?? ''),
    }
  })
  return details(view, { ...step, fields, supplied: masked })
}

/** There is a payment: what became of it. */
async function paymentPage(drawing: Drawing, seen: Seen, payin: Payin, wanted: Wanted): Promise<Page> {
  const { view } = drawing
  if (wanted.step === 'leave' && payin.process.status === 'CREATED') return leave(view, payin)
  const known = await describe(drawing, payin)
  const { paymentMethodCode: code, paymentOperatorCode: operator } = payin.paymentMethodResponse
  const operatorName =
    operator === undefined
      ? methodName(view, code, known?.name)
      : (known?.operators.get(operator) ?? nameOfCode(operator))
  const takesReference = known !== undefined && known.externalReference !== 'NONE'
  const parts = {
    payin,
    live: seen.live,
    operatorName,
    methodName: operatorName,
    takesReference,
    isChecking: seen.screen === 'CHECKING',
  }
  return drawPayment(drawing, seen, parts, wanted)
}

/** Names are only worth a question while the customer decides; of an old payment a token may not permit it. */
async function describe({ deps, visit }: Drawing, payin: Payin): Promise<MethodFacts | undefined> {
  const money = moneyAt(visit, payin)
  if (money === undefined) return undefined
  return deps.directory.describe(visit.session.token, money, payin.paymentMethodResponse.paymentMethodCode)
}

interface Parts {
  readonly payin: Payin
  readonly live: string
  readonly operatorName: string
  readonly methodName: string
  readonly takesReference: boolean
  readonly isChecking: boolean
}

function drawPayment(drawing: Drawing, { screen }: Seen, parts: Parts, wanted: Wanted): Page {
  const { view } = drawing
  const redirectUrl = parts.payin.paymentMethodResponse.redirectUrl ?? ''
  const wantsReference =
    wanted.step === 'reference' && parts.takesReference && (screen === 'INSTRUCTIONS' || screen === 'EXPIRED')
  if (wantsReference) return referencePage(drawing, parts, true)
  switch (screen) {
    case 'REDIRECT':
      return redirect(view, { ...parts, redirectUrl })
    case 'RETURNED':
      return returned(view, { ...parts, redirectUrl })
    case 'INSTRUCTIONS':
      return instructions(view, parts)
    case 'REFERENCE':
      return referencePage(drawing, parts, false)
    case 'REFERENCE_SENT':
      return referenceSent(view, { ...parts, ...referenceParts(drawing, parts), isAfterwards: true })
    case 'PARTIAL':
      return partial(view, parts)
    case 'PAID':
      return paid(view, parts)
    case 'REVERSED':
      return reversed(view, parts)
    case 'FAILED':
      return failed(view, parts)
    case 'CANCELLED':
      return cancelled(view, parts)
    case 'EXPIRED':
      return expired(view, parts)
    default:
      return progress(view, parts)
  }
}

function referencePage(drawing: Drawing, parts: Parts, isAfterwards: boolean): Page {
  return reference(drawing.view, { ...parts, ...referenceParts(drawing, parts), isAfterwards })
}

function referenceParts(
  { visit }: Drawing,
  { payin }: Parts,
): Pick<Parameters<typeof reference>[1], 'field' | 'refusal'> {
  const { reference: draft, refusals } = visit.session
  const format = referenceFormat(payin.paymentMethodResponse.paymentMethodCode)
  const refused = refusals.some(({ code }) => REFERENCE_CODES.has(code))
  const value = draft ?? payin.externalReference ?? ''
  const fault = draft === undefined ? undefined : faultOf(format, draft, true)
  return {
    field: { name: 'externalReference', required: true, format, lengthMax: undefined, value, fault },
    refusal: refused && fault === undefined ? 'reference.refused' : undefined,
  }
}

const REFERENCE_CODES: ReadonlySet<string> = new Set([
  'INVALID_REF_NUM',
  'ENTITY_EXPIRED',
  'ATTRIBUTE_INVALID',
])
