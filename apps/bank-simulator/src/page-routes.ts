import type { WallClock } from '@tollgate/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Bank, isOver } from './bank.ts'
import type { Payment } from './books.ts'
import {
  loginPage,
  missingPage,
  momentPage,
  outcomePage,
  paymentPage,
  refusedPage,
  STYLE,
  USER_NAME_LENGTH_MAX,
} from './pages.ts'

interface PageDeps {
  readonly bank: Bank
  readonly clock: WallClock
}

const FORM_BYTES_MAX = 4096
/** How often a page waits for the gateway's hand-over before it says that there is no such payment. */
const LOOKS_MAX = 30
const REFERENCE_PATTERN = /^[A-Za-z0-9_-]{1,64}$/
/** Printable text: it becomes the name of the payer's account. */
const USER_NAME_PATTERN = /^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+$/u

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Where pages are: their headers, and forms instead of JSON. */
export type FormScope = FastifyInstance

/** What a customer sees at the bank: the payment under `/pay/{reference}`, and how to choose; and whatever else has pages. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, more: (scope: FormScope) => void): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, next) => next(null, new URLSearchParams(String(body))),
    )
    scope.addHook('onRequest', (_request, reply, next) => {
      reply.headers(HEADERS)
      next()
    })
    scope.setErrorHandler((_error, _request, reply) =>
      show(reply, 400, refusedPage('Go back and try again.')),
    )
    scope.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
    scope.get('/pay/:reference', (request, reply) => showPayment(deps, request, reply))
    scope.post('/pay/:reference/approve', (request, reply) =>
      choose(deps, { request, reply, choice: 'APPROVED' }),
    )
    scope.post('/pay/:reference/decline', (request, reply) =>
      choose(deps, { request, reply, choice: 'DECLINED' }),
    )
    more(scope)
    done()
  })
}

/** The answer of every path that is none. */
export function showMissing(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return show(reply.headers(HEADERS), 404, missingPage())
}

/** Answers with a page. */
export function show(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page)
}

async function showPayment(deps: PageDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const reference = parameter(request.params, 'reference')
  if (!REFERENCE_PATTERN.test(reference)) return show(reply, 404, missingPage())
  const payment = deps.bank.find(reference)
  if (payment === undefined) return showMoment(request, reply, reference)
  if (!isPaidByCustomer(payment)) return show(reply, 404, missingPage())
  await deps.bank.settled()
  const nowMs = deps.clock.nowMs()
  if (!isOpen(payment, nowMs)) return show(reply, 200, outcomePage(payment, nowMs))
  const userName = parameter(request.query, 'userName')
  if (isUserName(userName)) return show(reply, 200, paymentPage(payment, userName.trim()))
  return show(reply, 200, loginPage(payment, userName !== ''))
}

/** A customer may be faster than the gateway's hand-over. */
function showMoment(request: FastifyRequest, reply: FastifyReply, reference: string): FastifyReply {
  const looks = /^\d{1,3}$/.test(parameter(request.query, 'look'))
    ? Number(parameter(request.query, 'look'))
    : 0
  if (looks >= LOOKS_MAX) return show(reply, 404, missingPage())
  return show(reply, 202, momentPage(`/pay/${reference}?look=${looks + 1}`))
}

interface Choosing {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly choice: 'APPROVED' | 'DECLINED'
}

/** Whatever became of the choice, the page of the payment says it: sent twice, it says the same. */
async function choose({ bank }: PageDeps, { request, reply, choice }: Choosing): Promise<unknown> {
  if (comesFromElsewhere(request)) return show(reply, 403, refusedPage('Choose at the page of the bank.'))
  const reference = parameter(request.params, 'reference')
  const payment = REFERENCE_PATTERN.test(reference) ? bank.find(reference) : undefined
  if (payment === undefined || !isPaidByCustomer(payment)) return show(reply, 404, missingPage())
  const userName = (request.body instanceof URLSearchParams ? request.body.get('userName') : null) ?? ''
  if (isUserName(userName)) bank.choose(reference, choice, userName.trim())
  await bank.settled()
  return reply.redirect(`/pay/${reference}`, 303)
}

/** Browsers say where a form was sent from; a page of somebody else must not choose for a customer. */
export function comesFromElsewhere({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin'
}

/** A payout is nothing that a customer approves. */
const isPaidByCustomer = ({ request }: Payment): boolean => request.direction !== 'PAYOUT'

function isOpen(payment: Payment, nowMs: number): boolean {
  return payment.status === 'PENDING' && payment.choice === undefined && !isOver(payment, nowMs)
}

function isUserName(text: string): boolean {
  return text.trim() !== '' && text.length <= USER_NAME_LENGTH_MAX && USER_NAME_PATTERN.test(text)
}

/** A parameter of the path or the query that is a text; empty when it is missing or was given twice. */
export function parameter(given: unknown, name: string): string {
  if (typeof given !== 'object' || given === null) return ''
  const value: unknown = Reflect.get(given, name)
  return typeof value === 'string' ? value : ''
}
