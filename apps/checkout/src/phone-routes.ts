import type { FastifyInstance, FastifyReply } from 'fastify'
import { openTicket, ticketFor } from './handover.ts'
import { arrive, openVisit, textIn } from './opening.ts'
import { qrImage } from './qr.ts'
import { type Exchange, showTrouble } from './sending.ts'
import type { Mode } from './sessions.ts'
import { type Deps, PATHS } from './visit.ts'

/** Where a link to another device begins. */
const HANDOVER_PATH = '/h'
const IMAGE = 'phone.svg'

/** The image of the code for another device, at the page of a payment. */
export const phoneCodePath = (base: string): string => `${base}/${IMAGE}`

/** From a computer to a phone: the code to scan, made anew each time it is looked at, and the link in it. */
export function phoneRoutes(app: FastifyInstance, deps: Deps): void {
  for (const mode of ['PAY', 'STATUS'] as const)
    app.get(`${PATHS[mode]}/:place/${IMAGE}`, (request, reply) => showCode(deps, mode, { request, reply }))
  app.get(`${HANDOVER_PATH}/*`, (request, reply) => {
    const handed = openTicket(deps.sessions, textIn(request.params, '*'), deps.clock.nowMs())
    // Nothing of a payment is known here, so nothing of one is shown.
    if (handed === undefined) return showTrouble(deps, { request, reply }, { kind: 'CODE_OVER' })
    const { mode, session } = handed
    const place = deps.sessions.placeOf(mode, session.merchantCode, session.idPayin)
    return arrive(deps, reply, { mode, place, session })
  })
}

function showCode(deps: Deps, mode: Mode, { request, reply }: Exchange): FastifyReply {
  const visit = openVisit(deps, mode, request)
  const ticket = visit && ticketFor(deps.sessions, visit, deps.clock.nowMs())
  const image = ticket && qrImage(`${deps.publicUrl}${HANDOVER_PATH}/${ticket}`)
  if (image === undefined) return reply.code(404).type('text/plain; charset=utf-8').send('')
  return reply.type('image/svg+xml').send(image)
}
