import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Live } from './live.ts'
import { ApiAway, ApiRefusal } from './operator-api.ts'
import { permissionsFor, readHistory, versionOf } from './payment-history.ts'
import { type Deps, enter, Powerless, queryOf } from './visit.ts'

const RETRY_SECONDS = '30'

/** Follows a payment: the permissions of its screen, by the session of its screen. Refusals are words: no page is asked for. */
export function liveRoute(app: FastifyInstance, deps: Deps, live: Live): void {
  app.get('/payments/:kind/:merchantCode/:idPayment/live', async (request, reply) => {
    // The cookie stays with our own pages, and other sites could not read the answer; they need not make us work for it either.
    if ((request.headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin')
      return refuse(reply, 403, 'Only the console itself follows payments.')
    try {
      return await follow({ deps, live }, request, reply)
    } catch (error) {
      if (error instanceof ApiRefusal) return refuse(reply, error.status, error.message)
      if (error instanceof Powerless) return refuse(reply, 403, error.message)
      if (error instanceof ApiAway) return busy(reply, 'The operator API does not answer.')
      throw error
    }
  })
}

async function follow(
  { deps, live }: { readonly deps: Deps; readonly live: Live },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = deps.cookies.read(request.headers.cookie)
  const visit = await enter(deps, { request, reply }, 'UNATTENDED')
  if (session === undefined || visit === undefined) return refuse(reply, 401, 'You are not signed in.')
  const { api, me, name } = visit
  const payment = {
    kind: name('kind'),
    merchantCode: name('merchantCode'),
    idPayment: name('idPayment'),
  }
  const lacking = permissionsFor(payment.kind).find((permission) => !visit.may(permission))
  if (lacking !== undefined) return refuse(reply, 403, `Your roles do not permit this: it needs ${lacking}.`)
  const version = versionOf(await readHistory(api, payment))
  const seen = queryOf(request).get('seen') ?? ''
  const { operatorCode, merchantCode: ownMerchant } = me
  const body = live.follow({ session, operatorCode, ownMerchant, api, payment, seen }, version)
  if (body === undefined) return busy(reply, 'Too many payments are followed at once.')
  return reply
    .headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // A proxy that gathers what it passes on would hold every event back.
      'x-accel-buffering': 'no',
      // It carries nothing else, so that a stop does not wait for it.
      connection: 'close',
    })
    .send(body)
}

const refuse = (reply: FastifyReply, status: number, words: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(words)

const busy = (reply: FastifyReply, words: string): FastifyReply =>
  refuse(reply.header('retry-after', RETRY_SECONDS), 503, words)
