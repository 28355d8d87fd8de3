import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCookieJar } from '../src/cookies.ts'
import { createSessions, type Session } from '../src/sessions.ts'

const SECRET = Buffer.alloc(32, 7)
const SESSION: Session = {
  merchantCode: 'DEMO',
  idPayin: 'ORD-1',
  token: 'aaa.bbb.ccc',
  expireAtMs: 10_000,
  drafts: { BANK_TRANSFER: { accountName: 'Zoë “Z” Ångström' } },
  refusals: [],
}

const at = (nowMs: number, secret: Buffer = SECRET) => createSessions(secret, () => nowMs)

test('what is sealed for a place opens there, and nowhere else', () => {
  const sessions = at(0)
  const place = sessions.placeOf('PAY', 'DEMO', 'ORD-1')
  const sealed = sessions.seal(place, SESSION)
  assert.deepEqual(sessions.open(place, sealed), SESSION)
  assert.equal(sessions.open(sessions.placeOf('PAY', 'DEMO', 'ORD-2'), sealed), undefined)
  assert.equal(sessions.open(sessions.placeOf('STATUS', 'DEMO', 'ORD-1'), sealed), undefined)
})

test('in a cell, places and tickets begin with its letter, and those of another cell open nothing', () => {
  const [inB, inC] = ['B', 'C'].map((cell) => createSessions(SECRET, () => 0, cell))
  assert.ok(inB && inC)
  const place = inB.placeOf('PAY', 'DEMO', 'ORD-1')
  assert.match(place, /^B[\w-]{21}$/)
  assert.notEqual(place, inB.placeOf('PAY', 'DEMO', 'ORD-2'))
  const ticket = inB.sealTicket(Buffer.from('ticket'))
  assert.equal(ticket.charAt(0), 'B')
  assert.equal(inB.openTicket(ticket)?.toString(), 'ticket')
  assert.equal(inC.openTicket(ticket), undefined)
})

test('a session that was changed, cut or sealed under another secret does not open', () => {
  const sessions = at(0)
  const place = sessions.placeOf('PAY', 'DEMO', 'ORD-1')
  const sealed = sessions.seal(place, SESSION)
  for (let index = 0; index < sealed.length; index += 7) {
    const other = sealed[index] === 'A' ? 'B' : 'A'
    // Of the last character some bits carry nothing.
    if (index === sealed.length - 1) continue
    assert.equal(sessions.open(place, sealed.slice(0, index) + other + sealed.slice(index + 1)), undefined)
  }
  for (const text of ['', 'x', sealed.slice(0, 30), sealed.slice(0, -4), `${sealed}AAAA`])
    assert.equal(sessions.open(place, text), undefined)
  assert.equal(at(0, Buffer.alloc(32, 8)).open(place, sealed), undefined)
})

test('a session is over when its token is', () => {
  const place = at(0).placeOf('PAY', 'DEMO', 'ORD-1')
  const sealed = at(0).seal(place, SESSION)
  assert.deepEqual(at(9_999).open(place, sealed), SESSION)
  assert.equal(at(10_000).open(place, sealed), undefined)
})

test('what a sealed session says cannot be read', () => {
  const sessions = at(0)
  const sealed = sessions.seal('place', SESSION)
  assert.doesNotMatch(Buffer.from(sealed, 'base64url').toString('latin1'), /ORD-1|aaa\.bbb/)
  assert.notEqual(sealed, sessions.seal('place', SESSION))
})

test('the place of a payment is always the same, tells nothing, and differs by merchant, id and purpose', () => {
  const sessions = at(0)
  const places = [
    sessions.placeOf('PAY', 'A', 'B'),
    sessions.placeOf('PAY', 'A', 'C'),
    sessions.placeOf('PAY', 'AB', ''),
    sessions.placeOf('STATUS', 'A', 'B'),
    at(0, Buffer.alloc(32, 8)).placeOf('PAY', 'A', 'B'),
  ]
  assert.equal(new Set(places).size, places.length)
  assert.equal(places[0], at(5).placeOf('PAY', 'A', 'B'))
  for (const place of places) assert.match(place, /^[\w-]{22}$/)
})

test('a secret that is too short is refused', () => {
  assert.throws(() => at(0, Buffer.alloc(31)), RangeError)
})

test('a long session travels in several cookies, each for its payment alone', () => {
  const jar = createCookieJar(true)
  const sealed = 'abc-_'.repeat(2000)
  const cookies = jar.write('/p/xyz', sealed, 60)
  assert.equal(cookies.length, 3)
  for (const cookie of cookies) {
    assert.match(
      cookie,
      /^__Secure-pay\d=[\w.-]+; Path=\/p\/xyz; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/,
    )
    assert.ok(cookie.length < 4096)
  }
  const header = cookies.map((cookie) => cookie.split(';')[0]).join('; ')
  assert.equal(jar.read(header), sealed)
  assert.equal(jar.read(`other=1; ${header}; x=y`), sealed)
})

test('of a session that became shorter, old pieces do not matter; a missing piece makes it none', () => {
  const jar = createCookieJar(false)
  const pairs = (sealed: string) => jar.write('/p/x', sealed, 60).map((cookie) => cookie.split(';')[0] ?? '')
  const long = pairs('x'.repeat(8000))
  const [short = ''] = pairs('y'.repeat(10))
  assert.equal(jar.read([short, ...long.slice(1)].join('; ')), 'y'.repeat(10))
  assert.equal(jar.read(long.slice(0, 2).join('; ')), undefined)
  for (const header of [undefined, '', 'pay0=', 'pay0=x', 'pay0=9.', 'pay1=abc', '=;;='])
    assert.equal(jar.read(header), undefined)
})
