import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lackOf, remedyFor } from './drawing.ts'
import { cleanField, referenceFormat } from './formats/index.ts'
import { faultOf, formOf, valuesOf } from './forms.ts'
import { keepSession, openVisit } from './opening.ts'
import type { Rejection } from './records.ts'
import { CUSTOMER_FIELDS, type CustomerData } from './redirect-url.ts'
import { nextStep, type Step } from './scenarios.ts'
import type { ErrorKind } from './screens/errors.ts'
import { isOutcome } from './screens/panel.ts'
import { showTrouble } from './sending.ts'
import { moneyOf, type Session } from './sessions.ts'
import { situationOf } from './start-page.ts'
import { type Deps, PATHS, type Visit } from './visit.ts'

// What customers do. Every action is one form, and is answered by the way to the page that shows what came of it.

interface Action {
  readonly deps: Deps
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly visit: Visit
  readonly form: URLSearchParams
}

type Act = (action: Action) => Promise<FastifyReply> | FastifyReply

export function actionRoutes(app: FastifyInstance, deps: Deps): void {
  const actions: Readonly<Record<string, Act>> = { choose, pay, reference: sendReference, trigger }
  for (const [name, act] of Object.entries(actions)) {
    app.post(`${PATHS.PAY}/:place/${name}`, async (request, reply) => {
      const visit = openVisit(deps, 'PAY', request)
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      if (visit === undefined) return showTrouble(deps, { request, reply }, { kind: 'LINK_INVALID' })
      if (!isFromOurPage(deps, request, { visit, form }))
        return showTrouble(deps, { request, reply }, { kind: 'FORBIDDEN', language: visit.session.language })
      // The token has ended meanwhile: how it stands is shown, and nothing is done.
      if (visit.isReadOnly) return reply.redirect(visit.base, 303)
      return act({ deps, request, reply, visit, form })
    })
  }
}

/**
 * A form of somebody else must do nothing in a customer's name: cookies do not come with it, it does not know the token
 * of the form, and browsers say where it is from.
 */
function isFromOurPage(
  deps: Deps,
  { headers }: FastifyRequest,
  { visit, form }: { readonly visit: Visit; readonly form: URLSearchParams },
): boolean {
  const { 'sec-fetch-site': site, origin } = headers
  if (site !== undefined && site !== 'same-origin') return false
  // Pages without referrer, as ours are, send `null`.
  if (
    origin !== undefined &&
    origin !== 'null' &&
    site === undefined &&
    origin !== new URL(deps.publicUrl).origin
  )
    return false
  return deps.sessions.isFormTokenOf(visit.place, form.get('formToken') ?? '')
}

/** The gateway did not take it for now: what was typed is kept, and the screen tries again at the payment. */
function refuse(
  { deps, request, reply, visit }: Action,
  kind: ErrorKind,
  { session, step }: { readonly session: Session; readonly step?: 'reference' },
): FastifyReply {
  const { base } = visit
  keepSession(deps, reply, { ...visit, session })
  const remedy = remedyFor(kind, visit)
  return showTrouble(deps, { request, reply }, { kind, base, step, language: session.language, remedy })
}

function goOn({ deps, reply, visit }: Action, session: Session, query = ''): FastifyReply {
  keepSession(deps, reply, { ...visit, session })
  return reply.redirect(visit.base + query, 303)
}

const CODE_PATTERN = /^[A-Z0-9_]{1,64}$/

function codeIn(form: URLSearchParams, name: string): string | undefined {
  const code = form.get(name) ?? ''
  return CODE_PATTERN.test(code) ? code : undefined
}

function choose(action: Action): FastifyReply {
  const { form, visit } = action
  const methodCode = codeIn(form, 'methodCode')
  const operatorCode = codeIn(form, 'operatorCode')
  if (methodCode === undefined) return action.reply.redirect(`${visit.base}?step=method`, 303)
  const session = {
    ...visit.session,
    choice: { methodCode, ...(operatorCode && { operatorCode }) },
    refusals: [],
  }
  return goOn(action, session)
}

/** Pays by what the form says: another tab may have chosen otherwise meanwhile. */
async function pay(action: Action): Promise<FastifyReply> {
  const { deps, form, visit } = action
  const { order } = visit.session
  const methodCode = codeIn(form, 'methodCode')
  const operatorCode = codeIn(form, 'operatorCode')
  if (order === undefined || methodCode === undefined) return action.reply.redirect(visit.base, 303)
  const chosen = {
    ...visit.session,
    choice: { methodCode, ...(operatorCode && { operatorCode }) },
    drafts: { ...visit.session.drafts, [methodCode]: typedIn(form) },
    refusals: [],
  }
  const offer = await deps.directory.offer(chosen.token, moneyOf(order))
  if (offer.kind === 'BUSY' || offer.kind === 'UNREACHABLE')
    return refuse(action, offer.kind, { session: chosen })
  if (offer.kind !== 'FOUND') return goOn(action, chosen)
  const step = nextStep(situationOf(chosen, offer.options, undefined))
  if (step.kind !== 'DETAILS' || step.option.paymentMethodCode !== methodCode) return goOn(action, chosen)
  return payBy(action, { step, session: chosen })
}

interface Paying {
  readonly step: Extract<Step, { kind: 'DETAILS' }>
  readonly session: Session
}

const TYPED_LENGTH_MAX = 300

const typedIn = (form: URLSearchParams): CustomerData =>
  Object.fromEntries(
    CUSTOMER_FIELDS.filter((name) => form.has(name)).map((name) => [
      name,
      (form.get(name) ?? '').slice(0, TYPED_LENGTH_MAX),
    ]),
  )

async function payBy(action: Action, { step, session }: Paying): Promise<FastifyReply> {
  const { deps, visit } = action
  const { order } = session
  if (order === undefined) return goOn(action, session)
  const code = step.option.paymentMethodCode
  const fields = formOf({
    methodCode: code,
    currencyCode: order.money.currencyCode,
    asked: step.asked,
    values: session.drafts[code] ?? {},
    isJudged: true,
    refusals: [],
  })
  if (fields.some(({ fault }) => fault !== undefined)) return goOn(action, { ...session, checked: code })
  const created = await deps.api.create(session, {
    money: moneyOf(order),
    methodCode: code,
    operatorCode: step.operator?.code,
    customer: { ...lockedOf(order.customer, step), ...valuesOf(fields) },
    callbackUrl: order.callbackUrl,
    returnUrl: order.returnUrl,
    pageUrl: `${deps.publicUrl}${visit.base}/back`,
  })
  switch (created.kind) {
    case 'EXISTS':
      // It is in the payment now, and no business of a cookie.
      return goOn(action, { ...session, drafts: {}, isSent: true })
    case 'REFUSED':
      deps.directory.forget(session.token, moneyOf(order))
      return goOn(action, { ...session, checked: code, refusals: kept(created.reasons) }, '?refused=1')
    case 'DENIED':
      // The page would look as if nothing had happened, again and again.
      return created.lacks === undefined
        ? goOn(action, session)
        : refuse(action, lackOf(created.lacks, visit), { session })
    case 'BUSY':
      return refuse(action, 'BUSY', { session })
    case 'UNREACHABLE':
      return refuse(action, 'UNSURE', { session: { ...session, isSent: true } })
  }
}

function lockedOf(customer: CustomerData, { locked }: Paying['step']): CustomerData {
  return Object.fromEntries(
    CUSTOMER_FIELDS.filter((name) => locked.includes(name)).map((name) => [name, customer[name] ?? '']),
  )
}

const REFUSALS_MAX = 10

const kept = (reasons: readonly Rejection[]): Session['refusals'] =>
  reasons.slice(0, REFUSALS_MAX).map(({ code, field }) => ({ code, ...(field !== undefined && { field }) }))

const REFERENCE_LENGTH_MAX = 250

async function sendReference(action: Action): Promise<FastifyReply> {
  const { deps, form, visit } = action
  const { session } = visit
  const typed = (form.get('externalReference') ?? '').slice(0, REFERENCE_LENGTH_MAX)
  const wrong = { ...session, reference: typed, refusals: [] }
  // It is still there when the gateway is.
  const again = { session: wrong, step: 'reference' as const }
  const looked = await deps.api.look(session)
  if (looked.kind === 'BUSY' || looked.kind === 'UNREACHABLE') return refuse(action, 'UNSURE', again)
  if (looked.kind !== 'FOUND') return action.reply.redirect(visit.base, 303)
  const format = referenceFormat(looked.payin.paymentMethodResponse.paymentMethodCode)
  if (faultOf(format, typed, true) !== undefined) return goOn(action, wrong, '?step=reference')
  const sent = await deps.api.sendReference(session, cleanField(format, typed))
  switch (sent.kind) {
    case 'DONE': {
      const { reference: _sent, ...rest } = session
      return goOn(action, { ...rest, refusals: [] })
    }
    case 'REFUSED':
      return goOn(action, { ...wrong, refusals: [{ code: sent.code }] }, '?step=reference')
    case 'DENIED':
      // The page lacks the permission: the reference may well be right.
      return refuse(action, 'REFERENCE_DENIED', again)
    case 'BUSY':
    case 'UNREACHABLE':
      return refuse(action, 'UNSURE', again)
  }
}

/** Sandbox only: the gateway itself refuses it in live. */
async function trigger(action: Action): Promise<FastifyReply> {
  const { deps, form, visit } = action
  const outcome = form.get('outcome') ?? ''
  if (!deps.isLive && isOutcome(outcome)) await deps.api.trigger(visit.session, outcome)
  return action.reply.redirect(visit.base, 303)
}
