import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actionRoutes } from './action-routes.ts'
import { stepOf, textsFor, type Wanted } from './drawing.ts'
import { sessionEndMs } from './life.ts'
import { isLanguage } from './messages/index.ts'
import { firstUntilMs, keepSession, openVisit, placeIn, problemsIn, textIn } from './opening.ts'
import { pageOf } from './pages.ts'
import { phoneRoutes } from './phone-routes.ts'
import type { Shop } from './records.ts'
import type { View } from './screens/view.ts'
import { type Exchange, send, showTrouble } from './sending.ts'
import type { Mode, Session } from './sessions.ts'
import { type Deps, lookAt, PATHS, type Seen, type Visit } from './visit.ts'

/** The page of a payment, under its clean address. */
export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  for (const mode of ['PAY', 'STATUS'] as const)
    app.get(`${PATHS[mode]}/:place`, (request, reply) => {
      const untilMs = firstUntilMs(request)
      return untilMs === undefined
        ? show(deps, mode, { request, reply })
        : greet(deps, mode, { request, reply }, untilMs)
    })
  app.get(`${PATHS.PAY}/:place/leave`, (request, reply) =>
    show(deps, 'PAY', { request, reply }, { ...NOTHING, step: 'leave' }),
  )
  app.get(`${PATHS.PAY}/:place/back`, (request, reply) => comeBack(deps, { request, reply }))
  actionRoutes(app, deps)
  phoneRoutes(app, deps)
}

const NOTHING: Wanted = { step: undefined, isRefused: false }
const STEPS = ['method', 'operator', 'reference'] as const

function wantedIn({ query }: FastifyRequest): Wanted {
  return {
    step: STEPS.find((step) => step === textIn(query, 'step')),
    isRefused: textIn(query, 'refused') === '1',
  }
}

/** The first request after arriving: a browser that keeps no session is told so, unless its time is over; others go on. */
function greet(deps: Deps, mode: Mode, { request, reply }: Exchange, untilMs: number): FastifyReply {
  const place = placeIn(request)
  const isKept = openVisit(deps, mode, request) !== undefined || deps.clock.nowMs() >= untilMs
  return place === undefined || !isKept
    ? showTrouble(deps, { request, reply }, { kind: 'NO_COOKIES' })
    : reply.redirect(`${PATHS[mode]}/${place}`, 303)
}

async function show(
  deps: Deps,
  mode: Mode,
  exchange: Exchange,
  wanted = wantedIn(exchange.request),
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const problems = problemsIn(deps, request)
  if (problems !== undefined) return showTrouble(deps, exchange, { kind: 'LINK_INCOMPLETE', problems })
  const visit = openVisit(deps, mode, request)
  if (visit === undefined) return showTrouble(deps, exchange, { kind: 'LINK_INVALID' })
  const language = textIn(request.query, 'lang')
  if (isLanguage(language)) {
    keepSession(deps, reply, { ...visit, session: { ...visit.session, language } })
    return reply.redirect(addressOf(visit, wanted), 303)
  }
  const seen = await lookAt(deps, visit)
  const tries = triesIn(request)
  // It is there again: the address need not count any more.
  if (tries > 0 && seen.silence === undefined) return reply.redirect(addressOf(visit, wanted), 303)
  const texts = textsFor(request.headers['accept-language'], visit.session.language)
  const { view, page } = await pageOf(deps, visit, seen, { texts, wanted, tries })
  keepLife(deps, reply, { visit, seen, view })
  return send(deps, reply, view, page)
}

/** The clean address of the screen that is asked for. */
function addressOf({ base }: Visit, wanted: Wanted): string {
  const step = stepOf(wanted)
  return step === undefined ? base : `${base}?step=${step}`
}

/** How often the page has tried in vain already. */
function triesIn({ query }: FastifyRequest): number {
  const text = textIn(query, 'try')
  return /^\d$/.test(text) ? Number(text) : 0
}

/** With a payment to look at, the session may outlive its token; what was typed is in the payment then, and not kept. */
function keepLife(
  deps: Deps,
  reply: FastifyReply,
  { visit, seen, view: { shop } }: { readonly visit: Visit; readonly seen: Seen; readonly view: View },
): void {
  const { session, claims } = visit
  const { payin, screen } = seen
  if (!deps.api.looksLonger || payin === undefined || screen === 'LINK_INVALID') return
  const expireAtMs = sessionEndMs(payin, claims.expireAtMs)
  if (expireAtMs === session.expireAtMs) return
  const order = session.order && { ...session.order, customer: {} }
  const more = { ...(order && { order }), ...(shop && { shop: shopToKeep(shop) }) }
  keepSession(deps, reply, { ...visit, session: { ...session, ...more, drafts: {}, expireAtMs } })
}

/** No more than what screens need: a cookie is small. */
function shopToKeep(shop: Shop): NonNullable<Session['shop']> {
  const { supportEmail, supportUrl, primaryColor, logoUrl, logoWidth, logoHeight } = shop
  return {
    name: shop.name,
    ...(supportEmail !== undefined && { supportEmail }),
    ...(supportUrl !== undefined && { supportUrl }),
    ...(primaryColor !== undefined && { primaryColor }),
    ...(logoUrl !== undefined && { logoUrl }),
    ...(logoWidth !== undefined && { logoWidth }),
    ...(logoHeight !== undefined && { logoHeight }),
  }
}

/** Back from the institution: what it has to say may take a moment. */
function comeBack(deps: Deps, { request, reply }: Exchange): FastifyReply {
  const visit = openVisit(deps, 'PAY', request)
  if (visit === undefined) return reply.redirect(`${PATHS.PAY}/${placeIn(request) ?? ''}`, 303)
  const isApproved = textIn(request.query, 'approved') === '1'
  const session = { ...visit.session, backAtMs: deps.clock.nowMs(), isApproved }
  keepSession(deps, reply, { ...visit, session })
  return reply.redirect(visit.base, 303)
}
