import { addressKey } from '@tollgate/page-server'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Watch } from './live.ts'
import type { Metrics } from './metrics.ts'
import { openVisit } from './opening.ts'
import type { Exchange } from './sending.ts'
import { type Deps, judge, lookAt, PATHS, type Visit } from './visit.ts'

/** A stream tells that it lives; browsers open it again when it ends. */
const SIGN_OF_LIFE_MS = 4_000
const STREAM_MS_MAX = 600_000
const SILENT = { status: 503, seconds: 15 }

interface LiveDeps extends Deps {
  readonly watch: Watch
  readonly metrics: Pick<Metrics, 'rateLimited'>
}

/** How an open screen hears that its payment has moved on: as a stream of events, or by asking. */
export function liveRoutes(app: FastifyInstance, deps: LiveDeps): void {
  for (const mode of ['PAY', 'STATUS'] as const) {
    const path = `${PATHS[mode]}/:place`
    app.get(`${path}/state`, async (request, reply) => {
      const visit = openVisit(deps, mode, request)
      if (visit === undefined) return reply.code(401).send({ state: 'GONE', now: nowOf(deps) })
      const { live, silence } = await lookAt(deps, visit)
      // While the API says nothing, the screen stays as it is.
      if (silence?.kind === 'BUSY' || silence?.kind === 'UNREACHABLE') return askLater(deps, reply, SILENT)
      return reply.send({ state: live, now: nowOf(deps) })
    })
    app.get(`${path}/events`, (request, reply) => {
      const visit = openVisit(deps, mode, request)
      if (visit === undefined) return reply.code(401).send({ state: 'GONE', now: nowOf(deps) })
      stream(deps, visit, { request, reply })
      return reply
    })
  }
}

/** The screen stays as it is, and its script asks again after so long. */
export function askLater(
  deps: Deps,
  reply: FastifyReply,
  { status, seconds }: { readonly status: number; readonly seconds: number },
): FastifyReply {
  return reply
    .code(status)
    .header('retry-after', String(seconds))
    .send({ state: 'BUSY', now: nowOf(deps) })
}

const nowOf = ({ clock }: Deps): string => new Date(clock.nowMs()).toISOString()

function stream(deps: LiveDeps, visit: Visit, { request, reply }: Exchange): void {
  let last: Parameters<typeof judge>[1] | undefined
  const send = (): void => {
    if (reply.raw.writableEnded) return
    // While the API says nothing, the screen stays as it is.
    if (last === undefined || last.kind === 'BUSY' || last.kind === 'UNREACHABLE') {
      reply.raw.write(': still here\n\n')
      return
    }
    const { live } = judge(visit, last, { nowMs: deps.clock.nowMs(), addresses: 'ALLOWED' })
    reply.raw.write(`event: state\ndata: ${JSON.stringify({ state: live, now: nowOf(deps) })}\n\n`)
  }
  const remove = deps.watch.add(
    visit.session,
    {
      heard(looked) {
        last = looked
        send()
      },
      ended: () => void reply.raw.end(),
    },
    { isForOnePayment: visit.claims.isForOnePayment, address: addressKey(request.ip) },
  )
  if (remove === undefined) {
    deps.metrics.rateLimited.inc({ bucket: 'streams' })
    void askLater(deps, reply, SILENT)
    return
  }
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  // The connection ends with the stream, so that a page that stops need not wait for it.
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    connection: 'close',
  })
  send()
  const life = setInterval(send, SIGN_OF_LIFE_MS)
  const end = setTimeout(() => reply.raw.end(), STREAM_MS_MAX)
  reply.raw.on('close', () => {
    clearInterval(life)
    clearTimeout(end)
    remove()
  })
}
