import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  elementAt,
  elementsAt,
  escapeXml,
  pathOf,
  readXml,
  textAt,
  textsAt,
  XmlProblem,
  type XmlProblemKind,
} from '../index.ts'

const problemOf = (text: string): XmlProblem => {
  try {
    readXml(text)
  } catch (error) {
    assert(error instanceof XmlProblem, String(error))
    return error
  }
  return assert.fail('it was read')
}
const refused = (text: string, kind: XmlProblemKind, where?: string | RegExp): void => {
  const problem = problemOf(text)
  assert.equal(problem.kind, kind, problem.message)
  if (where instanceof RegExp) assert.match(problem.where, where)
  else assert.equal(problem.where, where)
}

test('elements are found by their names without prefixes, and texts keep every digit', () => {
  const root = readXml(
    '<?xml version="1.0"?><n:a xmlns:n="urn:x"><n:b c="1.10">00123</n:b><n:b><![CDATA[<&]]> x</n:b></n:a>',
  )
  assert.equal(root.name, 'a')
  assert.deepEqual(
    elementsAt(root, 'b').map(({ text }) => text),
    ['00123', '<& x'],
  )
  assert.equal(elementsAt(root, 'b')[0]?.attributes.get('c'), '1.10')
  assert.equal(textAt(root, 'z', 'b'), '00123')
  assert.equal(textAt(root, 'b/c'), undefined)
})

test('an element knows where it stands', () => {
  const root = readXml('<a><b/><b><c>1</c><d/><c/><c>2</c></b><e><c>3</c></e></a>')
  const paths = (names: string): readonly string[] => elementsAt(root, names).map(pathOf)
  assert.deepEqual([root.number, root.parent, pathOf(root)], [1, undefined, '/a'])
  assert.deepEqual(paths('b/c'), ['/a/b[2]/c[1]', '/a/b[2]/c[2]', '/a/b[2]/c[3]'])
  assert.deepEqual([...paths('b/d'), ...paths('e/c'), ...paths('z')], ['/a/b[2]/d', '/a/e/c'])
  const found = elementAt(root, 'b/c')
  assert.deepEqual([found?.text, found?.number, found?.parent?.number], ['1', 1, 2])
  assert.equal(elementAt(root, 'b/z'), undefined)
  assert.deepEqual(textsAt(root, 'e/c', 'b/z', 'b/c'), ['3', '1', '2'])
})

test('nothing in a document names another file or grows', () => {
  refused('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', 'DOCUMENT_TYPE', 'line 1')
  refused('<?xml version="1.0"?>\n\n<!doctype a><a/>', 'DOCUMENT_TYPE', 'line 3')
  refused('<a><b/>\n<b><c>&x;</c></b></a>', 'MALFORMED', 'line 2')
  refused('<a><b c="&x;"/></a>', 'MALFORMED', 'line 1')
  refused('<a>&#0;</a>', 'MALFORMED', 'line 1')
  refused('<a>&#x110000;</a>', 'MALFORMED', 'line 1')
  assert.equal(readXml('<a>&amp;lt;&#65;&#x42;</a>').text, '&lt;AB')
})

test('a document of more than the limits is refused where it exceeds them', () => {
  const limits = {
    depthMax: 3,
    elementsMax: 5,
    attributesMax: 4,
    attributesPerElementMax: 2,
    textCharactersMax: 10,
  }
  const exceeds = (text: string, what: RegExp): void => {
    assert.throws(
      () => readXml(text, { limits }),
      (error: unknown) => error instanceof XmlProblem && error.kind === 'TOO_MUCH' && what.test(error.detail),
      text,
    )
  }
  const fits = ['<a><b><c/></b></a>', '<a><b/><b/><b/><b/></a>', '<a x="1" y="2"><b x="1" y="2"/></a>']
  for (const text of [...fits, '<a>1234567890</a>', '<a>1234567890<b/>1234567890</a>'])
    readXml(text, { limits })
  exceeds('<a><b><c><d/></c></b></a>', /more than 3 deep/)
  exceeds('<a><b/><b/><b/><b/><b/></a>', /more than 5 elements/)
  exceeds('<a x="1" y="2" z="3"/>', /more than 2 attributes/)
  exceeds('<a x="1" y="2"><b x="1" y="2"/><b x="1"/></a>', /more than 4 attributes/)
  exceeds('<a>12345678901</a>', /text of more than 10/)
  exceeds('<a><![CDATA[12345678901]]></a>', /text of more than 10/)
  exceeds('<a x="12345678901"/>', /text of more than 10/)
})

test('elements of a name can be had one by one, with their places, and are not kept', () => {
  const taken: string[] = []
  const root = readXml('<a><h>1</h><b>x</b><c><b>y</b></c><b>z<d/></b></a>', {
    drain: { name: 'b', take: (element) => taken.push(`${pathOf(element)} ${element.text}`) },
  })
  assert.deepEqual(taken, ['/a/b x', '/a/c/b y', '/a/b[2] z'])
  assert.deepEqual(textsAt(root, 'h', 'b', 'c/b', 'b/d'), ['1'])
  assert.equal(elementsAt(root, 'b').length, 2)
})

test('names of JavaScript are names as any other', () => {
  const root = readXml('<constructor><__proto__ toString="1">x</__proto__></constructor>')
  assert.equal(textAt(root, '__proto__'), 'x')
  assert.equal(elementAt(root, '__proto__')?.attributes.get('toString'), '1')
  assert.equal(textAt(root, 'hasOwnProperty'), undefined)
})

test('what another reader of XML refuses is refused', () => {
  const wrong = [
    '<a b="1" b="2"/>',
    '<a b=1/>',
    '<a b="<"/>',
    '<a>]]></a>',
    '<a><!-- -- --></a>',
    '<a><![CDATA[x</a>',
    '<a/>x',
    'x<a/>',
    '<a>\u0000</a>',
    '<a',
    '<a></b>',
    '</a>',
    '<1/>',
    '<a b="1"c="2"/>',
  ]
  for (const text of wrong) refused(text, 'MALFORMED', 'line 1')
})

test('what is no document is refused', () => {
  refused('<a>\n<b></a>', 'MALFORMED', /^line [12]$/)
  refused('<a>1 & 2</a>', 'MALFORMED', 'line 1')
  refused('', 'MALFORMED', 'line 1')
  refused('<a/><b/>', 'MALFORMED', 'line 1')
  refused('<a/><a/>', 'MALFORMED', 'line 1')
})

test('a problem is told in a sentence, and in parts for those who have words of their own', () => {
  const toldOf = (text: string): readonly string[] => {
    const { message, detail } = problemOf(text)
    return [message, detail]
  }
  assert.deepEqual(toldOf('<!DOCTYPE a><a/>'), [
    'It declares a document type, which no bank needs, and which is not taken.',
    '<!DOCTYPE',
  ])
  assert.deepEqual(toldOf(''), [
    'It is not well-formed XML: line 1: document must contain a root element.',
    'document must contain a root element.',
  ])
  assert.equal(problemOf('<a/><b/>').detail, 'documents may contain only one root.')
  assert.equal(problemOf('<a>&x;</a>').detail, 'undefined entity.')
  assert.deepEqual(toldOf('<a>'.repeat(41)), [
    'It holds elements that are nested more than 40 deep (line 1), more than is read.',
    'elements that are nested more than 40 deep',
  ])
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
