import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HandOverRequest } from '@tollgate/rail-protocol'
import { html } from '@tollgate/runtime/html'
import { openBank, payment, type Rig } from './support.ts'

interface Seen {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

async function look(bank: Rig, path: string): Promise<Seen> {
  const response = await fetch(`${bank.url}${path}`, { redirect: 'manual' })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

async function choose(
  bank: Rig,
  path: string,
  more: { userName?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { userName = 'Ada Lovelace', headers = {} } = more
  const body = new URLSearchParams({ userName })
  return fetch(`${bank.url}${path}`, { method: 'POST', body, headers, redirect: 'manual' })
}

async function handOver(bank: Rig, wanted: Partial<HandOverRequest> = {}): Promise<string> {
  const request = payment(wanted)
  await bank.handOver(request)
  return request.reference
}

test('a customer logs in, sees merchant and amount, approves, and finds the way back', async (t) => {
  const bank = await openBank(t)
  const reference = await handOver(bank, { money: { amount: '149.9', currencyCode: 'EUR' } })
  const login = await look(bank, `/pay/${reference}`)
  assert.equal(login.status, 200)
  assert.match(login.text, /<label for="userName">/)
  assert.match(login.text, /no real money moves here/)
  const asked = await look(bank, `/pay/${reference}?userName=Ada+Lovelace`)
  assert.match(asked.text, /logged in as Ada Lovelace/)
  assert.match(asked.text, /<dd>SHOP<\/dd>/)
  assert.match(asked.text, /149\.90 EUR/)
  assert.match(asked.text, /href="https:\/\/shop\.example\/thanks\?order=1&amp;x=2"/)
  const chosen = await choose(bank, `/pay/${reference}/approve`)
  assert.equal(chosen.status, 303)
  assert.equal(chosen.headers.get('location'), `/pay/${reference}`)
  const outcome = await look(bank, `/pay/${reference}`)
  assert.match(outcome.text, /<h1>Paid<\/h1>/)
  assert.match(outcome.text, /href="https:\/\/shop\.example\/thanks\?order=1&amp;x=2"/)
  const state = await bank.ask(reference)
  assert.equal(state.status, 'SUCCEEDED')
  assert.equal(state.payer?.accountName, 'Ada Lovelace')
})

test('declining ends it without money', async (t) => {
  const bank = await openBank(t)
  const reference = await handOver(bank)
  await choose(bank, `/pay/${reference}/decline`)
  assert.match((await look(bank, `/pay/${reference}`)).text, /<h1>Declined<\/h1>/)
  assert.equal((await bank.ask(reference)).status, 'FAILED')
})

test('sending a choice twice, or both choices, does what the first one said', async (t) => {
  const bank = await openBank(t)
  const reference = await handOver(bank)
  const choices = ['approve', 'approve', 'decline', 'approve'].map((choice) =>
    choose(bank, `/pay/${reference}/${choice}`),
  )
  for (const response of await Promise.all(choices)) assert.equal(response.status, 303)
  const movements = await bank.movements(reference)
  assert.ok(movements.length <= 1)
  assert.equal((await bank.ask(reference)).status, movements.length === 1 ? 'SUCCEEDED' : 'FAILED')
})

test('leaving changes nothing', async (t) => {
  const bank = await openBank(t)
  const reference = await handOver(bank)
  const before = await bank.ask(reference)
  await look(bank, `/pay/${reference}?userName=Ada`)
  assert.deepEqual(await bank.ask(reference), before)
})

test('everything that others wrote is escaped', async (t) => {
  const bank = await openBank(t)
  const evil = `"><script>alert(1)</script>'&`
  const reference = await handOver(bank, {
    customer: { accountName: evil },
    returnUrl: `https://shop.example/?q="><script>alert(2)</script>`,
  })
  const pages = [
    await look(bank, `/pay/${reference}`),
    await look(bank, `/pay/${reference}?userName=${encodeURIComponent(evil)}`),
    await look(bank, `/pay/${reference}?userName=${encodeURIComponent(evil.repeat(10))}`),
  ]
  for (const { text } of pages) {
    assert.doesNotMatch(text, /<script/)
    assert.doesNotMatch(text, /=""/)
  }
  assert.match(pages[1]?.text ?? '', /value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;&#39;&amp;"/)
})

test('the template escapes texts and numbers, keeps its own pieces, and takes no text for one', () => {
  const piece = html`<b>${'<'}</b>`
  assert.equal(
    html`<p>${piece}${[piece, piece]}${undefined}${7}</p>`.text,
    `<p>${'<b>&lt;</b>'.repeat(3)}7</p>`,
  )
  const text: string = JSON.parse('"<i>"')
  assert.equal(html`${text}`.text, '&lt;i&gt;')
})

test('no page lets in scripts, frames, or forms that go elsewhere', async (t) => {
  const bank = await openBank(t)
  const reference = await handOver(bank)
  for (const path of [`/pay/${reference}`, '/pay/NOBODY', '/nowhere', '/style.css']) {
    const { headers } = await look(bank, path)
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      path,
    )
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
  }
})

test('a wrong reference is 404, and the page of a hand-over that may still come looks again by itself', async (t) => {
  const bank = await openBank(t)
  const early = payment()
  const moment = await look(bank, `/pay/${early.reference}`)
  assert.equal(moment.status, 202)
  assert.match(moment.text, /Just a moment/)
  assert.match(
    moment.text,
    new RegExp(`http-equiv="refresh" content="2; url=/pay/${early.reference}\\?look=1"`),
  )
  const enough = await look(bank, `/pay/${early.reference}?look=30`)
  assert.equal(enough.status, 404)
  assert.doesNotMatch(enough.text, /http-equiv="refresh"/)
  await bank.handOver(early)
  assert.equal((await look(bank, `/pay/${early.reference}?look=30`)).status, 200)
  for (const path of ['/pay/', '/pay/a%20b', '/pay/..%2fadmin', `/pay/${'x'.repeat(65)}`, '/nowhere']) {
    const { status, text } = await look(bank, path)
    assert.equal(status, 404, path)
    assert.doesNotMatch(text, /http-equiv="refresh"/)
  }
  assert.equal((await choose(bank, '/pay/NOBODY/approve')).status, 404)
})

test('a payout has no page, and cannot be chosen about', async (t) => {
  const bank = await openBank(t)
  await bank.mood({ mood: 'NEVER' })
  const reference = await handOver(bank, { direction: 'PAYOUT' })
  assert.equal((await look(bank, `/pay/${reference}`)).status, 404)
  assert.equal((await choose(bank, `/pay/${reference}/decline`)).status, 404)
})

test('after the time to pay the page takes no choice', async (t) => {
  const bank = await openBank(t)
  const reference = await handOver(bank, { expireAt: new Date(Date.now() - 1000).toISOString() })
  assert.match((await look(bank, `/pay/${reference}?userName=Ada`)).text, /<h1>Expired<\/h1>/)
  await choose(bank, `/pay/${reference}/approve`)
  assert.equal((await bank.ask(reference)).status, 'PENDING')
  assert.deepEqual(await bank.movements(reference), [])
})

test('without a name nothing is chosen: the page asks for one, and says what is wrong with it', async (t) => {
  const bank = await openBank(t)
  const reference = await handOver(bank)
  for (const userName of ['', '   ', 'x'.repeat(71), 'a\u0000b', '\u202eadA']) {
    await choose(bank, `/pay/${reference}/approve`, { userName })
    assert.equal((await bank.ask(reference)).status, 'PENDING')
  }
  const again = await look(bank, `/pay/${reference}?userName=${'x'.repeat(71)}`)
  assert.match(again.text, /role="alert"/)
  assert.match(again.text, /aria-invalid="true" aria-describedby="wrong"/)
})

test('a form on a page of somebody else chooses nothing', async (t) => {
  const bank = await openBank(t)
  const reference = await handOver(bank)
  for (const site of ['cross-site', 'same-site', 'none']) {
    const response = await choose(bank, `/pay/${reference}/approve`, { headers: { 'sec-fetch-site': site } })
    assert.equal(response.status, 403)
  }
  assert.equal((await bank.ask(reference)).status, 'PENDING')
  const own = { headers: { 'sec-fetch-site': 'same-origin' } }
  assert.equal((await choose(bank, `/pay/${reference}/approve`, own)).status, 303)
})

test('a body that is no form gets a page, not a fault', async (t) => {
  const bank = await openBank(t)
  const reference = await handOver(bank)
  for (const [type, body] of [
    ['application/json', '{}'],
    ['application/x-www-form-urlencoded', 'x'.repeat(5000)],
  ] as const) {
    const response = await fetch(`${bank.url}/pay/${reference}/approve`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    assert.equal(response.status, 400)
    assert.match(await response.text(), /<h1>This did not work<\/h1>/)
  }
})
