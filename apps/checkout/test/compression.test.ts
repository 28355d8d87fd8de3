import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSessions } from '../src/sessions.ts'
import { quietPage } from './quiet-page.ts'

test('screens, the stylesheet and the script come packed for whoever takes it, and say the same either way', async (t) => {
  const checkout = await quietPage(t, { serviceKey: undefined })
  const nowhere = await (await fetch(`${checkout.url}/nowhere`)).text()
  const files = [...nowhere.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  for (const path of ['/nowhere', ...files]) {
    const bodies = new Set<string>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { headers, text } = await ask(checkout.url + path, encoding)
      assert.equal(headers.get('content-encoding') ?? 'identity', encoding, path)
      assert.equal(headers.get('vary'), 'accept-encoding')
      bodies.add(text.replace(/PG-\w+/, ''))
    }
    assert.equal(bodies.size, 1, path)
  }
  assert.equal(files.length, 2)
})

/** `fetch` unpacks; the header stays. */
async function ask(
  url: string,
  encoding: string,
): Promise<{ readonly headers: Headers; readonly text: string }> {
  const response = await fetch(url, { headers: { 'accept-encoding': encoding } })
  return { headers: response.headers, text: await response.text() }
}

test('the token of a form is written differently every time, and proves its own place alone', () => {
  const sessions = createSessions(Buffer.alloc(32, 7), () => 0)
  const tokens = Array.from({ length: 20 }, () => sessions.formTokenOf('place'))
  assert.equal(new Set(tokens).size, tokens.length)
  for (const token of tokens) {
    assert.match(token, /^[\w-]+$/)
    assert.ok(sessions.isFormTokenOf('place', token))
    assert.ok(!sessions.isFormTokenOf('elsewhere', token))
    assert.ok(!createSessions(Buffer.alloc(32, 8), () => 0).isFormTokenOf('place', token))
    const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    for (const wrong of [token.slice(2), `${token}AA`, changed])
      assert.ok(!sessions.isFormTokenOf('place', wrong))
  }
  for (const text of ['', 'x', 'xx', '%', 'A'.repeat(59)]) assert.ok(!sessions.isFormTokenOf('place', text))
})
