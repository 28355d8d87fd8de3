import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findAttackRowGaps, readAttackRows } from '../check/attack-rows.ts'
import { findSilencedTests } from '../check/silenced-tests.ts'
import { documentedAnswers, findStatusGaps } from '../check/status-tests.ts'
import { type Finding, printFinding, treeOf } from '../check/tree.ts'

// What `npm run check` asks of tests.

const places = (findings: readonly Finding[]): string[] =>
  findings.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`))

describe('documented statuses and their tests', () => {
  const document = {
    paths: {
      '/payins/{idPayin}': { post: { responses: { 201: {}, 409: {}, default: {} } }, parameters: [] },
      '/rate-lists': { get: { responses: { 200: {} } } },
    },
  }
  const suite = (text: string): Finding[] =>
    findStatusGaps(treeOf({ 'acceptance/4.test.ts': text }), [{ path: 'api.json', document }])

  test('are read from the document, without ranges and defaults', () => {
    assert.deepEqual(documentedAnswers(document), [
      'POST /payins/{idPayin} → 201',
      'POST /payins/{idPayin} → 409',
      'GET /rate-lists → 200',
    ])
  })

  test('are in order when each has a title, be it a test, a subtest or a group', () => {
    const text = `
      describe('GET /rate-lists → 200', () => {})
      test('POST /payins/{idPayin} → 201 accepts', async (t) => {
        await t.test(\`as said: POST /payins/{idPayin} → 409 the id was accepted before\`, () => {})
      })`
    assert.deepEqual(suite(text), [])
  })

  test('are missed where no title names them; a comment or another string is no title', () => {
    const text = `
      // POST /payins/{idPayin} → 409
      test('GET /rate-lists → 200', () => { call('POST /payins/{idPayin} → 201') })`
    assert.deepEqual(
      suite(text).map(({ message }) => /"(.*) …"/.exec(message)?.[1]),
      ['POST /payins/{idPayin} → 201', 'POST /payins/{idPayin} → 409'],
    )
  })

  test('are asked of every document, and each is told of its own', () => {
    const other = { paths: { '/operator/me': { get: { responses: { 200: {}, 401: {} } } } } }
    const text = `
      test('GET /rate-lists → 200', () => {})
      test('GET /operator/me → 200', () => {})
      test('POST /payins/{idPayin} → 201', () => {})
      test('POST /payins/{idPayin} → 409', () => {})`
    const findings = findStatusGaps(treeOf({ 'acceptance/4.test.ts': text }), [
      { path: 'api.json', document },
      { path: 'operator-api.json', document: other },
    ])
    assert.deepEqual(findings.map(printFinding), [
      'operator-api.json  No acceptance test is titled "GET /operator/me → 401 …". Write it.',
    ])
  })

  test('may be met by one test for all operations below a path', () => {
    const text = `
      test('ANY /payins/** → 409, and more', () => {})
      test('ANY /rate-lists/** → 200', () => {})
      test('POST /payins/{idPayin} → 201', () => {})`
    assert.deepEqual(
      suite(text).map(({ message }) => /"(.*) …"/.exec(message)?.[1]),
      ['GET /rate-lists → 200'],
    )
  })

  test('a title may not name an answer that the document lacks', () => {
    const text = `
      test('GET /rate-lists → 200', () => {})
      test('POST /payins/{idPayin} → 201', () => {})
      test('POST /payins/{idPayin} → 409', () => {})
      test('POST /payins/{idPayin} → 418', () => {})
      test('POST /payins/{id} → 409', () => {})`
    assert.deepEqual(places(suite(text)), ['acceptance/4.test.ts:5', 'acceptance/4.test.ts:6'])
  })

  test('a computed title is asked to be written out', () => {
    const [first] = suite(
      '\nfor (const status of [201, 409]) test(`POST /payins/{idPayin} → $' + '{status}`, () => {})',
    )
    assert.equal(first?.line, 2)
    assert.match(first.message, /Write method, path and status out/)
  })
})

describe('attacks and their tests', () => {
  const README = 'acceptance/security/README.md'
  const table = (...rows: readonly string[]): string =>
    ['# Attacks', '', '| Row | Attack | Tests | Remarks |', '| --- | --- | --- | --- |', ...rows].join('\n')
  const judge = (rows: readonly string[], texts: Record<string, string> = {}): string[] =>
    findAttackRowGaps(treeOf({ [README]: table(...rows), ...texts })).map(printFinding)
  const edge = (...titles: readonly string[]): Record<string, string> => ({
    'acceptance/security/edge.test.ts': titles.map((title) => `test(${title}, () => {})`).join('\n'),
  })

  test('are in order when every row has a title in each file that it names, or a reason', () => {
    const deep = 'packages/money/test/amount.test.ts'
    assert.deepEqual(
      judge(
        [
          `| G1 | versions | \`edge.test.ts\`, \`${deep}\` | also \`docs/none.test.ts\` |`,
          '| G2 | slow ones | `edge.test.ts` | |',
          '| G3 | big ones | Not tested: there are none. | |',
        ],
        {
          ...edge("'G1 G2: versions'", '`G2 of ${' + "1}`, 'the books agree'"),
          [deep]: "test('G1 amounts', () => {})\ntest('2 and G9', () => {})",
        },
      ),
      [],
    )
  })

  test('are missed where a file lacks the title or is not there, and where there is neither file nor reason', () => {
    const findings = judge(
      [
        '| G1 | a | `edge.test.ts` | |',
        '| G2 | b | `none.test.ts` | |',
        '| G3 | c | edge | |',
        '| G4 | d | `edge.test.ts` Not tested: | |',
        '| G4 | d | Not tested: it is twice. | |',
      ],
      edge("'see G1'", "'G4 d'"),
    )
    assert.deepEqual(findings, [
      `${README}:5  No title in acceptance/security/edge.test.ts begins with G1. Write the test, or mend the row.`,
      `${README}:6  There is no acceptance/security/none.test.ts, which is to prove G2.`,
      `${README}:7  G3 names no test. Name its file, or write "Not tested: " and why.`,
      `${README}:9  G4 has a row already.`,
    ])
  })

  test('have ids of up to three digits, one row each, and files of tests', () => {
    const findings = judge(
      [
        '| S104 | a | `edge.test.ts` | |',
        '| S105 | b | `edge.test.ts` | |',
        '| S104 | c | `edge.test.ts`, `edge.ts`, `edge` | |',
      ],
      edge("'S104 S106: a'"),
    )
    assert.deepEqual(findings, [
      `${README}:6  No title in acceptance/security/edge.test.ts begins with S105. Write the test, or mend the row.`,
      `${README}:7  There is no acceptance/security/edge.ts, which is to prove S104.`,
      `${README}:7  There is no acceptance/security/edge, which is to prove S104.`,
      `${README}:7  S104 has a row already.`,
      `acceptance/security/edge.test.ts:1  S106 is not in ${README}. Add its row, or mend the title.`,
    ])
  })

  test('have no id in a title that the list does not have', () => {
    assert.deepEqual(
      judge(['| G1 | a | `edge.test.ts` | |'], edge("'G1 G7 a'", "'A4: b'", "'PAYIN 1 and X9'")),
      [
        `acceptance/security/edge.test.ts:1  G7 is not in ${README}. Add its row, or mend the title.`,
        `acceptance/security/edge.test.ts:2  A4 is not in ${README}. Add its row, or mend the title.`,
      ],
    )
  })

  test('of this repository are many, each once, and those without a test are few', () => {
    const { rows, skipped } = readAttackRows()
    assert.ok(rows.length > 100)
    assert.equal(new Set(rows).size, rows.length)
    assert.ok(skipped.length < 10)
    for (const { id, reason } of skipped) assert.ok(rows.includes(id) && reason.length > 20, id)
  })
})

describe('silenced tests', () => {
  const judge = (text: string): string[] => places(findSilencedTests(treeOf({ 'a.test.ts': text })))

  for (const text of [
    "test.only('a', () => {})",
    "describe.only('a', () => {})",
    "test('a', { only: true }, () => {})",
    "test.skip('a', () => {})",
    "it('a', { skip: true }, () => {})",
    "test('a', (t) => { t.skip() })",
    "test('a', (t) => { t.skip('  ') })",
  ]) {
    test(`are found: ${text}`, () => {
      assert.deepEqual(judge(text), ['a.test.ts:1'])
    })
  }

  for (const text of [
    "test('a', (t) => { t.skip('no IPv6 here') })",
    "test('a', { skip: 'no IPv6 here' }, () => {})",
    "test('a', { skip: here ? false : 'not here' }, () => {})",
    "rows.skip(10); const text = 'test.only('",
  ]) {
    test(`are not: ${text}`, () => {
      assert.deepEqual(judge(text), [])
    })
  }
})
