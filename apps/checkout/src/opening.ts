import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BrokenSession, isPaying, type Mode, type Session } from './sessions.ts'
import { type Deps, PATHS, type Visit, visitOf } from './visit.ts'

const PLACE_PATTERN = /^[A-Za-z0-9_-]{22}$/

/** The part of the address that names a payment; undefined for what is none. */
export function placeIn(request: FastifyRequest): string | undefined {
  const place = textIn(request.params, 'place')
  return PLACE_PATTERN.test(place) ? place : undefined
}

/** Somebody at a payment's page, or with a link that could not be read; undefined without a session for the address. */
export function openPlace(
  { cookies, sessions, clock }: Deps,
  mode: Mode,
  request: FastifyRequest,
): Visit | BrokenSession | undefined {
  const place = placeIn(request)
  const sealed = cookies.read(request.headers.cookie)
  if (place === undefined || sealed === undefined) return undefined
  const session = sessions.open(place, sealed)
  return session !== undefined && isPaying(session)
    ? visitOf({ mode, place, session }, clock.nowMs())
    : session
}

/** Somebody at a payment's page; undefined for everybody else. */
export function openVisit(deps: Deps, mode: Mode, request: FastifyRequest): Visit | undefined {
  const opened = openPlace(deps, mode, request)
  return opened === undefined || 'problems' in opened ? undefined : opened
}

/** Gives the session to the browser, for this payment's address alone. */
export function keepSession(
  deps: Deps,
  reply: FastifyReply,
  kept: { readonly mode: Mode; readonly place: string; readonly session: Session | BrokenSession },
): void {
  const { mode, place, session } = kept
  const seconds = Math.max(0, Math.floor((session.expireAtMs - deps.clock.nowMs()) / 1000))
  const sealed = deps.sessions.seal(place, session)
  void reply.header('set-cookie', [...deps.cookies.write(`${PATHS[mode]}/${place}`, sealed, seconds)])
}

/**
 * Lets somebody in, at the clean address. What is over opens nothing anew; but whoever came in time and still has a
 * session finds it there. The address says that this is the first time, so that a browser that keeps no session is
 * noticed.
 */
export function arrive(
  deps: Deps,
  reply: FastifyReply,
  kept: { readonly mode: Mode; readonly place: string; readonly session: Session | BrokenSession },
): FastifyReply {
  const { mode, place, session } = kept
  const path = `${PATHS[mode]}/${place}`
  if (deps.clock.nowMs() >= session.expireAtMs) return reply.redirect(path, 303)
  keepSession(deps, reply, kept)
  return reply.redirect(`${path}?${FIRST}=1`, 303)
}

/** Whether somebody has just come in. */
export const isFirst = ({ query }: FastifyRequest): boolean => textIn(query, FIRST) === '1'

const FIRST = 'first'

/** A parameter that is a text; empty when it is missing or was given twice. */
export function textIn(given: unknown, name: string): string {
  if (typeof given !== 'object' || given === null) return ''
  const value: unknown = Reflect.get(given, name)
  return typeof value === 'string' ? value : ''
}
