import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { arrive } from './opening.ts'
import { type OrderReading, readRedirectUrl, readStatusUrl } from './redirect-url.ts'
import type { BrokenSession, Mode, Session } from './sessions.ts'
import { readToken } from './token.ts'
import type { Deps } from './visit.ts'

// Where customers arrive, with a token in the address. Nothing is asked here and nothing is made: the address is cleaned
// first, so that the token is in no history, and what is wrong is said there.

/** The RedirectURL and the status link (specification 4.9). */
export function entryRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/', (request, reply) => {
    const reading = readRedirectUrl(queryOf(request), deps.isLive)
    return admit(deps, { mode: 'PAY', reply }, reading, (order) => {
      const { merchantCode, idPayin, token, ...rest } = order
      return { ...sessionOf({ merchantCode, idPayin, token }), order: rest }
    })
  })
  app.get('/status', (request, reply) =>
    admit(deps, { mode: 'STATUS', reply }, readStatusUrl(queryOf(request)), ({ idPayin, token }) =>
      sessionOf({ merchantCode: readToken(token)?.merchantCode ?? '', idPayin, token }),
    ),
  )
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1))
}

const sessionOf = (subject: Pick<Session, 'merchantCode' | 'idPayin' | 'token'>): Session => ({
  ...subject,
  expireAtMs: readToken(subject.token)?.expireAtMs ?? 0,
  drafts: {},
  refusals: [],
})

interface Arrival {
  readonly mode: Mode
  readonly reply: FastifyReply
}

/** How long the reason why a link is no good can be read. */
const BROKEN_MS = 600_000

function admit<Order>(
  deps: Deps,
  { mode, reply }: Arrival,
  reading: OrderReading<Order>,
  begin: (order: Order) => Session,
): FastifyReply {
  const nowMs = deps.clock.nowMs()
  const session: Session | BrokenSession = reading.ok
    ? begin(reading.order)
    : { problems: [...reading.problems], expireAtMs: nowMs + BROKEN_MS }
  const place = reading.ok
    ? placeOf(deps, mode, session)
    : deps.sessions.placeOf(mode, '', deps.ids.incident())
  return arrive(deps, reply, { mode, place, session })
}

function placeOf(deps: Deps, mode: Mode, session: Session | BrokenSession): string {
  return 'token' in session ? deps.sessions.placeOf(mode, session.merchantCode, session.idPayin) : ''
}
