import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnprovenRequirements } from '../check/security-page.ts'
import { treeOf } from '../check/tree.ts'

const ATTACKS = `
| Row      | Attack | Where |
| -------- | ------ | ----- |
| G1       | one    | here  |
| A2, A3   | two    | here  |
| B1 to B3 | three  | here  |
`

const messages = (rows: string): string[] =>
  findUnprovenRequirements(
    treeOf({
      'acceptance/security/README.md': ATTACKS,
      'docs/security.md': `X9 is prose\n## OWASP ASVS 5.0\n| Requirement | How | Tests |\n| --- | --- | --- |\n${rows}`,
    }),
  ).map(({ line, message }) => `${String(line)} ${message}`)

test('a requirement names attacks of the list, a path, or a reason why nothing tests it', () => {
  assert.deepEqual(
    messages(
      [
        '| 1.1.1 once | how | G1 A3 B2 |',
        '| 1.2.1, 1.2.2 twice | how | `apps/x/test/G9.test.ts` |',
        '| 3.4.7 reports | | not yet: nobody reads them |',
        '| 6.2 passwords | | n/a: there are none |',
        '| 12.1 TLS | | operator: the proxy |',
      ].join('\n'),
    ),
    [],
  )
})

test('a requirement without a proof is told, and so is an attack that is not in the list', () => {
  assert.deepEqual(
    messages('| 1.1.1 once | how | |\n| 1.1.2 more | how | not yet |\n| 2.1 x | how | G1 G7 B4 |'),
    [
      '5 Name a test or an attack, or say `not yet: …`, `n/a: …` or `operator: …`.',
      '6 Name a test or an attack, or say `not yet: …`, `n/a: …` or `operator: …`.',
      '7 G7 is not in acceptance/security/README.md.',
      '7 B4 is not in acceptance/security/README.md.',
    ],
  )
})

test('a page without the table is no page', () => {
  const tree = treeOf({ 'acceptance/security/README.md': ATTACKS, 'docs/security.md': '# Security' })
  assert.match(findUnprovenRequirements(tree)[0]?.message ?? '', /no heading/)
})
