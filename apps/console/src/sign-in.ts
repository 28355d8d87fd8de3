import {
  OperatorSessionEndedSchema,
  OperatorSessionOpenedSchema,
  PasskeyRequestSchema,
} from '@tollgate/contract'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { answerOf, ceremony } from './ceremony.ts'
import type { Page } from './frame.ts'
import { icon } from './icons.ts'
import { ApiAway, ApiRefusal } from './operator-api.ts'
import { note } from './parts.ts'
import { fitsCookie, isFormToken } from './session.ts'
import { type Deps, type Exchange, formOf, queryOf, sendPage, toSignIn } from './visit.ts'
import { companyName } from './ways.ts'

// Signing in, by passkey or key, and out.

export function signInRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/sign-in', async (request, reply) => {
    const query = queryOf(request)
    const exchange = { request, reply }
    const page = await signInPage(deps, exchange, {
      next: nextOf(query.get('next')),
      isLost: query.has('lost'),
    })
    return sendPage(deps, exchange, page, undefined)
  })
  app.post('/sign-in', (request, reply) => signIn(deps, { request, reply }))
  app.post('/sign-in/passkey', (request, reply) => beginPasskey(deps, { request, reply }))
  app.post('/sign-in/touched', (request, reply) => finishPasskey(deps, { request, reply }))
  app.post('/sign-out', (request, reply) => signOut(deps, { request, reply }))
}

async function signIn(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const form = formOf(exchange.request)
  const next = nextOf(form.get('next'))
  const key = (form.get('key') ?? '').trim()
  if (!fitsCookie(key)) {
    const problem = { about: 'KEY', text: 'This is not an operator key. It begins with tgop_.' } as const
    const page = await signInPage(deps, exchange, { next, problem })
    return sendPage(deps, exchange, { ...page, status: 400 }, undefined)
  }
  return orAgain(deps, exchange, 'KEY', async () =>
    enterBy(deps, exchange, await openSession(deps, exchange, key)),
  )
}

/** The key is used this once; what the browser keeps is a session, which ends by itself. */
async function openSession(deps: Deps, { request }: Exchange, key: string): Promise<string> {
  const { session } = await deps.apiFor(request, key).post('/operator/sessions', OperatorSessionOpenedSchema)
  return session.secret
}

/** By a press, so that nobody who merely looks at the screen leaves a challenge behind. */
function beginPasskey(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const next = nextOf(formOf(exchange.request).get('next'))
  return orAgain(deps, exchange, 'PASSKEY', async () => {
    const begun = await deps
      .apiFor(exchange.request, undefined)
      .post('/operator/sessions/passkey/!begin', PasskeyRequestSchema)
    const form = ceremony({
      begun,
      action: '/sign-in/touched',
      fields: nextField(next),
      isAtOnce: true,
      words: 'Touch your passkey',
      more: html`<a class="btn btn-big" href="/sign-in?${new URLSearchParams({ next }).toString()}">Use a key</a>`,
      without: 'Signing in by passkey needs JavaScript. Sign in with your operator key.',
    })
    const content = html`<h1>Touch your passkey</h1><p>Your device asks for your finger, face or PIN.</p>${form}`
    return sendPage(deps, exchange, { title: 'Sign in', content }, undefined)
  })
}

function finishPasskey(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  return orAgain(deps, exchange, 'PASSKEY', async () => {
    const answer = answerOf(formOf(exchange.request))
    const { session } = await deps
      .apiFor(exchange.request, undefined)
      .post('/operator/sessions/passkey/!finish', OperatorSessionOpenedSchema, { body: answer ?? {} })
    return enterBy(deps, exchange, session.secret)
  })
}

/** To the screen that somebody wanted, with the session as the cookie. */
async function enterBy(deps: Deps, { request, reply }: Exchange, secret: string): Promise<FastifyReply> {
  return reply
    .header('set-cookie', deps.cookies.write(secret))
    .redirect(nextOf(formOf(request).get('next')), 303)
}

/** What signs in, or the screen again with what is wrong. */
async function orAgain(
  deps: Deps,
  exchange: Exchange,
  about: Problem['about'],
  attempt: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await attempt()
  } catch (error) {
    return signInAgain(deps, exchange, {
      about,
      next: nextOf(formOf(exchange.request).get('next')),
      error,
    })
  }
}

/** The screen with what is wrong; without an error, what was begun is not there any more. Rejects with what is no answer of the API. */
export function signInAgain(
  deps: Deps,
  exchange: Exchange,
  { about, next, error }: Pick<Problem, 'about'> & { readonly next: string; readonly error: unknown },
): Promise<FastifyReply> {
  if (error === undefined) return sendProblem(deps, exchange, { about, next, ...OVER })
  if (error instanceof ApiRefusal || error instanceof ApiAway)
    return sendProblem(deps, exchange, { about, next, ...wordsOf(about, error) })
  return Promise.reject(error instanceof Error ? error : new Error('signing in failed', { cause: error }))
}

async function sendProblem(
  deps: Deps,
  exchange: Exchange,
  { about, text, next, status }: Problem & { readonly next: string; readonly status: number },
): Promise<FastifyReply> {
  const page = await signInPage(deps, exchange, { next, problem: { about, text } })
  return sendPage(deps, exchange, { ...page, status }, undefined)
}

const OVER = {
  status: 400,
  text: 'This sign-in was begun in another browser, was finished before or took too long. Try again.',
}

function wordsOf(about: Problem['about'], error: ApiRefusal | ApiAway): { status: number; text: string } {
  if (error instanceof ApiAway)
    return {
      status: 503,
      text: about === 'COMPANY' ? COMPANY_AWAY : 'The operator API does not answer. Try again.',
    }
  if (error.status === 429) return { status: 429, text: 'Too many attempts. Wait a moment, then try again.' }
  if (about === 'KEY')
    return { status: 401, text: 'This key does not work: it is wrong, has ended or was removed.' }
  if (about === 'COMPANY') return ofCompany(error)
  if (error.status === 404)
    return { status: 404, text: 'This gateway takes no passkeys: TOLLGATE_PUBLIC_CONSOLE_URL is not set.' }
  if (error.status === 400)
    return { status: 400, text: 'The answer of your device could not be read. Try again.' }
  return {
    status: 401,
    text: 'This passkey does not work: it was removed, or took too long. Try again, or ask an administrator for an invitation.',
  }
}

/** The operator API, or the provider behind it. */
const COMPANY_AWAY = 'Your company’s sign-in does not answer. Try again, or sign in with a passkey or key.'

function ofCompany({ status, message }: ApiRefusal): { status: number; text: string } {
  if (status === 401)
    return {
      status,
      text: 'Not signed in: the account is linked to no operator, was refused, or it took too long. Try again, or ask an administrator for an invitation.',
    }
  return status === 404
    ? { status, text: 'Company sign-in is no longer configured here.' }
    : { status, text: message }
}

async function signOut(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const { request } = exchange
  const secret = deps.cookies.read(request.headers.cookie)
  const isOwn = secret !== undefined && isFormToken(secret, formOf(request).get('formToken') ?? '')
  if (isOwn)
    try {
      await deps.apiFor(request, secret).remove('/operator/sessions/current', OperatorSessionEndedSchema)
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

interface Problem {
  readonly about: 'KEY' | 'PASSKEY' | 'COMPANY'
  readonly text: string
}

interface Wanted {
  readonly next: string
  readonly problem?: Problem
  /** Something was sent by a session that had ended. */
  readonly isLost?: boolean
}

async function signInPage(deps: Deps, exchange: Exchange, wanted: Wanted): Promise<Page> {
  const { isLive, publicUrl } = deps
  const company = await companyName(deps, exchange)
  const { problem, isLost = false } = wanted
  return {
    title: problem === undefined ? 'Sign in' : 'Check: sign in',
    content: html`<h1>Sign in</h1><p>Operators’ console of ${new URL(publicUrl).host}, ${isLive ? 'live' : 'sandbox'}.</p>
${isLost && html`<div class="door-note">${note('warn', 'Your session has ended. What you sent was not done.')}</div>`}
${passkeyForm(wanted)}
${companyForm(wanted, company)}
${keyForm(wanted)}
${!isLive && html`<p class="hint section-s">In the sandbox of <code>npm start</code> the keys are in <code>.tollgate/demo/operator-ada.key</code> and beside it.</p>`}`,
  }
}

const passkeyForm = ({ next, problem }: Wanted): Html =>
  html`<form method="post" action="/sign-in/passkey" data-script hidden>${nextField(next)}<button class="btn btn-main btn-big btn-wide">${icon('key')}Continue with a passkey</button></form>
${problem?.about === 'PASSKEY' && wrong(problem.text)}
<p class="hint section-s" data-without>Signing in by passkey needs JavaScript. With your key it does not.</p>
<p class="or" data-script hidden>or</p>`

function companyForm({ next, problem }: Wanted, name: string | undefined): Html {
  const form =
    name !== undefined &&
    html`<form method="post" action="/sign-in/company">${nextField(next)}<button class="btn btn-big btn-wide">${icon('user')}Continue with ${name}</button></form>
<p class="or">or</p>`
  return html`${problem?.about === 'COMPANY' && wrong(problem.text)}${form}`
}

function keyForm({ next, problem }: Wanted): Html {
  const ofKey = problem?.about === 'KEY' ? problem.text : undefined
  const invalid =
    ofKey === undefined ? undefined : attributes({ 'aria-invalid': 'true', 'aria-describedby': 'wrong' })
  return html`<form method="post" action="/sign-in">${nextField(next)}
<label class="field"><span>Operator key</span><input class="input${ofKey !== undefined && ' input-bad'}" type="password" name="key" required maxlength="512" autocomplete="current-password" spellcheck="false" autofocus${invalid}></label>
${ofKey !== undefined && wrong(ofKey)}
<p class="section-s"><button class="btn btn-big btn-wide">Sign in with a key</button></p></form>`
}

const nextField = (next: string): Html => html`<input type="hidden" name="next" value="${next}">`

const wrong = (problem: string): Html =>
  html`<p class="wrong" id="wrong" role="alert">${icon('alert')}${problem}</p>`
