import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributes, html } from '../src/html.ts'

const EVIL = `"><script>alert(1)</script>'\`&`
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&#96;&amp;'

test('texts and numbers are escaped, in elements and in attributes; nothing is nothing', () => {
  assert.equal(
    html`<p title="${EVIL}">${EVIL}${7}${undefined}${false}</p>`.text,
    `<p title="${ESCAPED}">${ESCAPED}7</p>`,
  )
})

test('pieces stay as they are, alone and in lists', () => {
  const piece = html`<b>${'<'}</b>`
  assert.equal(
    html`<p>${piece}${[piece, undefined, false, piece]}</p>`.text,
    `<p>${'<b>&lt;</b>'.repeat(3)}</p>`,
  )
})

test('a text that looks like a piece is none', () => {
  const text: string = JSON.parse('"<i>"')
  assert.equal(html`${text}`.text, '&lt;i&gt;')
})

test('attributes are escaped, left out, or without a value; a name that is none is refused', () => {
  assert.equal(
    attributes({ value: EVIL, hidden: true, checked: false, id: undefined, 'data-n': 0 }).text,
    ` value="${ESCAPED}" hidden data-n="0"`,
  )
  assert.throws(() => attributes({ 'x onload=alert(1)': '1' }))
})
