import { OperatorSessionEndedSchema, OperatorSessionOpenedSchema } from '@tollgate/contract'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Page } from './frame.ts'
import { icon } from './icons.ts'
import { ApiAway, ApiRefusal } from './operator-api.ts'
import { fitsCookie, isFormToken } from './session.ts'
import { type Deps, type Exchange, formOf, queryOf, sendPage, toSignIn } from './visit.ts'

// Signing in and out.

export function signInRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/sign-in', (request, reply) => {
    const next = nextOf(queryOf(request).get('next'))
    return sendPage(deps, { request, reply }, signInPage(deps, { next }), undefined)
  })
  app.post('/sign-in', (request, reply) => signIn(deps, { request, reply }))
  app.post('/sign-out', (request, reply) => signOut(deps, { request, reply }))
}

async function signIn(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const form = formOf(exchange.request)
  const next = nextOf(form.get('next'))
  const key = (form.get('key') ?? '').trim()
  const again = (problem: string, status: number): Promise<FastifyReply> =>
    sendPage(deps, exchange, { ...signInPage(deps, { next, problem }), status }, undefined)
  if (!fitsCookie(key)) return again('This is not an operator key. It begins with tgop_.', 400)
  try {
    const secret = await openSession(deps, key)
    return await exchange.reply.header('set-cookie', deps.cookies.write(secret)).redirect(next, 303)
  } catch (error) {
    if (error instanceof ApiAway) return again('The operator API does not answer. Try again.', 503)
    if (!(error instanceof ApiRefusal)) throw error
    if (error.status === 429) return again('Too many attempts. Wait a moment, then try again.', 429)
    return again('This key does not work: it is wrong, has ended or was removed.', 401)
  }
}

/** The key is used this once; what the browser keeps is a session, which ends by itself. */
async function openSession(deps: Deps, key: string): Promise<string> {
  const { session } = await deps.apiFor(key).post('/operator/sessions', OperatorSessionOpenedSchema)
  return session.secret
}

async function signOut(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const { request } = exchange
  const secret = deps.cookies.read(request.headers.cookie)
  const isOwn = secret !== undefined && isFormToken(secret, formOf(request).get('formToken') ?? '')
  if (isOwn)
    try {
      await deps.apiFor(secret).remove('/operator/sessions/current', OperatorSessionEndedSchema)
    } catch (error) {
      // A session that has ended already is what was wanted.
      if (!(error instanceof ApiRefusal)) throw error
    }
  return toSignIn(deps, exchange)
}

/** Only a screen of ours: whatever else stands there would lead somebody away who has just signed in. */
export function nextOf(text: string | null): string {
  const isOwn = text !== null && /^\/[\w\-./~%?=&+:,@!]*$/.test(text) && !text.startsWith('//')
  return isOwn && !text.startsWith('/sign-') ? text : '/'
}

function signInPage(
  { isLive, publicUrl }: Deps,
  { next, problem }: { next: string; problem?: string },
): Page {
  return {
    title: problem === undefined ? 'Sign in' : 'Check: sign in',
    content: html`<h1>Sign in</h1><p>Operators’ console of ${new URL(publicUrl).host}, ${isLive ? 'live' : 'sandbox'}.</p>
<form method="post" action="/sign-in"><input type="hidden" name="next" value="${next}">
<label class="field"><span>Operator key</span><input class="input${problem !== undefined && ' input-bad'}" type="password" name="key" required maxlength="512" autocomplete="current-password" spellcheck="false" autofocus${attributes({ 'aria-invalid': problem === undefined ? undefined : 'true', 'aria-describedby': problem === undefined ? undefined : 'wrong' })}></label>
${problem !== undefined && wrong(problem)}
<p class="section-s"><button class="btn btn-main btn-big btn-wide">${icon('key')}Sign in</button></p></form>
${!isLive && html`<p class="hint section-s">In the sandbox of <code>npm start</code> the keys are in <code>.tollgate/demo/operator-ada.key</code> and beside it.</p>`}`,
  }
}

const wrong = (problem: string): Html =>
  html`<p class="wrong" id="wrong" role="alert">${icon('alert')}${problem}</p>`
