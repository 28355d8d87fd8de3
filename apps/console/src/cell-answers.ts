import {
  AttentionSchema,
  FoundPaymentListSchema,
  type ReadItem,
  SystemHealthSchema,
} from '@tollgate/contract'
import type { OperatorPermission } from '@tollgate/contract/words'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CellHealth, CellPayment, PaymentsAnswer, WaitingAnswer } from './cell-words.ts'
import type { Cells } from './cells.ts'
import { amountText, dayText, momentText, timeText, wordsOf } from './format.ts'
import { ApiAway, ApiRefusal } from './operator-api.ts'
import { waitingWords } from './screens/attention.ts'
import { cellHealth } from './screens/health.ts'
import { ownMerchantOf } from './screens/member-parts.ts'
import { paymentQuery, requireAmounts } from './screens/payment-filters.ts'
import { kindWords, statusLook } from './status.ts'
import { type Deps, enter, Powerless, type Visit } from './visit.ts'

// What the pages of all cells' consoles ask this one: about its own cell alone, in the name of the session that the browser has
// here. The browser puts the cells together, so that no server has to hold the session of another cell.

/** Payments of one answer. */
const LIMIT = '50'

interface Question {
  readonly path: string
  readonly permission: OperatorPermission
  readonly answer: (visit: Visit, cells: Cells) => Promise<PaymentsAnswer | WaitingAnswer>
}

const QUESTIONS: readonly Question[] = [
  { path: '/cells/answer/payments', permission: 'payouts.read', answer: payments },
  { path: '/cells/answer/waiting', permission: 'self.read', answer: waiting },
]

/** Reading routes for the script of "All cells". Every answer is JSON, also a refusal. Without cells there are none. */
export function cellAnswerRoutes(app: FastifyInstance, deps: Deps): void {
  const { cells } = deps
  if (cells === undefined) return
  for (const question of QUESTIONS)
    app.get(question.path, async (request, reply) => {
      if (!mayAsk(request, cells)) return refuse(reply, 403, 'This origin is not the console of a cell.')
      allowOrigin(request, reply)
      try {
        return await answer({ deps, cells }, question, { request, reply })
      } catch (error) {
        return refuseFor(deps, reply, error)
      }
    })
}

/**
 * A page that asks from elsewhere names its origin, and gets nothing unless it is the console of a cell. Our own page names none;
 * what neither names one nor is ours is an element of another site.
 */
function mayAsk({ headers }: FastifyRequest, { all }: Cells): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers
  return origin === undefined ? site === 'same-origin' : all.some((cell) => cell.origin === origin)
}

/** The origin is one that may ask. */
function allowOrigin({ headers }: FastifyRequest, reply: FastifyReply): void {
  void reply.header('vary', 'Origin')
  if (headers.origin === undefined) return
  void reply.headers({
    'access-control-allow-origin': headers.origin,
    'access-control-allow-credentials': 'true',
  })
}

async function answer(
  { deps, cells }: { readonly deps: Deps; readonly cells: Cells },
  { permission, answer: read }: Question,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const visit = await enter(deps, { request, reply })
  if (visit === undefined) return refuse(reply, 401, 'You are not signed in.')
  if (!visit.may(permission) || ownMerchantOf(visit) !== undefined)
    return refuse(reply, 403, `Your roles do not permit this: it needs ${permission}.`)
  return reply.send(await read(visit, cells))
}

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).header('vary', 'Origin').send({ message })

function refuseFor({ log }: Deps, reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof ApiRefusal) return refuse(reply, error.status, error.message)
  if (error instanceof Powerless) return refuse(reply, 403, error.message)
  if (error instanceof ApiAway) return refuse(reply, 503, 'The operator API does not answer.')
  log.error({ err: error }, 'a request failed')
  return refuse(reply, 500, 'Something failed. The log of the console says why.')
}

/** The same filters as on the screen of payments, and pages by the operator API's own cursor. */
async function payments({ api, query, nowMs }: Visit, { own, all }: Cells): Promise<PaymentsAnswer> {
  const others = all.filter((cell) => cell !== own).map(({ letter }) => letter)
  const asked = paymentQuery(query, nowMs)
  requireAmounts(asked)
  const { data, nextCursor } = await api.get('/operator/payments', FoundPaymentListSchema, {
    ...asked,
    // A cell that was split and the one that came of it both have the payments of before.
    withoutCells: others.join(','),
    cursor: query.get('cursor') ?? undefined,
    limit: LIMIT,
  })
  return { cell: own.letter, data: data.map(paymentWords), nextCursor }
}

function paymentWords(found: ReadItem<typeof FoundPaymentListSchema>): CellPayment {
  const { kind, merchantCode, idPayment, money, createdAt, reference } = found
  const [tone, icon, status] = statusLook(found.status, found.processorStatus)
  return {
    kind,
    merchantCode,
    idPayment,
    createdAt,
    amount: amountText(money),
    currencyCode: money.currencyCode,
    tone,
    icon,
    status,
    kindWords: kindWords(kind),
    method: wordsOf(found.paymentMethodCode),
    reference,
    moment: momentText(createdAt),
    day: `${dayText(createdAt)} ${timeText(createdAt).slice(0, 5)}`,
  }
}

async function waiting(visit: Visit, { own }: Cells): Promise<WaitingAnswer> {
  const [{ data }, health] = await Promise.all([
    visit.api.get('/operator/attention', AttentionSchema),
    healthOf(visit, own.letter),
  ])
  return { cell: own.letter, health, data: data.map((each) => waitingWords(each, visit.nowMs)) }
}

async function healthOf({ api, may }: Visit, letter: string): Promise<CellHealth> {
  if (!may('health.read')) return 'HIDDEN'
  return cellHealth(await api.get('/operator/health', SystemHealthSchema), letter)
}
