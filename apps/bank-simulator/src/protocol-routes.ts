import { setTimeout as sleep } from 'node:timers/promises'
import {
  PROTOCOL_BODY_BYTES_MAX,
  type ProtocolKeys,
  readHandOver,
  signAnswer,
  verifyRequest,
} from '@tollgate/rail-protocol'
import type { WallClock } from '@tollgate/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bank } from './bank.ts'
import { type Payment, stateOf } from './books.ts'
import { delayMsOf, type MoodSetting } from './moods.ts'

interface ProtocolDeps {
  readonly bank: Bank
  readonly keyId: string
  readonly keys: ProtocolKeys
  readonly clock: WallClock
  /** Aborted when the simulator ends: nobody is kept waiting then. */
  readonly ending: AbortSignal
}

interface Answer {
  readonly status: number
  readonly body: object
  /** Nobody answers at all. */
  readonly isLost?: boolean
}

/** A request that proved to come from the gateway. */
interface Asked {
  readonly reference: string
  readonly body: Uint8Array
}

const REFERENCE_PATTERN = /^[A-Za-z0-9_-]{1,64}$/
/** How long a request that nobody answers is held open. */
const LOST_MS = 120_000
const NO_BODY = new Uint8Array(0)

/** The open rail protocol: what the gateway asks of the institution. Every answer to a proven request is signed. */
export function protocolRoutes(app: FastifyInstance, deps: ProtocolDeps): void {
  void app.register((scope, _options, done) => {
    // The signature is over the bytes, so nothing parses them before.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: PROTOCOL_BODY_BYTES_MAX },
      (_request, body, next) => next(null, body),
    )
    const route = (method: 'PUT' | 'GET' | 'POST', url: string, work: Work): void => {
      scope.route({ method, url, handler: (request, reply) => serve(deps, { request, reply, work }) })
    }
    route('PUT', '/payments/:reference', handOver)
    route('GET', '/payments/:reference', (bank, { reference }) => known(bank.find(reference)))
    route('POST', '/payments/:reference/cancel', (bank, { reference }) => {
      const wish = bank.cancel(reference)
      return known(wish.kind === 'UNKNOWN' ? undefined : wish.payment)
    })
    done()
  })
}

type Work = (bank: Bank, asked: Asked, mood: MoodSetting) => Answer

interface Serving {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly work: Work
}

async function serve(deps: ProtocolDeps, { request, reply, work }: Serving): Promise<unknown> {
  const { bank, keys, keyId, clock, ending } = deps
  const body = request.body instanceof Uint8Array ? request.body : NO_BODY
  const { method, headers } = request
  const path = request.raw.url ?? ''
  const verdict = verifyRequest(keys.gateway, { keyId, method, path, body, headers, nowMs: clock.nowMs() })
  if (!verdict.ok) return reply.code(401).send(problem('SIGNATURE_INVALID', `${verdict.why}.`))
  const reference = referenceOf(request)
  if (reference === undefined)
    return sign(deps, reply, verdict.signature, refusal(404, 'NOT_FOUND', 'No reference has this form.'))
  const mood = bank.meet(reference)
  // As from a balancer in front of a bank that is gone: nobody is there to sign.
  if (mood.mood === 'DOWN') return reply.code(503).send(problem('DOWN', 'The bank is down.'))
  const answer = work(bank, { reference, body }, mood)
  await bank.settled()
  if (answer.isLost === true) return lose(reply)
  if (mood.mood === 'SLOW') await sleep(delayMsOf(mood), undefined, { signal: ending }).catch(() => undefined)
  return sign(deps, reply, verdict.signature, answer)
}

function referenceOf({ params }: FastifyRequest): string | undefined {
  if (typeof params !== 'object' || params === null || !('reference' in params)) return undefined
  const { reference } = params
  return typeof reference === 'string' && REFERENCE_PATTERN.test(reference) ? reference : undefined
}

/** Keeps the connection open without a word. */
function lose(reply: FastifyReply): FastifyReply {
  const socket = reply.raw.socket
  const timer = setTimeout(() => socket?.destroy(), LOST_MS)
  socket?.once('close', () => clearTimeout(timer))
  return reply.hijack()
}

function sign(
  deps: ProtocolDeps,
  reply: FastifyReply,
  requestSignature: string,
  answer: Answer,
): FastifyReply {
  const body = JSON.stringify(answer.body)
  const { status } = answer
  const timestampSeconds = Math.floor(deps.clock.nowMs() / 1000)
  const headers = signAnswer(deps.keys.institution, { status, requestSignature, timestampSeconds, body })
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}

function handOver(bank: Bank, { reference, body }: Asked, mood: MoodSetting): Answer {
  const reading = readHandOver(body)
  if (!reading.ok) return refusal(400, 'REQUEST_INVALID', sentence(reading.why))
  if (reading.message.reference !== reference)
    return refusal(400, 'REQUEST_INVALID', 'The reference of the body is not the one of the path.')
  const outcome = bank.handOver(reading.message)
  switch (outcome.kind) {
    case 'INVALID':
      return refusal(400, 'REQUEST_INVALID', sentence(outcome.why))
    case 'CONFLICT':
      return refusal(409, 'CONFLICT', 'The reference is known with other content.')
    case 'KNOWN':
      return { status: 200, body: stateOf(outcome.payment) }
    case 'NEW':
      return {
        status: 201,
        body: stateOf(outcome.payment),
        isLost: mood.mood === 'TIMEOUT_AFTER_EXECUTING',
      }
  }
}

const MESSAGE_LENGTH_MAX = 250
const sentence = (why: string): string => `${why.slice(0, MESSAGE_LENGTH_MAX - 1)}.`

function known(payment: Payment | undefined): Answer {
  if (payment === undefined) return refusal(404, 'NOT_FOUND', 'The bank does not know this reference.')
  return { status: 200, body: stateOf(payment) }
}

const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  body: problem(code, message),
})

const problem = (code: string, message: string): object => ({ code, message })
