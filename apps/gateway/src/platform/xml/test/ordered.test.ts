import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readXmlNodes, XmlProblem } from '../index.ts'

const names = (text: string): readonly string[] => readXmlNodes(text).children.map(({ name }) => name)

test('children keep their order, their prefixes and their attributes, without texts and comments', () => {
  const text =
    '<?xml version="1.0"?><a><b x="1 &amp; 2"/>text<!-- c --><p:c p:y="3"/><?pi?><b><d/></b><![CDATA[<e/>]]></a>'
  assert.deepEqual(names(text), ['b', 'p:c', 'b'])
  const [first, second, third] = readXmlNodes(text).children
  assert.deepEqual([...(first?.attributes ?? [])], [['x', '1 & 2']])
  assert.deepEqual([...(second?.attributes ?? [])], [['p:y', '3']])
  assert.deepEqual(
    third?.children.map(({ name }) => name),
    ['d'],
  )
})

test('what is refused of other documents is refused here, too', () => {
  const refused = [
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    '<a><b></a>',
    '<a b="&nope;"/>',
    '<a/><b/>',
    '',
    '<a>'.repeat(60) + '</a>'.repeat(60),
  ]
  for (const text of refused) assert.throws(() => readXmlNodes(text), XmlProblem, text)
})
