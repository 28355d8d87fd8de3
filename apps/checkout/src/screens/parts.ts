import { attributes, type Html, html } from '../html.ts'
import { drawQr } from '../qr.ts'
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

/** The quiet way out of a payment that is not over: with a payment it asks once. */
export function leaveLink(view: View, exists: boolean): Html | undefined {
  const { texts, returnUrl, base, mode } = view
  if (returnUrl === undefined || mode === 'STATUS') return undefined
  const text = texts.say('common.cancelAndReturnTo', { host: returnUrl.host })
  const href = exists ? `${base}/leave` : returnUrl.href
  return html`<p class="leave"><a href="${href}" rel="noreferrer">${text}</a></p>`
}

interface Copying {
  readonly label: string
  readonly value: string
  /** The element that shows the value. */
  readonly from: string
}

/** Only there where the script can copy. */
export function copyButton({ texts: { say } }: View, { label, value, from }: Copying): Html {
  const marks = attributes({
    'data-enhance': 'copy',
    'data-copy': value,
    'data-copy-from': from,
    'data-copied': say('common.copied', { label }),
    'data-copy-failed': say('common.copyFailed'),
    'aria-label': say('common.copyWhat', { label }),
    hidden: true,
  })
  return html`<button type="button" class="button button--small"${marks}>${say('common.copy')}</button>`
}

export interface RowOf {
  readonly id: string
  readonly label: string
  readonly shown: string
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
  return html`<dl class="rows">${shown}</dl>`
}

function rowOf(view: View, { id, label, shown, copied, isCode, isKey, rule }: RowOf): Html {
  const value = isCode === true ? html`<bdi class="ltr" dir="ltr">${shown}</bdi>` : html`<bdi>${shown}</bdi>`
  const copy =
    copied !== undefined &&
    html`<dd class="row__copy">${copyButton(view, { label, value: copied, from: id })}</dd>`
  const hint = rule !== undefined && html`<dd class="row__rule hint">${rule}</dd>`
  return html`<div class="row${isKey === true && ' row--key'}"><dt>${label}</dt><dd id="${id}">${value}</dd>${copy}${hint}</div>`
}

/** A code with a way to see it large; nothing where the content is too long for one. */
export function qrPlate(view: View, content: string, label: string): Html | undefined {
  const code = drawQr(content, label)
  if (code === undefined) return undefined
  const { say } = view.texts
  return html`<div class="qr">${code}</div>
<button type="button" class="button button--quiet button--small" popovertarget="qr-large">${say('code.enlarge')}</button>
<div id="qr-large" class="qr-large" popover>${drawQr(content, label)}<button type="button" class="button" popovertarget="qr-large" popovertargetaction="hide">${say('common.close')}</button></div>`
}

/** Names of methods that we have words for; the API's own name otherwise. */
export function methodName({ texts }: View, code: string, name: string | undefined): string {
  return isKnownMethod(code) ? texts.say(`method.${code}`) : (name ?? code)
}

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
