import type { FastifyReply, FastifyRequest } from 'fastify'
import { bareView, textsFor, troublePage } from './drawing.ts'
import type { Trouble } from './screens/errors.ts'
import { frame } from './screens/frame.ts'
import type { Page, View } from './screens/view.ts'
import type { Deps } from './visit.ts'

/** A request, and what is answered. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Draws a page and sends it. */
export function send(deps: Deps, reply: FastifyReply, view: View, page: Page): FastifyReply {
  if (page.retryAfterSeconds !== undefined) void reply.header('retry-after', String(page.retryAfterSeconds))
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(frame(view, page, deps.assets))
}

interface Told extends Omit<Trouble, 'incident'> {
  /** What the customer chose, where that is known. */
  readonly language?: string | undefined
  /** The page of the payment to go on with, where there is one. */
  readonly base?: string
  readonly step?: View['step']
}

/** The screen of an error that shows nothing of a payment. */
export function showTrouble(
  deps: Deps,
  { request, reply }: Exchange,
  { language, base = '', step, kind, ...more }: Told,
): FastifyReply {
  const view = { ...bareView(deps, textsFor(request.headers['accept-language'], language)), base, step }
  return send(deps, reply, view, troublePage(deps, view, kind, more))
}
