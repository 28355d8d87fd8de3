import { createHash, timingSafeEqual } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { HandOverRequestSchema } from '@tollgate/rail-protocol'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import { Type } from 'typebox'
import type { Bank, Wish } from './bank.ts'
import { type Books, moodOf, type Payment, stateOf } from './books.ts'
import { MoodSettingSchema } from './moods.ts'

interface AdminDeps {
  readonly bank: Bank
  readonly books: Books
  readonly adminKey: string
}

type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

const Target = Type.Object({ reference: HandOverRequestSchema.properties.reference })
const LISTED_MAX = 1000
const LISTED_DEFAULT = 100
const ListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: LISTED_MAX, default: LISTED_DEFAULT }),
})

/** Scripting the bank: its moods, the customers' choices, and its truth. All of it asks for the key. */
export function adminRoutes(app: FastifyInstance, deps: AdminDeps): void {
  void app.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, reply, next) => {
        if (isKey(request.headers.authorization, deps.adminKey)) next()
        else
          void reply
            .code(401)
            .header('www-authenticate', 'Bearer')
            .send(problem('KEY_INVALID', 'The admin key is missing or wrong.'))
      })
      const typed = scope.withTypeProvider<TypeBoxTypeProvider>()
      moodRoutes(typed, deps)
      paymentRoutes(typed, deps)
      truthRoutes(typed, deps)
      done()
    },
    { prefix: '/admin' },
  )
}

/** Compared by digests, which have one length whatever was sent. */
function isKey(header: string | undefined, adminKey: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${adminKey}`))
}

function moodRoutes(app: App, { bank, books }: AdminDeps): void {
  app.get('/mood', () => books.mood)
  app.put('/mood', { schema: { body: MoodSettingSchema } }, async ({ body }) => {
    bank.setMood(body)
    await bank.settled()
    return books.mood
  })
  app.put(
    '/payments/:reference/mood',
    { schema: { params: Target, body: MoodSettingSchema } },
    async ({ params: { reference }, body }, reply) => {
      if (body.every !== undefined)
        return reply.code(400).send(problem('REQUEST_INVALID', '`every` is for the whole bank.'))
      bank.setMood(body, reference)
      await bank.settled()
      return moodOf(books, reference)
    },
  )
}

function paymentRoutes(app: App, { bank, books }: AdminDeps): void {
  app.get('/payments', { schema: { querystring: ListQuery } }, async ({ query: { limit } }) => {
    await bank.settled()
    const newestFirst = [...books.payments.values()].reverse().slice(0, limit)
    return { data: newestFirst.map((payment) => describePayment(books, payment)) }
  })
  app.get(
    '/payments/:reference',
    { schema: { params: Target } },
    async ({ params: { reference } }, reply) => {
      const payment = bank.find(reference)
      if (payment === undefined) return missing(reply)
      await bank.settled()
      return describePayment(books, payment)
    },
  )
  const act = (name: string, work: (reference: string) => Wish): void => {
    app.post(`/payments/:reference/${name}`, { schema: { params: Target } }, async ({ params }, reply) => {
      const wish = work(params.reference)
      await bank.settled()
      if (wish.kind === 'UNKNOWN') return missing(reply)
      if (wish.kind === 'DONE') return describePayment(books, wish.payment)
      return reply.code(409).send(problem('CONFLICT', `The payment is ${wish.payment.status}.`))
    })
  }
  act('approve', (reference) => bank.force(reference, 'APPROVED'))
  act('decline', (reference) => bank.force(reference, 'DECLINED'))
  act('bounce', (reference) => bank.bounce(reference))
}

/** The bank's truth: every movement of money, one JSON line each, in their order. */
function truthRoutes(app: App, { bank, books }: AdminDeps): void {
  app.get('/log', async (_request, reply) => {
    await bank.settled()
    const lines = books.movements.map((movement) => `${JSON.stringify(movement)}\n`)
    return reply.type('application/x-ndjson; charset=utf-8').send(lines.join(''))
  })
}

/** A payment with what the gateway is not told. */
function describePayment(books: Books, payment: Payment): object {
  const { reference } = payment.request
  return {
    ...stateOf(payment),
    mood: payment.mood,
    plan: payment.plan ?? null,
    choice: payment.choice ?? null,
    expireAt: payment.request.expireAt ?? null,
    notificationsOwed: books.owed.get(reference)?.length ?? 0,
  }
}

function missing(reply: FastifyReply): FastifyReply {
  return reply.code(404).send(problem('NOT_FOUND', 'The bank does not know this reference.'))
}

const problem = (code: string, message: string): object => ({ code, message })
