/** A JSON document that every endpoint must refuse as a whole. */
interface HostileDocument {
  readonly name: string
  readonly bytes: Buffer
}

/** What is put before the closing brace of an otherwise good request. */
const MEMBERS: readonly string[] = [
  '"x":1,"x":2',
  '"x":1,"\\u0078":2',
  '"x":{"y":{"z":1,"z":1}}',
  '"x":[{"y":1,"y":1}]',
  '"":1,"":2',
  '"__proto__":{"x":1}',
  '"\\u005f_proto__":{"x":1}',
  '"x":{"__proto__":null}',
  '"x":[[{"__proto__":[]}]]',
  '"constructor":{"prototype":{"x":1}}',
  '"prototype":{"x":1}',
  '"x":NaN',
  '"x":Infinity',
  '"x":-Infinity',
  '"x":undefined',
  '"x":01',
  '"x":1.',
  '"x":.5',
  '"x":+1',
  '"x":0x10',
  '"x":1_000',
  '"x":1e',
  '"x":--1',
  '"x":1e99999999999999999999e1',
  '"x":"\\ud800"',
  '"x":"\\udc00\\ud800"',
  '"\\ud83d":1',
  '"x":"\\x41"',
  '"x":"\\u00e"',
  '"x":"line\nbreak"',
  '"x":"tab\there"',
  '"x":"nul\u0000"',
  '"x":"open',
  "'x':1",
  'x:1',
  '"x" 1',
  '"x"::1',
  '"x":1,',
  '"x":[1,]',
  '"x":[1,,2]',
  '"x":[1}',
  '"x":1/* note */',
  '"x":1 // note',
  '\u00a0"x":1',
  '\u2028"x":1',
  '\ufeff"x":1',
  `"x":"${'a'.repeat(4097)}"`,
  `"x":${'1'.repeat(401)}`,
  `"x":${'['.repeat(16)}${']'.repeat(16)}`,
  `"x":${'['.repeat(10_000)}`,
  `"x":${'{"a":'.repeat(10_000)}`,
  Array.from({ length: 201 }, (_, index) => `"k${index}":0`).join(),
  `"x":[${'0,'.repeat(1_000)}0]`,
]

/** The documents as wholes: `good` is the request that would be accepted. */
const WHOLES: readonly ((good: Buffer) => Buffer)[] = [
  () => Buffer.from(''),
  () => Buffer.from(' \r\n'),
  (good) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good]),
  (good) => Buffer.concat([good, Buffer.from('{}')]),
  (good) => Buffer.concat([good, Buffer.from('\u0000')]),
  (good) => Buffer.concat([Buffer.from(")]}',\n"), good]),
  (good) => Buffer.from(good.toString('utf8'), 'utf16le'),
  (good) => Buffer.concat([good.subarray(0, -1), Buffer.from([0x2c, 0x22, 0xc3, 0x22, 0x3a, 0x31, 0x7d])]),
  (good) =>
    Buffer.concat([good.subarray(0, -1), Buffer.from([0x2c, 0x22, 0xc0, 0xa2, 0x22, 0x3a, 0x31, 0x7d])]),
  (good) =>
    Buffer.concat([
      good.subarray(0, -1),
      Buffer.from([0x2c, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    ]),
  (good) => Buffer.concat([Buffer.from('['), good, Buffer.from(']')]),
  (good) => Buffer.from(JSON.stringify(good.toString('utf8'))),
]

/** The corpus around a request that would be accepted by itself, so that nothing but the flaw can be what is refused. */
export function hostileDocuments(good: string): readonly HostileDocument[] {
  return [
    ...MEMBERS.map((member) => ({
      name: member.slice(0, 40),
      bytes: Buffer.from(`${good.slice(0, -1)},${member}}`),
    })),
    ...WHOLES.map((make, index) => ({ name: `whole ${index + 1}`, bytes: make(Buffer.from(good)) })),
  ]
}
