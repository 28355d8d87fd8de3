import { setTimeout as delay } from 'node:timers/promises'
import { BasicErrorSchema, type Read, RejectionSchema } from '@tollgate/contract'
import type { TSchema } from 'typebox'
import type { ApiResult } from './metrics.ts'
import { readerOf } from './wire.ts'

/** The operator API did not answer, or not in time. Whether it did what was asked is not known. */
export class ApiAway extends Error {
  override readonly name = 'ApiAway'
}

/** What the operator API refuses, in its own words. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  /** What is wrong, one by one. */
  readonly faults: readonly string[]

  constructor(
    status: number,
    said: Partial<Pick<BasicError, 'code' | 'message' | 'requestId' | 'violations'>>,
  ) {
    super(said.message ?? `The operator API answered ${status}.`)
    this.status = status
    this.code = said.code ?? String(status)
    this.requestId = said.requestId
    this.faults = (said.violations ?? []).map(({ message }) => message)
  }
}

/** A request that needs a fresh touch of the passkey that the session was made with. Nothing was done. */
export interface Touchable {
  readonly method: string
  /** Without query. */
  readonly path: string
}

/** No ApiRefusal, so that a screen that handles those lets it pass: the console asks for the touch and does the act again. */
export class TouchNeeded extends Error {
  override readonly name = 'TouchNeeded'
  readonly request: Touchable

  constructor(request: Touchable) {
    super(`${request.method} ${request.path} needs a fresh touch`)
    this.request = request
  }
}

/** What a touch gave: a secret for one request, once. */
export interface Touch extends Touchable {
  readonly secret: string
}

/** What goes along with a session. */
export interface WithBearer {
  readonly touch?: Touch | undefined
  /** Nobody asked for it just now: it is no use of the session. */
  readonly isUnattended?: true
}

type BasicError = Read<typeof BasicErrorSchema>

export type Query = Readonly<Record<string, string | undefined>>

/** The operator API as one operator sees it. Throws ApiAway, ApiRefusal and TouchNeeded. */
export interface OperatorApi {
  get<Schema extends TSchema>(path: string, schema: Schema, query?: Query): Promise<Read<Schema>>
  post<Schema extends TSchema>(
    path: string,
    schema: Schema,
    asked?: { readonly body?: unknown; readonly query?: Query; readonly isLong?: true },
  ): Promise<Read<Schema>>
  put<Schema extends TSchema>(
    path: string,
    schema: Schema,
    asked: { readonly body?: unknown; readonly file?: Uint8Array<ArrayBuffer>; readonly query?: Query },
  ): Promise<Read<Schema>>
  remove<Schema extends TSchema>(path: string, schema: Schema): Promise<Read<Schema>>
  /** A removal that is answered without content. */
  clear(path: string): Promise<void>
  /** A file as the body; it may take minutes until it is answered. */
  upload<Schema extends TSchema>(
    path: string,
    schema: Schema,
    asked: { readonly file: Uint8Array<ArrayBuffer>; readonly query: Query },
  ): Promise<Read<Schema>>
  /** An answer that is passed on as it comes. */
  stream(path: string, query: Query): Promise<Response>
}

/** A path with what it names, escaped: pathOf`/operator/merchants/${code}`. */
export function pathOf(texts: TemplateStringsArray, ...names: readonly string[]): string {
  return texts.reduce((path, text, index) => `${path}${encodeURIComponent(names[index - 1] ?? '')}${text}`)
}

const API_VERSION = '2'
const TIMEOUT_MS = 10_000
const LONG_TIMEOUT_MS = 300_000
/** A screen asks several things at once, and an operator may ask so many a second. */
const BUSY_TRIES = 3
const BUSY_PAUSE_MS = 400

interface Asked {
  readonly method: string
  readonly path: string
  readonly query?: Query | undefined
  readonly body?: unknown
  readonly file?: Uint8Array<ArrayBuffer>
  /** The answer may take minutes. */
  readonly isLong?: true | undefined
}

interface ApiOptions {
  readonly apiUrl: string
  /** Of whom the console asks for, as far as it is known: limits of the operator API are theirs, and not the console's. */
  readonly visitorAddress: string
  readonly timeoutMs?: number
  /** Told of each request. */
  readonly note?: ((result: ApiResult) => void) | undefined
}

/**
 * The API with what proves who asks: a session, the key that opens one, or an invitation; without it, for signing in by passkey.
 * A touch goes along with the request that it is for, and with no other.
 */
export function createOperatorApi(
  { apiUrl, visitorAddress, timeoutMs = TIMEOUT_MS, note = () => undefined }: ApiOptions,
  bearer?: string,
  { touch, isUnattended }: WithBearer = {},
): OperatorApi {
  const wire: Wire = {
    apiUrl,
    visitorAddress,
    timeoutMs,
    bearer,
    touch,
    isUnattended: isUnattended === true,
    note,
  }
  const send = (asked: Asked): Promise<Response> => exchange(wire, asked)
  const read = async <Schema extends TSchema>(asked: Asked, schema: Schema): Promise<Read<Schema>> => {
    const response = await send(asked)
    const record = readerOf(schema)(await textOf(response))
    if (record === undefined) throw new Error(`${asked.method} ${asked.path}: an answer of another shape`)
    return record
  }
  return {
    get: (path, schema, query) => read({ method: 'GET', path, query }, schema),
    post: (path, schema, { body, query, isLong } = {}) =>
      read({ method: 'POST', path, query, body, isLong }, schema),
    put: (path, schema, asked) => read({ method: 'PUT', path, ...asked }, schema),
    remove: (path, schema) => read({ method: 'DELETE', path }, schema),
    clear: async (path) => {
      await textOf(await send({ method: 'DELETE', path }))
    },
    upload: (path, schema, { file, query }) =>
      read({ method: 'POST', path, query, file, isLong: true }, schema),
    stream: (path, query) => send({ method: 'GET', path, query, isLong: true }),
  }
}

interface Wire {
  readonly apiUrl: string
  readonly visitorAddress: string
  readonly timeoutMs: number
  readonly bearer: string | undefined
  readonly touch: Touch | undefined
  readonly isUnattended: boolean
  readonly note: (result: ApiResult) => void
}

/**
 * What is too much is refused before anything is done, so a session sends it again. What proves who somebody is goes once: wrong
 * ones are counted.
 */
async function exchange(wire: Wire, asked: Asked): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await ask(wire, asked)
    if (response.ok) return response
    const isAgain = response.status === 429 && isSession(wire) && attempt < BUSY_TRIES
    if (!isAgain) throw refusalOf(response.status, await textOf(response), touchable(wire, asked))
    await delay(BUSY_PAUSE_MS * attempt)
  }
}

const isSession = ({ bearer = '' }: Wire): boolean => bearer.startsWith('tgos_')

/** As the operator API reads it. */
const touchable = ({ apiUrl }: Wire, { method, path }: Asked): Touchable => ({
  method,
  path: new URL(apiUrl + path).pathname,
})

function touchOf(wire: Wire, asked: Asked): string | undefined {
  const { touch } = wire
  const { method, path } = touchable(wire, asked)
  return touch?.method === method && touch.path === path ? touch.secret : undefined
}

const resultOf = ({ status }: Response): ApiResult => (status < 500 ? 'ANSWERED' : 'AWAY')

async function ask(wire: Wire, asked: Asked): Promise<Response> {
  const { apiUrl, timeoutMs, bearer } = wire
  const { method, path, query, body, file, isLong } = asked
  const touch = touchOf(wire, asked)
  try {
    const response = await fetch(`${apiUrl}${path}${searchOf(query)}`, {
      method,
      headers: {
        'x-api-version': API_VERSION,
        'x-forwarded-for': wire.visitorAddress,
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(touch !== undefined && { 'x-step-up': touch }),
        ...(wire.isUnattended && { 'x-unattended': '1' }),
        ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(file !== undefined && { body: file }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(isLong ? LONG_TIMEOUT_MS : timeoutMs),
    })
    wire.note(resultOf(response))
    return response
  } catch (error) {
    wire.note('AWAY')
    throw new ApiAway('the operator API does not answer', { cause: error })
  }
}

async function textOf(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw new ApiAway('the operator API broke off', { cause: error })
  }
}

/** An amount for a body, with every digit that was typed; what is no number is left for the API to refuse. */
export function numberOf(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  return /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,39})?$/.test(text) ? JSON.rawJSON(text) : text
}

/** A query as it stands in an address, with its question mark; what is undefined is left out. */
export function searchOf(query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, value]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

function refusalOf(status: number, text: string, request: Touchable): Error {
  const reasons = status === 406 ? readerOf(RejectionSchema)(text) : undefined
  if (reasons !== undefined)
    return new ApiRefusal(status, {
      code: reasons[0]?.code ?? '406',
      message: reasons.map(({ message }) => message).join(' '),
    })
  const said = readerOf(BasicErrorSchema)(text)
  return said?.code === 'STEP_UP_REQUIRED' ? new TouchNeeded(request) : errorOf(status, said)
}

function errorOf(status: number, said: BasicError | undefined): Error {
  // Without words of its own it is what stands before the API that answers.
  if (said === undefined)
    return status >= 500
      ? new ApiAway(`something before the operator API: ${status}`)
      : new ApiRefusal(status, {})
  if (said.code === 'SYSTEM') return new ApiAway(said.message)
  const fields = (said.violations ?? []).map((violation) => `${violation.field}: ${violation.message}`)
  const message = [said.message, ...fields.filter((each) => !said.message.includes(each))].join(' ')
  return new ApiRefusal(status, { ...said, message })
}
