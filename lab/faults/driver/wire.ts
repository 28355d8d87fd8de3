import { createGateway, type RawResponse } from '@tollgate/sdk'
import { at } from '@tollgate/testkit'
import type { Call, Money } from '../check/facts.ts'
import type { Ended, History } from './history.ts'
import type { Plan } from './plans.ts'

/** A process of the API that can be asked. */
interface Api {
  readonly number: number
  readonly port: number
}

interface WireDeps {
  readonly history: History
  readonly apis: readonly [Api, ...Api[]]
  /** The token of a merchant. */
  readonly tokenOf: (merchantCode: string) => string
}

interface Asked {
  readonly plan: Plan
  readonly client: number
  readonly api: number
}

/** What came of a request; `body` is undefined where no answer came. */
export interface Answered {
  readonly outcome: Call['outcome']
  readonly httpStatus: number | undefined
  readonly body: unknown
}

/** Requests of merchants, each written down before it leaves and when it has ended. */
export interface Wire {
  readonly apiCount: number
  create(asked: Asked): Promise<Answered>
  read(asked: Asked): Promise<Answered>
}

/** After that a request counts as unanswered. */
const TIMEOUT_MS = 5_000

export function createWire({ history, apis, tokenOf }: WireDeps): Wire {
  const gateways = apis.map(({ port }) =>
    createGateway({
      baseUrl: `http://127.0.0.1:${port}`,
      merchantCode: '',
      timeoutMs: TIMEOUT_MS,
      retries: 0,
    }),
  )

  async function ask(asked: Asked, operation: Call['operation']): Promise<Answered> {
    const { plan, client, api } = asked
    const isCreate = operation === 'CREATE'
    const call = history.begin({
      name: plan.name,
      operation,
      client,
      api: apis[api]?.number ?? 0,
      money: isCreate ? plan.money : undefined,
    })
    const answer = await gateways[api]
      ?.request({
        method: isCreate ? 'POST' : 'GET',
        path: plan.path,
        token: tokenOf(plan.name.merchantCode),
        ...(isCreate && { body: plan.body }),
      })
      .catch(() => undefined)
    const ended = isCreate ? endOfCreate(answer) : endOfRead(answer)
    history.end(call, ended)
    return { outcome: ended.outcome, httpStatus: ended.httpStatus, body: answer?.body }
  }

  return {
    apiCount: apis.length,
    create: (asked) => ask(asked, 'CREATE'),
    read: (asked) => ask(asked, 'READ'),
  }
}

const SERVER_FAULT = 500
const UNANSWERED = { outcome: 'unknown', httpStatus: undefined, status: undefined } as const

/** 409 says that the id is taken: by us, since nobody else has these ids. */
function endOfCreate(answer: RawResponse | undefined): Ended {
  if (answer === undefined) return UNANSWERED
  const { status: httpStatus } = answer
  if (httpStatus === 201 || httpStatus === 409) return { outcome: 'ok', httpStatus, status: undefined }
  return { outcome: httpStatus >= SERVER_FAULT ? 'unknown' : 'fail', httpStatus, status: undefined }
}

function endOfRead(answer: RawResponse | undefined): Ended {
  if (answer === undefined) return UNANSWERED
  const { status: httpStatus, body } = answer
  if (httpStatus === 200) {
    const status = String(at(body, 'process', 'status'))
    return { outcome: 'ok', httpStatus, status, money: moneyIn(body) }
  }
  return { outcome: httpStatus >= SERVER_FAULT ? 'unknown' : 'fail', httpStatus, status: undefined }
}

function moneyIn(body: unknown): Money | undefined {
  const money = ['paymentRequested', 'topUpRequested', 'refundRequested']
    .map((requested) => at(body, requested, 'money'))
    .find((found) => found !== undefined)
  const [amount, currencyCode] = [at(money, 'amount'), at(money, 'currencyCode')]
  return typeof amount === 'string' && typeof currencyCode === 'string' ? { amount, currencyCode } : undefined
}
