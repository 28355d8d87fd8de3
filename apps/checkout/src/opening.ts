import type { FastifyReply, FastifyRequest } from 'fastify'
import { incidentOf } from './drawing.ts'
import type { Problem } from './redirect-url.ts'
import type { Mode, Session } from './sessions.ts'
import { type Deps, PATHS, type Visit, visitOf } from './visit.ts'

const PLACE_PATTERN = /^[A-Za-z0-9_-]{22}$/

/** The part of the address that names a payment; undefined for what is none. */
export function placeIn(request: FastifyRequest): string | undefined {
  const place = textIn(request.params, 'place')
  return PLACE_PATTERN.test(place) ? place : undefined
}

/** Somebody at a payment's page; undefined without a session for the address. */
export function openVisit(
  { cookies, sessions, clock }: Deps,
  mode: Mode,
  request: FastifyRequest,
): Visit | undefined {
  const place = placeIn(request)
  const sealed = cookies.read(request.headers.cookie)
  if (place === undefined || sealed === undefined) return undefined
  const session = sessions.open(place, sealed)
  return session && visitOf({ mode, place, session }, clock.nowMs())
}

interface Kept {
  readonly mode: Mode
  readonly place: string
  readonly session: Session
}

/** Gives the session to the browser, for this payment's address alone; without what can be done without if it is too much. */
export function keepSession(deps: Deps, reply: FastifyReply, kept: Kept): void {
  const { mode, place, session } = kept
  const seconds = Math.max(0, Math.floor((session.expireAtMs - deps.clock.nowMs()) / 1000))
  const { shop: _shop, ...rest } = { ...session, drafts: {} }
  const whole = deps.sessions.seal(place, session)
  const sealed = deps.cookies.fits(whole) ? whole : deps.sessions.seal(place, rest)
  void reply.header('set-cookie', [...deps.cookies.write(`${PATHS[mode]}/${place}`, sealed, seconds)])
}

/**
 * Lets somebody in, at the clean address. What is over opens nothing anew; but whoever came in time and still has a
 * session finds it there. The address says that this is the first time, and until when the session is good, so that a
 * browser that keeps none is noticed.
 */
export function arrive(deps: Deps, reply: FastifyReply, kept: Kept): FastifyReply {
  const { mode, place, session } = kept
  const path = `${PATHS[mode]}/${place}`
  if (deps.clock.nowMs() >= session.expireAtMs) return reply.redirect(path, 303)
  keepSession(deps, reply, kept)
  return reply.redirect(`${path}?${FIRST}=${session.expireAtMs}`, 303)
}

/**
 * Sends somebody whose link is no good to a clean address that says why, for a while. The reasons are in the address: a link
 * that nobody has judged sets no cookie.
 */
export function showProblems(
  { sessions, ids, clock }: Deps,
  reply: FastifyReply,
  { mode, problems }: { readonly mode: Mode; readonly problems: readonly Problem[] },
): FastifyReply {
  const place = sessions.placeOf(mode, '', incidentOf(ids))
  const sealed = sessions.sealProblems(place, {
    problems: [...problems],
    expireAtMs: clock.nowMs() + PROBLEMS_MS,
  })
  return reply.redirect(`${PATHS[mode]}/${place}?${PROBLEMS}=${sealed}`, 303)
}

/** Why a link is no good; undefined where the address does not say. */
export function problemsIn({ sessions }: Deps, request: FastifyRequest): readonly Problem[] | undefined {
  const place = placeIn(request)
  const sealed = textIn(request.query, PROBLEMS)
  return place === undefined || sealed === '' ? undefined : sessions.openProblems(place, sealed)
}

const PROBLEMS = 'problems'
const PROBLEMS_MS = 600_000

/** For somebody who has just come in: until when the session is good. Anybody can write it, so it decides about words alone. */
export function firstUntilMs({ query }: FastifyRequest): number | undefined {
  const text = textIn(query, FIRST)
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

const FIRST = 'first'

/** A parameter that is a text; empty when it is missing or was given twice. */
export function textIn(given: unknown, name: string): string {
  if (typeof given !== 'object' || given === null) return ''
  const value: unknown = Reflect.get(given, name)
  return typeof value === 'string' ? value : ''
}
