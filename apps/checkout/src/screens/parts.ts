import { attributes, type Html, html } from '@tollgate/runtime/html'
import { drawQr } from '../qr.ts'
import type { Shop } from '../records.ts'
import type { View } from './view.ts'

// Pieces of which screens are made.

/** A form that does one thing. */
export function form(view: View, action: string, content: Html): Html {
  const sending = view.texts.say('common.sending')
  return html`<form method="post" action="${view.base}/${action}" class="stack" data-enhance="single-submit" data-submitting="${sending}" novalidate>
<input type="hidden" name="formToken" value="${view.formToken}">
${content}
</form>`
}

export const submit = (text: string): Html => html`<button type="submit" class="button">${text}</button>`
export const quietLink = (href: string, text: string): Html =>
  html`<a class="button button--quiet" href="${href}">${text}</a>`
export const notice = (kind: 'warning' | 'bad' | 'good', content: Html): Html =>
  html`<div class="notice notice--${kind}">${content}</div>`

/** The main way back to the shop; the host is written on it, so that nobody is led elsewhere unawares. */
export function returnButton({ texts: { say }, returnUrl }: View, isMain: boolean): Html | undefined {
  if (returnUrl === undefined) return undefined
  const kind = isMain ? 'button' : 'button button--quiet'
  return html`<a class="${kind}" id="return" href="${returnUrl.href}" rel="noreferrer">${say('common.returnTo', { host: returnUrl.host })}</a>`
}

/** The quiet way out of a payment that is not over: with a payment it asks once, and who only looks just goes. */
export function leaveLink(view: View, exists: boolean): Html | undefined {
  const { texts, returnUrl, base, mode } = view
  if (returnUrl === undefined) return undefined
  if (mode === 'STATUS') return html`<p class="actions">${returnButton(view, false)}</p>`
  const text = texts.say('common.cancelAndReturnTo', { host: returnUrl.host })
  const href = exists ? `${base}/leave` : returnUrl.href
  return html`<p class="leave"><a href="${href}" rel="noreferrer">${text}</a></p>`
}

/** How the shop is reached; undefined where it is not known, or cannot be a link. */
export function supportAddress(shop: Shop | undefined): string | undefined {
  const { supportUrl, supportEmail } = shop ?? {}
  const address = supportUrl ?? (supportEmail === undefined ? undefined : `mailto:${supportEmail}`)
  return address !== undefined && /^(?:https?:\/\/|mailto:[^\s?]+$)/.test(address) ? address : undefined
}

/** Whom to ask about a payment that did not go as it should. */
export function contact({ texts: { say }, shop }: View): Html {
  const address = supportAddress(shop)
  const link =
    shop !== undefined &&
    address !== undefined &&
    html` <a href="${address}" rel="noreferrer noopener">${say('frame.support', { shop: shop.name })}</a>`
  return html`<p>${say('paid.contact')}${link}</p>`
}

/** For who wants to have it: on paper, shared, and the address of this page, which opens in this browser. */
export function keep(view: View, share?: Html): Html {
  const { say } = view.texts
  const copying = { label: say('waiting.link'), value: view.pageUrl, from: 'page-link' }
  return html`<p hidden id="page-link"><bdi class="ltr">${view.pageUrl}</bdi></p>
<div class="links"><button type="button" class="link" data-enhance="print" hidden>${say('common.printOrSave')}</button>${share}
${copyButton(view, copying, { text: say('waiting.copyLink'), kind: 'link' })}</div>`
}

/** The same payment on the phone. The code is made when this is opened. */
export function onPhone({ texts: { say }, phoneCode }: View, title: string): Html | undefined {
  if (phoneCode === undefined) return undefined
  return html`<details class="fold desktop-only phone"><summary>${title}</summary><p>${say('redirect.phoneText')} ${say('phone.minutes', { count: PHONE_MINUTES })}</p><p class="qr"><img class="qr__code" src="${phoneCode}" alt="${say('waitFor.phoneCode')}" width="256" height="256" loading="lazy"></p></details>`
}

const PHONE_MINUTES = 10

interface Copying {
  readonly label: string
  readonly value: string
  /** The element that shows the value. */
  readonly from: string
}

/** With words, and how loud they are; without, it is a sign. */
interface Worded {
  readonly text: string
  readonly kind: 'button' | 'button button--quiet' | 'link'
}

/** Only there where the script can copy. Without a text of its own it is a sign, and the row around it is pressed. */
export function copyButton({ texts: { say } }: View, { label, value, from }: Copying, worded?: Worded): Html {
  const marks = attributes({
    'data-enhance': 'copy',
    'data-copy': value,
    'data-copy-from': from,
    'data-copied': say('common.copied', { label }),
    'data-copied-short': say('common.copiedShort'),
    'data-copy-failed': say('common.copyFailed'),
    // A text of its own says what is copied.
    'aria-label': worded === undefined ? say('common.copyWhat', { label }) : undefined,
    hidden: true,
  })
  return html`<button type="button" class="${worded?.kind ?? 'copy'}"${marks}>${worded?.text}</button>`
}

export interface RowOf {
  readonly id: string
  readonly label: string
  readonly shown: string | Html
  /** What is copied; without it there is nothing to copy. */
  readonly copied?: string
  /** A code: written from left to right in every language. */
  readonly isCode?: boolean
  readonly isKey?: boolean
  readonly rule?: string
}

/** A list of names and values, each with its copy button. */
export function rows(view: View, items: readonly (RowOf | undefined)[]): Html {
  const shown = items.map((item) => item && rowOf(view, item))
  return html`<dl class="rows rows--boxed">${shown}</dl>`
}

function rowOf(view: View, { id, label, shown, copied, isCode, isKey, rule }: RowOf): Html {
  const value =
    isCode === true ? html`<bdi class="ltr code" dir="ltr">${shown}</bdi>` : html`<bdi>${shown}</bdi>`
  const copy =
    copied !== undefined &&
    html`<dd class="row__copy">${copyButton(view, { label, value: copied, from: id })}</dd>`
  const hint = rule !== undefined && html`<dd class="row__rule hint">${rule}</dd>`
  return html`<div class="row${isKey === true && ' row--key'}"><dt>${label}</dt><dd id="${id}">${value}</dd>${copy}${hint}</div>`
}

/** What is waited for, always in the same place and shape. */
export const live = (title: string, content: Html): Html =>
  html`<section class="live"><span class="live__dot" aria-hidden="true"></span><div><h2>${title}</h2>${content}</div></section>`

/** What few look for: folded until they do. */
export const fold = (title: string, content: Html | readonly Html[]): Html =>
  html`<details class="fold"><summary>${title}</summary><div class="fold__content">${content}</div></details>`

/** A code with a way to see it large; nothing where the content is too long for one. */
export function qrPlate(view: View, content: string, label: string): Html | undefined {
  const code = drawQr(content, label)
  if (code === undefined) return undefined
  const { say } = view.texts
  return html`<figure class="scan"><div class="qr">${code}</div>
<figcaption class="phone-only hint">${say('code.otherPhone')}</figcaption>
<button type="button" class="link" popovertarget="qr-large">${say('code.enlarge')}</button></figure>
<div id="qr-large" class="qr-large" popover>${drawQr(content, label)}<button type="button" class="button" popovertarget="qr-large" popovertargetaction="hide">${say('common.close')}</button></div>`
}

/** Names of methods that we have words for; the API's own name otherwise. */
export function methodName({ texts }: View, code: string, name: string | undefined): string {
  return isKnownMethod(code) ? texts.say(`method.${code}`) : (name ?? code)
}

/** That the method takes no more payments today. */
export const limitReachedOf = (view: View, code: string, name?: string): string =>
  view.texts.say('choose.limitReachedOf', { method: methodName(view, code, name) })

const METHODS = [
  'BANK_TRANSFER',
  'ONLINE_BANKING',
  'WALLET',
  'UPI',
  'PIX',
  'OFFLINE_TRANSFER',
  'CRYPTO',
] as const
const isKnownMethod = (code: string): code is (typeof METHODS)[number] =>
  METHODS.some((each) => each === code)

/** The first letter of a name, in place of a logo. */
export const initialOf = (name: string): string => (/^./su.exec(name.trim())?.[0] ?? '').toUpperCase()
