import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import decodeQR from 'qr/decode.js'
import { openTicket, TICKET_MS, ticketFor } from '../src/handover.ts'
import { createSessions, type Session } from '../src/sessions.ts'
import {
  browserAt,
  linkFor,
  openPage,
  payinOf,
  SECRET,
  START_MS,
  TOKEN_END_MS,
  tokenFor,
} from './fake-gateway.ts'

const sessions = createSessions(SECRET, () => START_MS)
const SESSION: Session = {
  merchantCode: 'DEMO',
  idPayin: 'ORD-1',
  token: tokenFor('ORD-1'),
  expireAtMs: TOKEN_END_MS,
  drafts: { BANK_TRANSFER: { accountName: 'Jane Doe' } },
  refusals: [],
}
const handed = { mode: 'PAY', session: SESSION } as const
const ticket = (): string => ticketFor(sessions, handed, START_MS) ?? assert.fail('no ticket')

test('a ticket opens the same payment with the same token and the same end, without what was typed', () => {
  assert.deepEqual(openTicket(sessions, ticket(), START_MS), {
    mode: 'PAY',
    session: { ...SESSION, drafts: {} },
  })
  const status = ticketFor(sessions, { ...handed, mode: 'STATUS' }, START_MS) ?? ''
  assert.equal(openTicket(sessions, status, START_MS)?.mode, 'STATUS')
})

test('a ticket opens for ten minutes, and never longer than its session', () => {
  assert.ok(openTicket(sessions, ticket(), START_MS + TICKET_MS - 1_000))
  assert.equal(openTicket(sessions, ticket(), START_MS + TICKET_MS), undefined)
  const short = { ...handed, session: { ...SESSION, expireAtMs: START_MS + 60_000 } }
  const ending = ticketFor(sessions, short, START_MS) ?? ''
  assert.equal(openTicket(sessions, ending, START_MS)?.session.expireAtMs, START_MS + 60_000)
  assert.equal(openTicket(sessions, ending, START_MS + 60_000), undefined)
})

test('a ticket that was changed, is of another secret, or is a session opens nothing', () => {
  const text = ticket()
  for (const wrong of ['', 'x', text.slice(0, -4), `A${text.slice(1)}`, 'A'.repeat(5_000)])
    assert.equal(openTicket(sessions, wrong, START_MS), undefined)
  const others = createSessions(Buffer.alloc(32, 2), () => START_MS)
  assert.equal(openTicket(others, text, START_MS), undefined)
  assert.equal(openTicket(sessions, sessions.seal('', SESSION), START_MS), undefined)
  assert.equal(sessions.open('', text), undefined)
})

test('a token that is not written as tokens are is not handed over', () => {
  for (const token of ['', 'a', 'a.b', `${SESSION.token}=`, '////.b.c'])
    assert.equal(ticketFor(sessions, { ...handed, session: { ...SESSION, token } }, START_MS), undefined)
})

test('a ticket is short enough for a code that phones read from a screen, and tells nothing', () => {
  const text = ticket()
  assert.ok(text.length < 450, `${text.length} characters`)
  assert.match(text, /^[\w-]+$/)
  assert.doesNotMatch(Buffer.from(text, 'base64url').toString('latin1'), /ORD-1|DEMO|operations/)
})

const page = await openPage({ after })
beforeEach(() => {
  page.nowMs = START_MS
  page.gateway.payin = payinOf('ORD-1')
})

/** What a phone reads in an image of ours. */
function scanned(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const scale = 4
  const data = new Uint8Array(size * scale * size * scale * 4).fill(255)
  const [, path = ''] = /fill="#000" d="([^"]*)"/.exec(svg) ?? []
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1)
      for (let at = Number(x) * scale; at < (Number(x) + Number(length)) * scale; at += 1)
        data.fill(0, (row * size * scale + at) * 4, (row * size * scale + at) * 4 + 3)
  return decodeQR({ width: size * scale, height: size * scale, data })
}

test('a payment goes on at the phone: the code is scanned, and leads to the same page', async () => {
  const computer = browserAt(page)
  const { html, path } = await computer.go(linkFor('ORD-1'))
  const [, image = ''] = /<img [^>]*src="([^"]+)"[^>]* loading="lazy"/.exec(html) ?? []
  assert.equal(image, `${path}/phone.svg`)
  const { html: svg } = await computer.go(image)
  const link = new URL(scanned(svg))
  assert.match(link.pathname, /^\/h\/[\w-]+$/)
  assert.ok(!link.href.includes('ORD-1'))
  const phone = browserAt(page)
  const there = await phone.go(link.pathname)
  assert.equal(there.path, path)
  assert.equal(there.heading, 'Transfer from your bank')
  assert.match(there.html, /<form/)
})

test('the code is made for who has the payment open, and the link in it ends', async () => {
  const computer = browserAt(page)
  const { path } = await computer.go(linkFor('ORD-1'))
  assert.equal((await browserAt(page).go(`${path}/phone.svg`)).status, 404)
  const { html } = await computer.go(`${path}/phone.svg`)
  const { pathname } = new URL(scanned(html))
  page.nowMs += TICKET_MS
  const late = await browserAt(page).go(pathname)
  assert.equal(late.status, 403)
  assert.equal(late.heading, 'This code has expired')
  assert.doesNotMatch(late.html, /149|shop\.example|ORD-1/)
})

test('who may only look hands over no more than that', async () => {
  const computer = browserAt(page)
  const { path } = await computer.go(linkFor('ORD-1'))
  page.nowMs = TOKEN_END_MS
  const { html } = await computer.go(`${path}/phone.svg`)
  const phone = browserAt(page)
  const there = await phone.go(new URL(scanned(html)).pathname)
  assert.equal(there.heading, 'Transfer from your bank')
  assert.doesNotMatch(there.html, /<form/)
  page.gateway.payin = 401
  assert.equal((await phone.go(path)).heading, 'This payment link is no longer valid')
})

test('a payment that has ended has no code', async () => {
  page.gateway.payin = payinOf('ORD-1', {
    status: 'SUCCESS',
    processedAt: new Date(START_MS).toISOString(),
  })
  assert.doesNotMatch((await browserAt(page).go(linkFor('ORD-1'))).html, /phone\.svg/)
})
