import { PasskeyCreationSchema, PasskeyRegisteredSchema, type Read } from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { answerOf, ceremony } from './ceremony.ts'
import type { Page } from './frame.ts'
import { icon } from './icons.ts'
import { ApiAway, ApiRefusal } from './operator-api.ts'
import { copyButton, note } from './parts.ts'
import { type Deps, type Exchange, formOf, sendPage } from './visit.ts'
import { companyName } from './ways.ts'

// The link of an invitation: registering a passkey. Its secret stands behind the #, which no server sees; the script puts it into
// the form, and the browser forgets the address. No session is asked for or made here.

export function invitationRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/invitation', async (request, reply) => {
    const exchange = { request, reply }
    return sendPage(deps, exchange, await invitationPage(deps, exchange, { isRead: false }), undefined)
  })
  app.post('/invitation', (request, reply) => begin(deps, { request, reply }))
  app.post('/invitation/touched', (request, reply) => finish(deps, { request, reply }))
}

const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,140}$/u

/** Of the form: the secret, and the name of the passkey. */
function typedIn({ request }: Exchange): { readonly secret: string; readonly name: string } {
  const form = formOf(request)
  return { secret: form.get('invitation') ?? '', name: (form.get('name') ?? '').trim() }
}

async function begin(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const { secret, name } = typedIn(exchange)
  if (!PRINTABLE.test(name)) {
    const problem = 'A name has 1 to 140 characters.'
    const page = await invitationPage(deps, exchange, { secret, name, problem })
    return sendPage(deps, exchange, { ...page, status: 400 }, undefined)
  }
  return orWhy(deps, exchange, async () => {
    const begun = await deps
      .apiFor(exchange.request, secret)
      .post('/operator/passkeys/!begin', PasskeyCreationSchema)
    return sendPage(deps, exchange, creationPage(begun, secret, name), undefined)
  })
}

function creationPage(begun: Read<typeof PasskeyCreationSchema>, secret: string, name: string): Page {
  const { user } = begun.options
  const form = ceremony({
    begun,
    action: '/invitation/touched',
    isAtOnce: true,
    fields: hiddenFields(secret, name),
    words: 'Register this device',
    without: 'Registering a passkey needs JavaScript.',
  })
  return {
    title: 'Register a passkey',
    content: html`<h1>Register a passkey</h1><p>For ${user.displayName} (<span class="code">${user.name}</span>). Your device asks for your finger, face or PIN.</p>${form}`,
  }
}

const hiddenFields = (secret: string, name: string): Html =>
  html`<input type="hidden" name="invitation" value="${secret}"><input type="hidden" name="name" value="${name}">`

function finish(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const { secret, name } = typedIn(exchange)
  return orWhy(deps, exchange, async () => {
    const answer = answerOf(formOf(exchange.request)) ?? {}
    const passkey = await deps
      .apiFor(exchange.request, secret)
      .post('/operator/passkeys/!finish', PasskeyRegisteredSchema, { body: { ...answer, name } })
    const content = html`<h1>Passkey registered</h1>${registered(passkey)}<p class="section-s"><a class="btn btn-main btn-big btn-wide" href="/sign-in">${icon('key')}Sign in</a></p>`
    return sendPage(deps, exchange, { title: 'Passkey registered', content }, undefined)
  })
}

/** What a new passkey carries; of half a one the fingerprint, which nothing shows again. */
export function registered({ name, isHalf, fingerprint }: Read<typeof PasskeyRegisteredSchema>): Html {
  if (!isHalf) return html`<p>${name} carries all your roles.</p>`
  return html`<p>For now ${name} carries the roles Auditor, Support and Catalogue, as far as you have them, and of a merchant’s Admin what Staff may. For the rest a second administrator confirms it.</p>
<div class="print"><p>Fingerprint</p><p class="print-text code">${fingerprint} ${copyButton('the fingerprint', fingerprint)}</p></div>
${note('warn', html`<b>Write it down: it is shown this once.</b> Tell it, in person or by phone, to an administrator who did not invite you.`)}`
}

const orWhy = (deps: Deps, exchange: Exchange, attempt: () => Promise<FastifyReply>): Promise<FastifyReply> =>
  orWhyNot(deps, exchange, typedIn(exchange), attempt)

/** An invitation that opens nothing says why; what went wrong with the device can be tried again. */
export async function orWhyNot(
  deps: Deps,
  exchange: Exchange,
  typed: InvitationShown,
  attempt: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 401)
      return sendPage(deps, exchange, endedPage(error), undefined)
    if (!(error instanceof ApiRefusal) && !(error instanceof ApiAway)) throw error
    const status = error instanceof ApiAway ? 503 : error.status
    const problem =
      error instanceof ApiAway ? 'The operator API does not answer. Try again.' : problemOf(error)
    const page = await invitationPage(deps, exchange, { ...typed, problem })
    return sendPage(deps, exchange, { ...page, status }, undefined)
  }
}

const problemOf = ({ status, message }: ApiRefusal): string =>
  status === 404 ? 'This gateway takes no passkeys: TOLLGATE_PUBLIC_CONSOLE_URL is not set.' : message

/** The operator API says of an invitation of its own why it has ended. */
const endedPage = ({ message }: ApiRefusal): Page => ({
  title: 'This invitation does not work',
  status: 401,
  content: html`<h1>This invitation does not work</h1><p>${message}</p><p class="acts"><a class="btn" href="/sign-in">Sign in</a></p>`,
})

export interface InvitationShown {
  readonly secret?: string
  readonly name?: string
  readonly problem?: string
  /** False where the script has yet to read it from the address. */
  readonly isRead?: false
}

async function invitationPage(
  deps: Deps,
  exchange: Exchange,
  { secret = '', name = '', problem, isRead }: InvitationShown,
): Promise<Page> {
  const form = nameForm({ secret, name, problem, company: await companyName(deps, exchange) })
  const isHidden = isRead === false
  return {
    title: problem === undefined ? 'Register a passkey' : 'Check: register a passkey',
    content: html`<h1>Register a passkey</h1>
<p data-without>Registering a passkey needs JavaScript.</p>
<p data-invited="no" hidden>Open the link of your invitation once more: its last part is missing here.</p>
${isHidden ? html`<div data-invited="yes" hidden>${form}</div>` : form}`,
  }
}

const nameForm = ({
  secret,
  name,
  problem,
  company,
}: {
  secret: string
  name: string
  problem: string | undefined
  company: string | undefined
}): Html =>
  html`<p class="door-lead">You were invited to the operators’ console. A passkey signs you in with a touch of your own device.</p>
<form method="post" action="/invitation"><input type="hidden" name="invitation" value="${secret}" data-invitation>
<label class="field"><span>Name of this device</span><input class="input" name="name" value="${name}" required maxlength="140" placeholder="Laptop" autocomplete="off" autofocus><small>By this you tell your passkeys apart.</small></label>
${problem !== undefined && html`<p class="wrong" role="alert">${icon('alert')}${problem}</p>`}
<p class="section-s"><button class="btn btn-main btn-big btn-wide">${icon('key')}Continue</button></p>
${company !== undefined && html`<p class="or">or</p><p><button class="btn btn-big btn-wide" formaction="/invitation/company" formnovalidate>${icon('user')}Use ${company}</button></p>`}</form>`
