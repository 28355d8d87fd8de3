import {
  IdentityLinkedSchema,
  OidcBegunSchema,
  OperatorSessionOpenedSchema,
  type Read,
} from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { icon } from './icons.ts'
import { type InvitationShown, orWhyNot } from './invitation.ts'
import { ApiAway, ApiRefusal } from './operator-api.ts'
import { copyButton, note } from './parts.ts'
import { type Attempt, attemptCookie } from './session.ts'
import { nextOf, signInAgain } from './sign-in.ts'
import { type Deps, type Exchange, formOf, queryOf, sendPage } from './visit.ts'

// Signing in by the provider of identities, and linking an account of it by an invitation. The gateway asks the provider; here the
// browser is sent there and comes back, with the attempt in a cookie of its own.

export function companyRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/sign-in/company', (request, reply) => beginSignIn(deps, { request, reply }))
  app.post('/invitation/company', (request, reply) => beginLink(deps, { request, reply }))
  app.get('/sign-in/company', (request, reply) => comeBack(deps, { request, reply }))
}

/** By a press, so that nobody who merely looks at the screen leaves an attempt behind. */
async function beginSignIn(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const next = nextOf(formOf(exchange.request).get('next'))
  try {
    const begun = await deps
      .apiFor(exchange.request, undefined)
      .post('/operator/sessions/oidc/!begin', OidcBegunSchema)
    return await sendAway(deps, exchange, begun, { purpose: 'in', next })
  } catch (error) {
    return signInAgain(deps, exchange, { about: 'COMPANY', next, error })
  }
}

function beginLink(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const form = formOf(exchange.request)
  const typed: InvitationShown = { secret: form.get('invitation') ?? '', name: form.get('name') ?? '' }
  return orWhyNot(deps, exchange, typed, async () => {
    const begun = await deps
      .apiFor(exchange.request, typed.secret)
      .post('/operator/identities/!begin', OidcBegunSchema)
    return sendAway(deps, exchange, begun, { purpose: 'link', next: '/' })
  })
}

/**
 * By a header, not a redirect: a form of ours may lead to us alone, and the provider may send the browser further. It is followed
 * without a script; the link is for browsers that do not follow it.
 */
function sendAway(
  deps: Deps,
  exchange: Exchange,
  { authorizationUrl, browserSecret }: Read<typeof OidcBegunSchema>,
  attempt: Pick<Attempt, 'purpose' | 'next'>,
): Promise<FastifyReply> {
  const { host } = new URL(authorizationUrl)
  exchange.reply
    .header('set-cookie', attemptCookie(deps.publicUrl).write({ ...attempt, browserSecret }))
    .header('refresh', `0;url=${authorizationUrl}`)
  const content = html`<h1>On to ${host}</h1><p>You sign in there, and come back.</p><p class="section-s"><a class="btn btn-main btn-big btn-wide" href="${authorizationUrl}">${icon('right')}Continue</a></p>`
  return sendPage(deps, exchange, { title: `On to ${host}`, content }, undefined)
}

/** What the provider added to the address, with what the browser kept. The gateway judges it. */
async function comeBack(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const cookie = attemptCookie(deps.publicUrl)
  const attempt = cookie.read(request.headers.cookie)
  void reply.header('set-cookie', cookie.clear())
  const next = nextOf(attempt?.next ?? null)
  if (attempt === undefined) return signInAgain(deps, exchange, { about: 'COMPANY', next, error: undefined })
  const query = queryOf(request)
  const given = (name: string): string | undefined => query.get(name) ?? undefined
  const body = {
    state: given('state'),
    code: given('code'),
    iss: given('iss'),
    error: given('error'),
    browserSecret: attempt.browserSecret,
  }
  return attempt.purpose === 'link'
    ? finishLink(deps, exchange, body)
    : finishSignIn(deps, exchange, body, next)
}

async function finishSignIn(
  deps: Deps,
  exchange: Exchange,
  body: unknown,
  next: string,
): Promise<FastifyReply> {
  try {
    const { session } = await deps
      .apiFor(exchange.request, undefined)
      .post('/operator/sessions/oidc/!finish', OperatorSessionOpenedSchema, { body })
    // A redirect would still belong to the provider's page, from where the session's cookie is not sent.
    exchange.reply.header('set-cookie', deps.cookies.write(session.secret)).header('refresh', `0;url=${next}`)
    const content = html`<h1>Signed in</h1><p class="section-s"><a class="btn btn-main btn-big btn-wide" href="${next}">${icon('right')}Continue</a></p>`
    return await sendPage(deps, exchange, { title: 'Signed in', content }, undefined)
  } catch (error) {
    return signInAgain(deps, exchange, { about: 'COMPANY', next, error })
  }
}

async function finishLink(deps: Deps, exchange: Exchange, body: unknown): Promise<FastifyReply> {
  try {
    const linked = await deps
      .apiFor(exchange.request, undefined)
      .post('/operator/identities/!finish', IdentityLinkedSchema, { body })
    const content = html`<h1>Account linked</h1>${linkedNotes(linked)}<p class="section-s"><a class="btn btn-main btn-big btn-wide" href="/sign-in">${icon('key')}Sign in</a></p>`
    return await sendPage(deps, exchange, { title: 'Account linked', content }, undefined)
  } catch (error) {
    if (!(error instanceof ApiRefusal) && !(error instanceof ApiAway)) throw error
    const says = error instanceof ApiAway ? 'The operator API does not answer.' : error.message
    const content = html`<h1>Not linked</h1>${note('bad', says)}<p>Open the link of your invitation once more. If it does not work any more, ask an administrator for a new one.</p>`
    const status = error instanceof ApiAway ? 503 : error.status
    return sendPage(deps, exchange, { title: 'Not linked', content, status }, undefined)
  }
}

/** What a linked account carries; of half a one the fingerprint, which nothing shows again. */
function linkedNotes({ isHalf, fingerprint }: Read<typeof IdentityLinkedSchema>): Html {
  if (!isHalf) return html`<p>It carries all your roles.</p>`
  return html`<p>For now it carries the roles Auditor, Support and Catalogue, as far as you have them. For your other roles a second administrator confirms it.</p>
<div class="print"><p>Fingerprint</p><p class="print-text code">${fingerprint} ${copyButton('the fingerprint', fingerprint)}</p></div>
${note('warn', html`<b>Write it down: it is shown this once.</b> Tell it, in person or by phone, to an administrator who did not invite you.`)}`
}
