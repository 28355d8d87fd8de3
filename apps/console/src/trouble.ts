import { type Html, html } from '@tollgate/runtime/html'
import type { Page } from './frame.ts'
import type { Refused } from './http.ts'
import { icon } from './icons.ts'
import type { ApiRefusal } from './operator-api.ts'

// What is shown when something does not work: what happened, whether anything changed, and the way on.

/** What was to be sent, to be sent again. */
export interface Again {
  readonly form: URLSearchParams
  readonly action: string
  readonly formToken: Html
  /** There was a file with it, which a browser does not keep: the screen to choose it again. */
  readonly fileFrom?: string | undefined
  /** A second time would do something else. */
  readonly isOnce: boolean
  /** The screen that it was sent from. */
  readonly path: string
}

/** Fields that people type; everything else travels hidden. */
const TYPED: Readonly<Record<string, string>> = { reason: 'Reason' }

export function awayPage({ again }: { readonly again?: Again }): Page {
  const what =
    again === undefined
      ? 'Nothing was changed.'
      : `It is not known whether it was done. ${again.isOnce ? 'Look before you do it again.' : 'Sending it again does it once at most.'}`
  return {
    title: 'The operator API does not answer',
    status: 503,
    content: html`<h1>The operator API does not answer</h1><p>${what}</p>${wayOn(again)}`,
  }
}

function wayOn(again: Again | undefined): Html {
  if (again === undefined)
    return html`<p class="acts"><a class="btn btn-main btn-big" href="">${icon('resend')}Try again</a></p>`
  const { isOnce, path, fileFrom } = again
  if (isOnce)
    return html`<p class="acts"><a class="btn btn-main btn-big" href="${path}">Open the screen</a></p>`
  return fileFrom === undefined
    ? againForm(again)
    : html`<p class="acts section-s"><a class="btn btn-main btn-big" href="${fileFrom}">${icon('resend')}Choose the file again</a></p>`
}

function againForm({ form, action, formToken }: Again): Html {
  const fields = [...form].filter(([name]) => name !== 'formToken')
  return html`<form method="post" action="${action}">${formToken}${fields.map(([name, value]) =>
    TYPED[name] === undefined
      ? html`<input type="hidden" name="${name}" value="${value}">`
      : html`<label class="field"><span>${TYPED[name]}</span><input class="input" name="${name}" value="${value}" maxlength="250"></label>`,
  )}<p class="acts section-s"><button class="btn btn-main btn-big">${icon('resend')}Try again</button></p></form>`
}

const plain = (status: number, title: string, says: Html | string, way: Html): Page => ({
  title,
  status,
  content: html`<h1>${title}</h1><p>${says}</p><p class="acts section-s">${way}</p>`,
})

const HOME = html`<a class="btn" href="/">Home</a>`

export const forbiddenPage = (permission: string): Page =>
  plain(
    403,
    'Your roles do not permit this',
    html`It needs the permission <code>${permission}</code>. An administrator gives roles.`,
    HOME,
  )

/** Of who is signed in, and may do nothing until a second administrator has acted. */
export const powerlessPage = ({ message, formToken }: { message: string; formToken: Html }): Page =>
  plain(
    403,
    'Nothing is open to you yet',
    html`${message} If you were shown a fingerprint, tell it to an administrator who did not invite you.`,
    html`<a class="btn" href="/">${icon('resend')}Try again</a><form method="post" action="/sign-out">${formToken}<button class="btn">Sign out</button></form>`,
  )

export const formTokenPage = (path: string): Page =>
  plain(
    403,
    'This form is not from your session',
    'Nothing was changed. You may have signed in again since it was opened.',
    html`<a class="btn" href="${path}">Open it again</a>`,
  )

export function refusalPage({ status, message, requestId }: ApiRefusal): Page {
  const title = status === 404 || status === 410 ? 'Not found' : 'The operator API refuses this'
  const says = html`${message}${requestId !== undefined && html` <span class="quiet">Request <code>${requestId}</code></span>`}`
  return plain(status, title, says, HOME)
}

export const failurePage = (): Page =>
  plain(500, 'Something failed', 'The log of the console says why. Nothing more is known.', HOME)

export function requestPage(reason: Refused, publicUrl: string): Page {
  switch (reason) {
    case 'HOST':
      return plain(
        421,
        'Another address',
        html`The console answers at <a href="${publicUrl}">${publicUrl}</a> alone.`,
        html`<a class="btn" href="${publicUrl}">Go there</a>`,
      )
    case 'SITE':
      return plain(
        403,
        'Not from this site',
        'Nothing was changed: the form was not one of the console’s.',
        HOME,
      )
    case 'TOO_LARGE':
      return plain(
        413,
        'Too large',
        'Nothing was changed: more was sent than the console takes. A file may have 16 MiB.',
        HOME,
      )
    case 'BUSY':
      return plain(
        503,
        'Too many files at once',
        'Nothing was changed: other files are being uploaded. Wait a moment, then send yours again.',
        HOME,
      )
    case 'LIMITED':
      return plain(
        429,
        'Too many requests',
        'Nothing was changed: too much was asked for from your address. Wait a moment, then try again.',
        HOME,
      )
    case 'NOWHERE':
      return plain(404, 'Not found', 'There is no such screen.', HOME)
  }
}
