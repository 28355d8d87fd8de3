import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actionRoutes } from './action-routes.ts'
import { bareView, textsFor, troublePage, type Wanted } from './drawing.ts'
import { isLanguage } from './messages/index.ts'
import { keepSession, openSession, openVisit, placeIn, textIn } from './opening.ts'
import { pageOf } from './pages.ts'
import { frame } from './screens/frame.ts'
import type { Page, View } from './screens/view.ts'
import { isPaying, type Mode } from './sessions.ts'
import { type Deps, lookAt, PATHS } from './visit.ts'

/** The page of a payment, under its clean address. */
export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  for (const mode of ['PAY', 'STATUS'] as const)
    app.get(`${PATHS[mode]}/:place`, (request, reply) => show(deps, mode, { request, reply }))
  app.get(`${PATHS.PAY}/:place/leave`, (request, reply) =>
    show(deps, 'PAY', { request, reply }, { ...NOTHING, step: 'leave' }),
  )
  app.get(`${PATHS.PAY}/:place/back`, (request, reply) => comeBack(deps, { request, reply }))
  actionRoutes(app, deps)
}

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const NOTHING: Wanted = { step: undefined, isMissing: false, isRefused: false }
const STEPS = ['method', 'operator', 'reference'] as const

function wantedIn({ query }: FastifyRequest): Wanted {
  return {
    step: STEPS.find((step) => step === textIn(query, 'step')),
    isMissing: textIn(query, 'missing') === '1',
    isRefused: textIn(query, 'refused') === '1',
  }
}

async function show(
  deps: Deps,
  mode: Mode,
  exchange: Exchange,
  wanted = wantedIn(exchange.request),
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const session = openSession(deps, request)
  const texts = textsFor(request.headers['accept-language'], session?.language)
  if (session !== undefined && !isPaying(session)) {
    const view = bareView(deps, texts)
    return send(deps, reply, view, troublePage(deps, view, 'LINK_INCOMPLETE', session))
  }
  const visit = openVisit(deps, mode, request)
  if (visit === undefined) {
    const view = bareView(deps, texts)
    return send(deps, reply, view, troublePage(deps, view, 'LINK_INVALID'))
  }
  const language = textIn(request.query, 'lang')
  if (isLanguage(language)) {
    keepSession(deps, reply, { ...visit, session: { ...visit.session, language } })
    return reply.redirect(visit.base, 303)
  }
  const seen = await lookAt(deps, visit)
  const { view, page } = await pageOf(deps, visit, seen, { texts, wanted })
  return send(deps, reply, view, page)
}

/** Draws a page and sends it. */
export function send(deps: Deps, reply: FastifyReply, view: View, page: Page): FastifyReply {
  if (page.retryAfterSeconds !== undefined) void reply.header('retry-after', String(page.retryAfterSeconds))
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(frame(view, page, deps.assets))
}

/** Back from the institution: what it has to say may take a moment. */
function comeBack(deps: Deps, { request, reply }: Exchange): FastifyReply {
  const visit = openVisit(deps, 'PAY', request)
  if (visit === undefined) return reply.redirect(`${PATHS.PAY}/${placeIn(request) ?? ''}`, 303)
  keepSession(deps, reply, { ...visit, session: { ...visit.session, backAtMs: deps.clock.nowMs() } })
  return reply.redirect(visit.base, 303)
}
