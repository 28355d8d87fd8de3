import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { arrive, showProblems } from './opening.ts'
import { readRedirectUrl, readStatusUrl } from './redirect-url.ts'
import { type Exchange, showTrouble } from './sending.ts'
import type { Mode, Session } from './sessions.ts'
import { readToken } from './token.ts'
import { type Deps, PATHS } from './visit.ts'

// Where customers arrive, with a token in the address. Nothing is made here: the gateway is asked about the token, and the
// address is cleaned before anything is shown, so that the token is in no history.

/** The RedirectURL and the status link (specification 4.9). */
export function entryRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/', (request, reply) => {
    const reading = readRedirectUrl(queryOf(request), deps.isLive)
    if (!reading.ok) return showProblems(deps, reply, { mode: 'PAY', problems: reading.problems })
    const { merchantCode, idPayin, token, ...order } = reading.order
    const session = { ...sessionOf({ merchantCode, idPayin, token }), order }
    return admit(deps, { mode: 'PAY', request, reply }, session)
  })
  app.get('/status', (request, reply) => {
    const reading = readStatusUrl(queryOf(request))
    if (!reading.ok) return showProblems(deps, reply, { mode: 'STATUS', problems: reading.problems })
    const { idPayin, token } = reading.order
    const session = sessionOf({ merchantCode: readToken(token)?.merchantCode ?? '', idPayin, token })
    return admit(deps, { mode: 'STATUS', request, reply }, session)
  })
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

interface Arrival extends Exchange {
  readonly mode: Mode
}

/** Only a token that the gateway has accepted opens a session. */
async function admit(deps: Deps, arrival: Arrival, session: Session): Promise<FastifyReply> {
  const { mode, reply } = arrival
  const place = deps.sessions.placeOf(mode, session.merchantCode, session.idPayin)
  const kept = { mode, place, session }
  if (!deps.cookies.hasRoomFor(deps.sessions.seal(place, session))) {
    const problems = [{ parameter: 'token', rule: 'TOO_LONG', value: '' }] as const
    return showProblems(deps, reply, { mode, problems })
  }
  // The clean address opens nothing, but for somebody who has been let in before.
  const turnAway = (): FastifyReply => reply.redirect(`${PATHS[mode]}/${place}`, 303)
  if (readToken(session.token)?.merchantCode !== session.merchantCode) return turnAway()
  if (deps.clock.nowMs() >= session.expireAtMs) return turnAway()
  const looked = await deps.api.look(session)
  if (looked.kind === 'BUSY' || looked.kind === 'UNREACHABLE') {
    // Who comes for the status has perhaps paid.
    const kind = mode === 'STATUS' ? 'UNSURE' : looked.kind
    return showTrouble(deps, arrival, { kind, retryAfterSeconds: looked.retryAfterSeconds })
  }
  return looked.kind === 'DENIED' && looked.lacks === undefined ? turnAway() : arrive(deps, reply, kept)
}
