import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Watch } from './live.ts'
import { openVisit } from './opening.ts'
import { type Deps, judge, lookAt, PATHS, type Visit } from './visit.ts'

/** A stream tells that it lives; browsers open it again when it ends. */
const SIGN_OF_LIFE_MS = 4_000
const STREAM_MS_MAX = 600_000
const SILENT_SECONDS = '15'

export interface LiveDeps extends Deps {
  readonly watch: Watch
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
      if (silence?.kind === 'BUSY' || silence?.kind === 'UNREACHABLE')
        return reply
          .code(503)
          .header('retry-after', SILENT_SECONDS)
          .send({ state: 'BUSY', now: nowOf(deps) })
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

const nowOf = ({ clock }: Deps): string => new Date(clock.nowMs()).toISOString()

function stream(
  deps: LiveDeps,
  visit: Visit,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): void {
  let last: Parameters<typeof judge>[1] | undefined
  const send = (): void => {
    // While the API says nothing, the screen stays as it is.
    if (last === undefined || last.kind === 'BUSY' || last.kind === 'UNREACHABLE') {
      reply.raw.write(': still here\n\n')
      return
    }
    const { live } = judge(visit, last, { nowMs: deps.clock.nowMs(), areAddressesAllowed: true })
    reply.raw.write(`event: state\ndata: ${JSON.stringify({ state: live, now: nowOf(deps) })}\n\n`)
  }
  const remove = deps.watch.add(
    visit.session,
    (looked) => {
      last = looked
      send()
    },
    visit.claims.isForOnePayment,
  )
  if (remove === undefined) {
    void reply
      .code(503)
      .header('retry-after', SILENT_SECONDS)
      .send({ state: 'BUSY', now: nowOf(deps) })
    return
  }
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  const life = setInterval(send, SIGN_OF_LIFE_MS)
  const end = setTimeout(() => reply.raw.end(), STREAM_MS_MAX)
  request.raw.on('close', () => {
    clearInterval(life)
    clearTimeout(end)
    remove()
  })
}
