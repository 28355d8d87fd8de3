import { type Html, html } from '@tollgate/runtime/html'
import type { MessageKey } from '../messages/index.ts'
import type { Rejection } from '../records.ts'
import type { Problem } from '../redirect-url.ts'
import { limitReachedOf, returnButton } from './parts.ts'
import { addressWith, amountText, type Page, type View } from './view.ts'

// What went wrong, in one plain sentence and a code that the log has as well.

export type ErrorKind =
  | 'LINK_INVALID'
  | 'NO_COOKIES'
  | 'CODE_OVER'
  | 'LINK_INCOMPLETE'
  | 'TOKEN_INCOMPLETE'
  | 'MONEY_MISSING'
  | 'AMOUNT_DIFFERENT'
  | 'SHOP_DETAILS'
  | 'RETURN_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'NO_OPTIONS'
  | 'METHOD_FIXED'
  | 'UNREACHABLE'
  | 'UNSURE'
  | 'BUSY'
  | 'LIMITED'
  | 'UNEXPECTED'
  | 'REFERENCE_DENIED'
  | 'FORBIDDEN'
  | 'NO_FORM'
  | 'TOO_LARGE'
  | 'NOWHERE'

interface ErrorOf {
  readonly status: number
  readonly heading: MessageKey
  readonly text: MessageKey
  readonly action?: MessageKey
  readonly more?: readonly MessageKey[]
  /** Whether the way back to the shop is shown: only where it is the shop's for certain. */
  readonly returns: boolean
  readonly isTriedAgain?: true
}

const ERRORS: Readonly<Record<ErrorKind, ErrorOf>> = {
  LINK_INVALID: {
    status: 403,
    heading: 'error.linkInvalid',
    text: 'error.linkInvalidText',
    action: 'error.linkInvalidAction',
    returns: false,
  },
  NO_COOKIES: {
    status: 400,
    heading: 'cookies.title',
    text: 'cookies.text',
    action: 'cookies.how',
    more: ['cookies.app', 'error.linkInvalidAction'],
    returns: false,
  },
  CODE_OVER: { status: 403, heading: 'phone.over', text: 'phone.overText', returns: false },
  LINK_INCOMPLETE: {
    status: 400,
    heading: 'error.linkIncomplete',
    text: 'error.linkIncompleteText',
    returns: false,
  },
  TOKEN_INCOMPLETE: {
    status: 403,
    heading: 'error.linkIncomplete',
    text: 'error.linkIncompleteText',
    returns: false,
  },
  MONEY_MISSING: {
    status: 403,
    heading: 'error.linkIncomplete',
    text: 'error.linkIncompleteText',
    returns: false,
  },
  AMOUNT_DIFFERENT: {
    status: 400,
    heading: 'error.linkIncomplete',
    text: 'error.linkIncompleteText',
    returns: false,
  },
  SHOP_DETAILS: { status: 400, heading: 'error.shopDetails', text: 'error.shopDetailsText', returns: true },
  RETURN_NOT_ALLOWED: {
    status: 400,
    heading: 'error.returnAddress',
    text: 'error.returnAddressText',
    returns: false,
  },
  NOT_FOUND: {
    status: 404,
    heading: 'error.unknownPayment',
    text: 'error.unknownPaymentText',
    action: 'status.newLink',
    returns: false,
  },
  NO_OPTIONS: { status: 409, heading: 'error.noOptions', text: 'error.noOptionsText', returns: true },
  METHOD_FIXED: { status: 409, heading: 'error.methodFixed', text: 'error.methodFixedText', returns: true },
  UNREACHABLE: {
    status: 503,
    heading: 'error.unreachable',
    text: 'error.unreachableText',
    returns: false,
    isTriedAgain: true,
  },
  UNSURE: {
    status: 503,
    heading: 'error.unreachable',
    text: 'error.unreachableUnsure',
    returns: false,
    isTriedAgain: true,
  },
  BUSY: { status: 503, heading: 'error.busy', text: 'error.busyText', returns: false, isTriedAgain: true },
  LIMITED: {
    status: 429,
    heading: 'error.limited',
    text: 'error.limitedText',
    returns: false,
    isTriedAgain: true,
  },
  UNEXPECTED: { status: 500, heading: 'error.unexpected', text: 'error.unexpectedText', returns: false },
  REFERENCE_DENIED: {
    status: 403,
    heading: 'error.unexpected',
    text: 'error.unexpectedText',
    action: 'waiting.notAgain',
    returns: false,
  },
  FORBIDDEN: { status: 403, heading: 'error.forbidden', text: 'error.forbiddenText', returns: false },
  // Our forms are none of these.
  NO_FORM: { status: 415, heading: 'error.forbidden', text: 'error.forbiddenText', returns: false },
  TOO_LARGE: { status: 413, heading: 'error.forbidden', text: 'error.forbiddenText', returns: false },
  NOWHERE: { status: 404, heading: 'error.notFound', text: 'error.notFoundText', returns: false },
}

export interface Trouble {
  readonly kind: ErrorKind
  readonly incident: string
  readonly retryAfterSeconds?: number | undefined
  readonly problems?: readonly Problem[]
  readonly reasons?: readonly Rejection[]
  /** For developers: what to do about it. */
  readonly remedy?: string | undefined
}

/** The screen of an error. */
export function trouble(view: View, { kind, incident, ...more }: Trouble): Page {
  const { say } = view.texts
  const row = ERRORS[kind]
  const next = row.isTriedAgain && nextTry(view, more.retryAfterSeconds)
  const content = html`<p>${say(row.text, { amount: amountText(view) })}</p>
${limitsReached(view, more.reasons)}
${[...(row.action === undefined ? [] : [row.action]), ...(row.more ?? [])].map((key) => html`<p>${say(key)}</p>`)}
${next && retry(view, next)}
${row.returns && html`<p class="actions">${returnButton(view, true)}</p>`}
${view.isSandbox && developerBox(view, more)}
<p class="hint">${say('error.code')}: <bdi class="ltr" dir="ltr" id="incident">${incident}</bdi></p>`
  return {
    status: row.status,
    heading: say(row.heading),
    content,
    // What is tried again is not lost.
    icon: next === undefined ? 'bad' : 'wait',
    ...(next && { refreshSeconds: next.seconds, refreshUrl: next.url, retryAfterSeconds: next.seconds }),
  }
}

/** What the customer may know of the reasons: another day it would work. */
function limitsReached(view: View, reasons: readonly Rejection[] = []): readonly Html[] {
  return reasons.flatMap(({ code, paymentMethodCode }) =>
    code === 'CHANNEL_LIMIT' && paymentMethodCode !== undefined
      ? [html`<p>${limitReachedOf(view, paymentMethodCode)}</p>`]
      : [],
  )
}

/** Who waits longer is asked less often. */
const RETRY_SECONDS = [5, 15, 30] as const
const RETRY_SECONDS_LAST = 30

interface NextTry {
  readonly seconds: number
  readonly url: string
}

function nextTry(view: View, retryAfterSeconds: number | undefined): NextTry {
  const { base, tries = 0 } = view
  const ours = RETRY_SECONDS[tries] ?? RETRY_SECONDS_LAST
  const count = Math.min(tries + 1, RETRY_SECONDS.length - 1)
  const seconds = Math.max(ours, retryAfterSeconds ?? 0)
  // Where the payment is not known, the address stays as it is, with all that it holds.
  return { seconds, url: base === '' ? '' : addressWith(view, `try=${count}`) }
}

function retry({ texts }: View, { seconds, url }: NextTry): Html {
  return html`<p class="actions"><a class="button" id="again" href="${url}">${texts.say('common.tryNow')}</a></p>
<p class="hint" data-enhance="proceed" data-proceed-link="again" data-proceed-seconds="${seconds}" data-proceed-text="${texts.template('proceed.retrying')}" hidden><span data-proceed-count></span> <button type="button" class="link" data-proceed-stop>${texts.say('common.stop')}</button></p>
<noscript><p class="hint">${texts.say('proceed.retrying', { count: seconds })}</p></noscript>`
}

function developerBox(
  { texts: { say } }: View,
  { problems = [], reasons = [], remedy }: Omit<Trouble, 'kind' | 'incident'>,
): Html | undefined {
  if (problems.length === 0 && reasons.length === 0 && remedy === undefined) return undefined
  const listed = problems.map(
    ({ parameter, rule, value }) =>
      html`<tr><th scope="row"><code>${parameter}</code></th><td>${value === '' ? say('developer.nothing') : html`<code>${value}</code>`}</td><td>${rule}</td></tr>`,
  )
  const table =
    problems.length > 0 &&
    html`<table><thead><tr><th scope="col">${say('developer.parameter')}</th><th scope="col">${say('developer.received')}</th><th scope="col">${say('developer.rule')}</th></tr></thead><tbody>${listed}</tbody></table>`
  const why =
    reasons.length > 0 &&
    html`<p>${say('developer.methodsDropped')}</p><ul>${reasons.map(({ code, message, paymentMethodCode }) => html`<li><code>${paymentMethodCode === undefined ? code : `${paymentMethodCode}: ${code}`}</code> ${message ?? ''}</li>`)}</ul>`
  return html`<section class="developer" lang="en" dir="ltr"><h2>${say('developer.title')}</h2>${table}${why}${remedy !== undefined && html`<p>${remedy}</p>`}</section>`
}
