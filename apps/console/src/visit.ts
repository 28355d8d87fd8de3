import { OperatorSelfSchema, type Read } from '@tollgate/contract'
import type { OperatorPermission } from '@tollgate/contract/words'
import { allowAsking } from '@tollgate/page-server'
import type { Log, WallClock } from '@tollgate/runtime'
import { type Html, html } from '@tollgate/runtime/html'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Assets } from './assets/index.ts'
import type { Cells } from './cells.ts'
import { documentOf, type Page, type Viewer } from './frame.ts'
import type { LedgerWatch } from './ledger-watch.ts'
import { ApiAway, ApiRefusal, type OperatorApi, TouchNeeded, type WithBearer } from './operator-api.ts'
import { type Cookies, formTokenOf, isFormToken } from './session.ts'
import { notTouched, OTHER_TOUCH, sentBy, takeTouch, touchPage } from './touch.ts'
import { type Again, awayPage, forbiddenPage, formTokenPage, requestPage } from './trouble.ts'
import { readUpload, type SentForm, UPLOAD_BYTES_MAX, type Upload } from './uploads.ts'

// How a screen is asked for: who is there, what they may, and what becomes of a form.

/** What the routes share. */
export interface Deps {
  /** The operator API as whoever sent the request may use it. */
  readonly apiFor: (request: FastifyRequest, bearer: string | undefined, more?: WithBearer) => OperatorApi
  readonly cookies: Cookies
  readonly assets: Assets
  readonly isLive: boolean
  /** Where there are several cells. */
  readonly cells: Cells | undefined
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
  /** Where there are several cells. */
  readonly cells: Cells | undefined
  /** Of a form that was refused: what was typed, and why. */
  readonly refused?: { readonly form: URLSearchParams; readonly error: ApiRefusal }
}

/** A screen and what can be sent from it. */
export interface Screen {
  readonly path: string
  readonly permission: OperatorPermission
  /** Merchants' people have it, too: what it asks the operator API for is in its table of what they may use. */
  readonly forMembers?: true
  show(visit: Visit): Promise<Page>
  /** By the last part of their addresses. */
  readonly acts?: Readonly<Record<string, Act>>
}

/** Something that is done by a press. */
export interface Act {
  readonly permission: OperatorPermission
  /** The form has a file with it. */
  readonly takesFile?: true
  /** Where a form may carry a document. */
  readonly formBytesMax?: number
  /** Set where a second time would do something else: then nothing is offered to be sent again. */
  readonly isOnce?: true
  /**
   * Gives the word of what was done, which the screen then says; or a screen that is shown at once, another screen to go to,
   * or a file to be saved. It changes things by one request to the operator API: where that needs a fresh touch, the act is
   * begun anew with it.
   */
  perform(visit: Visit, form: URLSearchParams, file?: Upload): Promise<Done>
}

type Done = string | Page | Elsewhere | Download

/** Another screen, where what was done is to be seen. */
interface Elsewhere {
  readonly goTo: string
}

/** A file for the browser to save. */
interface Download {
  readonly fileName: string
  readonly bytes: Buffer
}

/** The query's name for what was just done. */
const DONE = 'done'

export function screenRoutes(app: FastifyInstance, deps: Deps, screens: readonly Screen[]): void {
  for (const screen of screens) {
    const below = screen.path === '/' ? '' : screen.path
    app.get(screen.path, (request, reply) => showScreen(deps, { request, reply }, screen))
    for (const [verb, act] of Object.entries(screen.acts ?? {}))
      app.post(`${below}/${verb}`, optionsFor(deps, act), (request, reply) =>
        perform(deps, { request, reply }, { screen, act, verb }),
      )
  }
}

function optionsFor(deps: Deps, act: Act): RouteShorthandOptions {
  if (act.takesFile) return uploadOptions(deps, act)
  return act.formBytesMax === undefined ? {} : { bodyLimit: act.formBytesMax }
}

const UPLOADS_AT_ONCE_MAX = 4
let uploads = 0

/** Whoever may not upload is told so before a file is read into memory; and only a few files are read at once. */
const uploadOptions = (deps: Deps, { permission }: Act): RouteShorthandOptions => ({
  bodyLimit: UPLOAD_BYTES_MAX,
  async onRequest(request, reply) {
    const exchange = { request, reply }
    const visit = await enter(deps, exchange)
    if (visit === undefined) return toSignIn(deps, exchange)
    if (!visit.may(permission)) return sendPage(deps, exchange, forbiddenPage(permission), visit)
    // Who left meanwhile will not close a second time, and would keep its place for ever.
    if (request.raw.destroyed || reply.raw.closed) return reply.hijack()
    if (uploads >= UPLOADS_AT_ONCE_MAX)
      return sendPage(deps, exchange, requestPage('BUSY', deps.publicUrl), visit)
    uploads += 1
    reply.raw.once('close', () => {
      uploads -= 1
    })
    return undefined
  },
})

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function showScreen(deps: Deps, exchange: Exchange, screen: Screen): Promise<FastifyReply> {
  const visit = await enter(deps, exchange)
  if (visit === undefined) return toSignIn(deps, exchange)
  if (!isOpen(screen, screen.permission, visit))
    return sendPage(deps, exchange, forbiddenPage(screen.permission), visit)
  return sendPage(deps, exchange, await screen.show(visit), visit)
}

/** A screen is one of operators of the house alone, unless it says otherwise. */
const isOpen = ({ forMembers }: Screen, permission: OperatorPermission, { me, may }: Visit): boolean =>
  may(permission) && (me.merchantCode === undefined || forMembers === true)

interface Press {
  readonly screen: Screen
  readonly act: Act
  readonly verb: string
}

async function perform(deps: Deps, exchange: Exchange, press: Press): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { fields: form, file } = await sentForm(request, press.act)
  const path = pathOf(request).slice(0, -press.verb.length - 1) || '/'
  const secret = deps.cookies.read(request.headers.cookie)
  if (secret === undefined) return toSignIn(deps, exchange, path)
  if (!isFormToken(secret, form.get('formToken') ?? ''))
    return sendPage(deps, exchange, formTokenPage(path), undefined)
  try {
    const visit = { ...(await visitOf(deps, exchange, secret)), path }
    if (!isOpen(press.screen, press.act.permission, visit))
      return await sendPage(deps, exchange, forbiddenPage(press.act.permission), visit)
    return await performed(deps, exchange, { ...press, visit, form, file, secret })
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 401) return toSignIn(deps, exchange, path)
    if (!(error instanceof ApiAway)) throw error
    const again = againOf(request, press, { secret, form, path })
    return send(reply, documentOf(awayPage({ again }), deps, undefined), 503)
  }
}

/** What was typed is kept, and sent again by a press. */
const againOf = (
  request: FastifyRequest,
  { act }: Press,
  { secret, form, path }: { readonly secret: string; readonly form: URLSearchParams; readonly path: string },
): Again => ({
  form: sentBy(form).typed,
  action: addressOf(request),
  formToken: hiddenToken(secret),
  path,
  fileFrom: act.takesFile ? path : undefined,
  isOnce: act.isOnce === true,
})

interface Performing extends Press {
  readonly visit: Visit
  readonly form: URLSearchParams
  readonly file: Upload | undefined
  readonly secret: string
}

/** A body that cannot be read is a form without its token, and so from nobody. */
async function sentForm(request: FastifyRequest, { takesFile }: Act): Promise<SentForm> {
  const { body, headers } = request
  const sent =
    takesFile && body instanceof Buffer ? await readUpload(body, headers['content-type'] ?? '') : undefined
  return sent ?? { fields: formOf(request), file: undefined }
}

function withDone({ query: kept, path }: Visit, done: string): string {
  const query = new URLSearchParams(kept)
  query.set(DONE, done)
  return `${path}?${query.toString()}`
}

/** Saved, never shown: what others wrote is no page of ours. */
const sendDownload = (reply: FastifyReply, { fileName, bytes }: Download): FastifyReply =>
  reply.type('application/octet-stream').header('content-disposition', dispositionOf(fileName)).send(bytes)

/** A name that others wrote (RFC 6266): plain letters for old browsers, all of it for others. */
function dispositionOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]/g, '_').slice(0, 100)
  const all = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${all}`
}

async function performed(
  deps: Deps,
  exchange: Exchange,
  { screen, act, visit, form, file, secret }: Performing,
): Promise<FastifyReply> {
  const { reply } = exchange
  const sent = sentBy(form)
  try {
    const done = await touched(deps, exchange, { act, visit, secret, sent, file })
    if (typeof done === 'string') return await reply.redirect(withDone(visit, done), 303)
    if ('goTo' in done) return await reply.redirect(done.goTo, 303)
    if ('bytes' in done) return await sendDownload(reply, done)
    return await sendPage(deps, exchange, done, visit)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status === 401) throw error
    const page = await screen.show({ ...visit, refused: { form: sent.typed, error } })
    return sendPage(deps, exchange, { ...page, status: error.status }, visit)
  }
}

/** Does the act, with the touch that came with its form; without one that it needs, the screen that asks for it. */
async function touched(
  deps: Deps,
  { request }: Exchange,
  {
    act,
    visit,
    secret,
    sent,
    file,
  }: Pick<Performing, 'act' | 'visit' | 'secret' | 'file'> & { readonly sent: ReturnType<typeof sentBy> },
): Promise<Done> {
  if (sent.isBack) throw notTouched()
  const { touch, problem } = await takeTouch(visit.api, sent)
  try {
    return await act.perform(
      touch === undefined ? visit : { ...visit, api: deps.apiFor(request, secret, { touch }) },
      sent.typed,
      file,
    )
  } catch (error) {
    if (!(error instanceof TouchNeeded)) throw error
    return touchPage({
      api: visit.api,
      formToken: visit.formToken,
      request: error.request,
      typed: sent.typed,
      action: addressOf(request),
      problem: touch === undefined ? problem : OTHER_TOUCH,
    })
  }
}

/** Who asks, by their session; undefined where there is none. The operator API says whether it is still one. */
export async function enter(
  deps: Deps,
  exchange: Exchange,
  attended: Attended = attendedBy(exchange.request),
): Promise<Visit | undefined> {
  const secret = deps.cookies.read(exchange.request.headers.cookie)
  return secret === undefined ? undefined : visitOf(deps, exchange, secret, attended)
}

/** Whether a person asks, or the script of an open screen by itself, which must not keep a session alive. */
type Attended = 'ATTENDED' | 'UNATTENDED'

const attendedBy = ({ headers }: FastifyRequest): Attended =>
  headers['x-unattended'] === undefined ? 'ATTENDED' : 'UNATTENDED'

/** A session that carries no role: one of half a key or passkey, of somebody whose roles take a second administrator. */
export class Powerless extends Error {
  override readonly name = 'Powerless'
  readonly formToken: Html

  constructor(message: string, formToken: Html) {
    super(message)
    this.formToken = formToken
  }
}

async function selfOf(api: OperatorApi, secret: string): Promise<Self> {
  try {
    return await api.get('/operator/me', OperatorSelfSchema)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 403) throw error
    throw new Powerless(error.message, hiddenToken(secret))
  }
}

async function visitOf(
  deps: Deps,
  { request }: Exchange,
  secret: string,
  attended: Attended = 'ATTENDED',
): Promise<Visit> {
  const api = deps.apiFor(request, secret, attended === 'UNATTENDED' ? { isUnattended: true } : {})
  const me = await selfOf(api, secret)
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
    cells: deps.cells,
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

const addressOf = (request: FastifyRequest): string => `${pathOf(request)}${searchIn(request)}`

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/'

export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

function textIn(params: unknown, name: string): string {
  const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  return typeof value === 'string' ? value : ''
}

/** The screen of signing in, which leads back to where somebody wanted to go, or to the screen that they sent something from. */
export function toSignIn(deps: Deps, { request, reply }: Exchange, sentFrom?: string): FastifyReply {
  const wanted = sentFrom ?? (request.method === 'GET' ? request.url : '/')
  const query = new URLSearchParams({
    ...(wanted !== '/' && { next: wanted }),
    ...(sentFrom !== undefined && { lost: '1' }),
  }).toString()
  return reply
    .header('set-cookie', deps.cookies.clear())
    .redirect(`/sign-in${query === '' ? '' : `?${query}`}`, 303)
}

export async function sendPage(
  deps: Deps,
  { reply }: Exchange,
  page: Page,
  visit: Visit | undefined,
): Promise<FastifyReply> {
  const viewer = visit && (await viewerOf(deps, visit))
  if (page.asksCells) allowAsking(reply, deps.cells?.all.map(({ origin }) => origin) ?? [])
  return send(reply, documentOf(page, deps, viewer), page.status)
}

async function viewerOf(
  { ledger }: Deps,
  { me, api, may, formToken, path, query, nowMs }: Visit,
): Promise<Viewer> {
  return {
    ...me,
    formToken,
    path,
    searched: path === '/search' ? (query.get('q') ?? '') : '',
    ledgerCheck: may('health.read') ? await ledger.lastCheck(api, nowMs) : undefined,
  }
}

export const send = (reply: FastifyReply, document: Html, status = 200): FastifyReply =>
  reply.code(status).type('text/html; charset=utf-8').send(document.text)
