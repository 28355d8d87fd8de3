import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Asset } from '@tollgate/page-server'
import type { TestLife } from '@tollgate/testkit'
import { assets } from '../../src/assets/index.ts'

/** A few pages with the real script and stylesheet, under the policy that the real pages have. */
export interface FixtureSite {
  readonly url: string
  /** How often a path was asked for. */
  hits(path: string): number
  /** Bodies of the forms that were sent. */
  readonly sent: string[]
  /** What the stream does with whoever comes from now on. */
  stream: 'OPEN' | 'REFUSED'
  /** What `/state` answers. */
  answer: { status: number; body: string; headers: Readonly<Record<string, string>> }
  /** Tells all who listen. */
  tell(state: string): void
  listeners(): number
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Opens the site on a free port; it closes with the test. `pages` are bodies by path. */
export async function fixtureSite(
  t: TestLife,
  pages: Readonly<Record<string, string>>,
): Promise<FixtureSite> {
  const built = assets()
  const hits = new Map<string, number>()
  const sent: string[] = []
  const open = new Set<ServerResponse>()
  const site: FixtureSite = {
    url: '',
    hits: (path) => hits.get(path) ?? 0,
    sent,
    stream: 'OPEN',
    answer: stateOf('waiting'),
    tell: (state) => {
      for (const response of open) response.write(`event: state\ndata: ${stateOf(state).body}\n\n`)
    },
    listeners: () => open.size,
  }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    hits.set(path, (hits.get(path) ?? 0) + 1)
    const asset = [built.script, built.stylesheet].find((each) => each.path === path)
    if (asset !== undefined) return sendAsset(response, asset)
    if (path === '/events') return openStream(site, open, response)
    if (path === '/state')
      return response.writeHead(site.answer.status, site.answer.headers).end(site.answer.body)
    if (request.method === 'POST') return take(request, response, sent)
    const body = pages[path]
    if (body === undefined) return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY })
      .end(pageOf(body, built.stylesheet, built.script))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fixture site has no port')
  return Object.assign(site, { url: `http://127.0.0.1:${String(address.port)}` })
}

/** A good answer of `/state`. */
export function stateOf(state: string): FixtureSite['answer'] {
  const body = JSON.stringify({ state, now: '2025-11-21T14:00:00Z' })
  return { status: 200, body, headers: { 'content-type': 'application/json' } }
}

function sendAsset(response: ServerResponse, { body, contentType }: Asset): void {
  response.writeHead(200, { 'content-type': contentType }).end(body)
}

function openStream(site: FixtureSite, open: Set<ServerResponse>, response: ServerResponse): void {
  if (site.stream === 'REFUSED') {
    response.writeHead(503).end()
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  open.add(response)
  response.on('close', () => open.delete(response))
}

/** Answered with nothing, so that the browser stays where it is. */
function take(request: IncomingMessage, response: ServerResponse, sent: string[]): void {
  let body = ''
  request.setEncoding('utf8').on('data', (part: string) => {
    body += part
  })
  request.on('end', () => {
    sent.push(body)
    response.writeHead(204).end()
  })
}

function pageOf(body: string, stylesheet: Asset, script: Asset): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet.path}" integrity="${stylesheet.integrity}" crossorigin="anonymous">
<script type="module" src="${script.path}" integrity="${script.integrity}" crossorigin="anonymous"></script></head>
<body class="page"><p role="status" class="visually-hidden" data-announcer></p><main>${body}</main></body></html>`
}
