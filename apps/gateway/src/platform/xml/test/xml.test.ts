import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { elementsAt, escapeXml, readXml, textAt, XmlProblem } from '../index.ts'

const refused = (text: string, says: RegExp): void =>
  assert.throws(
    () => readXml(text),
    (error) => error instanceof XmlProblem && says.test(error.message),
  )

test('elements are found by their names without prefixes, and texts keep every digit', () => {
  const root = readXml(
    '<?xml version="1.0"?><n:a xmlns:n="urn:x"><n:b c="1.10">00123</n:b><n:b><![CDATA[<&]]> x</n:b></n:a>',
  )
  assert.equal(root.name, 'a')
  assert.deepEqual(
    elementsAt(root, 'b').map(({ text }) => text),
    ['00123', '<&x'],
  )
  assert.equal(elementsAt(root, 'b')[0]?.attributes.get('c'), '1.10')
  assert.equal(textAt(root, 'z', 'b'), '00123')
  assert.equal(textAt(root, 'b/c'), undefined)
})

test('nothing in a document names another file or grows', () => {
  refused('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', /document type/)
  refused('<!doctype a><a/>', /document type/)
  refused('<a>&x;</a>', /&x; is no entity/)
  refused('<a>&#0;</a>', /no entity/)
  refused('<a>&#x110000;</a>', /no entity/)
  refused('<a><b></a>', /well-formed/)
  refused('<a/><b/>', /./)
  refused('', /./)
  refused(`${'<a>'.repeat(200)}${'</a>'.repeat(200)}`, /./)
  assert.equal(readXml('<a>&amp;lt;&#65;&#x42;</a>').text, '&lt;AB')
})

test('whatever text is written is read as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1 }), (text) => {
      const written = escapeXml(text)
      assert.equal(readXml(`<a b="${written}">${written}</a>`).attributes.get('b')?.trim(), text.trim())
      assert.equal(readXml(`<a>${written}</a>`).text, text.trim())
    }),
  )
})
