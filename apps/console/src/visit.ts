import { OperatorSelfSchema, type Read } from '@tollgate/contract'
import type { OperatorPermission } from '@tollgate/contract/words'
import type { Log, WallClock } from '@tollgate/runtime'
import { type Html, html } from '@tollgate/runtime/html'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Assets } from './assets/index.ts'
import { documentOf, type Page, type Viewer } from './frame.ts'
import type { LedgerWatch } from './ledger-watch.ts'
import { ApiAway, ApiRefusal, type OperatorApi } from './operator-api.ts'
import { type Cookies, formTokenOf, isFormToken } from './session.ts'
import { awayPage, forbiddenPage, formTokenPage } from './trouble.ts'

// How a screen is asked for: who is there, what they may, and what becomes of a form.

/** What the routes share. */
export interface Deps {
  readonly apiFor: (bearer: string) => OperatorApi
  readonly cookies: Cookies
  readonly assets: Assets
  readonly isLive: boolean
  readonly publicUrl: string
  readonly clock: WallClock
  readonly log: Log
  /** When the books were checked last. */
  readonly ledger: LedgerWatch
}

type Self = Read<typeof OperatorSelfSchema>

/** One request of somebody who is signed in. */
export interface Visit {
  readonly api: OperatorApi
  readonly me: Self
  readonly query: URLSearchParams
  /** What the address names, by the route's names. */
  name(name: string): string
  /** The address of the screen, without its query. */
  readonly path: string
  /** The query as it stands in the address, to be kept by what is sent from the screen. */
  readonly search: string
  may(permission: OperatorPermission): boolean
  /** The hidden field that every form of the screen needs. */
  readonly formToken: Html
  readonly nowMs: number
  /** Of a form that was refused: what was typed, and why. */
  readonly refused?: { readonly form: URLSearchParams; readonly error: ApiRefusal }
}

/** A screen and what can be sent from it. */
export interface Screen {
  readonly path: string
  readonly permission: OperatorPermission
  show(visit: Visit): Promise<Page>
  /** By the last part of their addresses. */
  readonly acts?: Readonly<Record<string, Act>>
}

/** Something that is done by a press. */
export interface Act {
  readonly permission: OperatorPermission
  /** Gives the word of what was done, which the screen then says, or a screen that is shown at once. */
  perform(visit: Visit, form: URLSearchParams): Promise<string | Page>
  /** Where a form may carry a document. */
  readonly formBytesMax?: number
}

/** The query's name for what was just done. */
const DONE = 'done'

export function screenRoutes(app: FastifyInstance, deps: Deps, screens: readonly Screen[]): void {
  for (const screen of screens) {
    const below = screen.path === '/' ? '' : screen.path
    app.get(screen.path, (request, reply) => showScreen(deps, { request, reply }, screen))
    for (const [verb, act] of Object.entries(screen.acts ?? {}))
      app.post(
        `${below}/${verb}`,
        act.formBytesMax === undefined ? {} : { bodyLimit: act.formBytesMax },
        (request, reply) => perform(deps, { request, reply }, { screen, act, verb }),
      )
  }
}

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function showScreen(deps: Deps, exchange: Exchange, screen: Screen): Promise<FastifyReply> {
  const visit = await enter(deps, exchange)
  if (visit === undefined) return toSignIn(deps, exchange)
  if (!visit.may(screen.permission)) return sendPage(deps, exchange, forbiddenPage(screen.permission), visit)
  return sendPage(deps, exchange, await screen.show(visit), visit)
}

interface Press {
  readonly screen: Screen
  readonly act: Act
  readonly verb: string
}

async function perform(deps: Deps, exchange: Exchange, press: Press): Promise<FastifyReply> {
  const { request, reply } = exchange
  const form = formOf(request)
  const secret = deps.cookies.read(request.headers.cookie)
  if (secret === undefined) return toSignIn(deps, exchange)
  const path = pathOf(request).slice(0, -press.verb.length - 1) || '/'
  if (!isFormToken(secret, form.get('formToken') ?? ''))
    return sendPage(deps, exchange, formTokenPage(path), undefined)
  try {
    const visit = { ...(await visitOf(deps, exchange, secret)), path }
    if (!visit.may(press.act.permission))
      return await sendPage(deps, exchange, forbiddenPage(press.act.permission), visit)
    return await performed(deps, exchange, { ...press, visit, form })
  } catch (error) {
    if (!(error instanceof ApiAway)) throw error
    // What was typed is kept, and sent again by a press.
    const action = `${pathOf(request)}${searchIn(request)}`
    const again = { form, action, formToken: hiddenToken(secret) }
    return send(reply, documentOf(awayPage({ again }), deps, undefined), 503)
  }
}

async function performed(
  deps: Deps,
  exchange: Exchange,
  { screen, act, visit, form }: Press & { readonly visit: Visit; readonly form: URLSearchParams },
): Promise<FastifyReply> {
  try {
    const done = await act.perform(visit, form)
    if (typeof done !== 'string') return await sendPage(deps, exchange, done, visit)
    const query = new URLSearchParams(visit.query)
    query.set(DONE, done)
    return await exchange.reply.redirect(`${visit.path}?${query.toString()}`, 303)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status === 401) throw error
    const page = await screen.show({ ...visit, refused: { form, error } })
    return sendPage(deps, exchange, { ...page, status: error.status }, visit)
  }
}

/** Who asks, by their session; undefined where there is none. The operator API says whether it is still one. */
export async function enter(deps: Deps, exchange: Exchange): Promise<Visit | undefined> {
  const secret = deps.cookies.read(exchange.request.headers.cookie)
  return secret === undefined ? undefined : visitOf(deps, exchange, secret)
}

async function visitOf(deps: Deps, { request }: Exchange, secret: string): Promise<Visit> {
  const api = deps.apiFor(secret)
  const me = await api.get('/operator/me', OperatorSelfSchema)
  return {
    api,
    me,
    query: queryOf(request),
    name: (name) => textIn(request.params, name),
    path: pathOf(request),
    search: searchIn(request),
    may: (permission) => me.permissions.includes(permission),
    formToken: hiddenToken(secret),
    nowMs: deps.clock.nowMs(),
  }
}

const hiddenToken = (secret: string): Html =>
  html`<input type="hidden" name="formToken" value="${formTokenOf(secret)}">`

export function queryOf(request: FastifyRequest): URLSearchParams {
  const query = new URLSearchParams(request.url.split('?', 2)[1] ?? '')
  // A second value of a name is nobody's filter.
  return new URLSearchParams(Object.fromEntries([...query].reverse()))
}

function searchIn(request: FastifyRequest): string {
  const query = queryOf(request)
  query.delete(DONE)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/'

export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

function textIn(params: unknown, name: string): string {
  const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  return typeof value === 'string' ? value : ''
}

/** The screen of signing in, which leads back to where somebody wanted to go. */
export function toSignIn(deps: Deps, { request, reply }: Exchange): FastifyReply {
  const wanted = request.method === 'GET' ? request.url : '/'
  const next = wanted === '/' ? '' : `?${new URLSearchParams({ next: wanted }).toString()}`
  return reply.header('set-cookie', deps.cookies.clear()).redirect(`/sign-in${next}`, 303)
}

export async function sendPage(
  deps: Deps,
  { reply }: Exchange,
  page: Page,
  visit: Visit | undefined,
): Promise<FastifyReply> {
  const viewer = visit && (await viewerOf(deps, visit))
  return send(reply, documentOf(page, deps, viewer), page.status)
}

async function viewerOf(
  { ledger }: Deps,
  { me, api, may, formToken, path, query, nowMs }: Visit,
): Promise<Viewer> {
  return {
    ...{ ...me, formToken, searched: path === '/search' ? (query.get('q') ?? '') : '' },
    ledgerCheck: may('health.read') ? await ledger.lastCheck(api, nowMs) : undefined,
  }
}

export const send = (reply: FastifyReply, document: Html, status = 200): FastifyReply =>
  reply.code(status).type('text/html; charset=utf-8').send(document.text)
