import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { errorPage } from '@tollgate/contract'
import { isErrorCode } from '@tollgate/contract/words'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../platform/refusal.ts'
import { VERSION } from '../../platform/version.ts'
import type { App } from '../app-type.ts'
import { describeApi, INTERFACE_VERSION } from '../openapi.ts'
import { brunoCollection, postmanCollection } from './collections.ts'
import { errorHtml, type Landing, landingPage, llmsText } from './landing.ts'
import { referencePage } from './page.ts'

interface ReferenceDeps {
  readonly publicUrl: string
  readonly isLive: boolean
}

/** Nothing from elsewhere, nothing inline, no frame; requests go to the gateway that served the page. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const HTML = 'text/html; charset=utf-8'
const OPEN = { config: { access: 'open' }, schema: { hide: true } } as const

/** The pages of the API itself: `/`, `/docs`, `/llms.txt`, and its requests for other programs. Open to anyone, as the OpenAPI document is. */
export function referenceRoutes(app: App, { publicUrl, isLive }: ReferenceDeps): void {
  const landing: Landing = {
    name: 'Tollgate',
    version: VERSION,
    interfaceVersion: INTERFACE_VERSION,
    mode: isLive ? 'LIVE' : 'SANDBOX',
    reference: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
  }
  const described = once(() => ({ document: describeApi(app), publicUrl, isLive }))
  const reference = once(() => referencePage(described()))
  const script = once(() => stripTypeScriptTypes(fileText('client.ts')))
  const stylesheet = once(() => fileText('reference.css'))
  app.get('/', OPEN, (request, reply) =>
    wantsHtml(request) ? sendPage(reply, landingPage(landing)) : reply.header('vary', 'accept').send(landing),
  )
  app.get('/llms.txt', OPEN, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText({ publicUrl, isLive })),
  )
  app.get('/docs', OPEN, (_request, reply) => sendPage(reply, reference()))
  app.get('/docs/reference.css', OPEN, (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(stylesheet()),
  )
  app.get('/docs/postman.json', OPEN, () => postmanCollection(described()))
  app.get('/docs/bruno.json', OPEN, () => brunoCollection(described()))
  if (isLive) return
  app.get('/docs/reference.js', OPEN, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script()),
  )
}

/**
 * The page behind `docUrl` of an error answer, without token and version: in Markdown, and for a browser in HTML where `pages`
 * says that the server has the other pages.
 */
export function errorPageRoutes(app: App, pages?: Pick<ReferenceDeps, 'isLive'>): void {
  app.get<{ Params: { code: string } }>('/errors/:code', OPEN, (request, reply) => {
    const { code } = request.params
    if (!isErrorCode(code)) throw new Refusal('ROUTE_NOT_FOUND')
    if (pages !== undefined && wantsHtml(request)) return sendPage(reply, errorHtml(code, pages.isLive))
    return reply.header('vary', 'accept').type('text/markdown; charset=utf-8').send(errorPage(code))
  })
}

const wantsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true

const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .headers({ 'content-security-policy': CONTENT_SECURITY_POLICY, vary: 'accept' })
    .header('referrer-policy', 'no-referrer')
    .type(HTML)
    .send(page)

const fileText = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
