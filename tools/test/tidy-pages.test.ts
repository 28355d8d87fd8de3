import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findUndrawnParts, findUnnamedKeys } from '../check/architecture.ts'
import { findDeadPaths } from '../check/doc-paths.ts'
import { findErrorPageGaps } from '../check/error-pages.ts'
import { findUnexplainedStatuses } from '../check/glossary.ts'
import { findWrongStops } from '../check/tour.ts'
import { type Finding, treeOf } from '../check/tree.ts'

// What `npm run check` asks of pages.

const places = (findings: readonly Finding[]): string[] =>
  findings.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`))

describe('error codes and their pages', () => {
  const tree = treeOf({
    'docs/errors/SYSTEM.md': '',
    'docs/errors/OLD_CODE.md': '',
    'docs/errors/README.md': '',
  })

  test('are one set in both directions', () => {
    const findings = findErrorPageGaps(tree, ['SYSTEM', 'ENTITY_NOT_FOUND'])
    assert.deepEqual(places(findings), ['packages/contract/src/errors.ts', 'docs/errors/OLD_CODE.md'])
    assert.match(findings[0]?.message ?? '', /Write docs\/errors\/ENTITY_NOT_FOUND[.]md/)
    assert.match(findings[1]?.message ?? '', /Delete the page/)
  })

  test('are in order when each has the other', () => {
    assert.deepEqual(findErrorPageGaps(tree, ['SYSTEM', 'OLD_CODE']), [])
  })
})

describe('paths named in pages', () => {
  const judge = (path: string, text: string): string[] =>
    findDeadPaths(treeOf({ [path]: text, 'tools/check.ts': '', 'docs/guides/start.md': '' })).map(
      ({ message }) => message,
    )

  test('exist, as files or folders, with a line or without', () => {
    const text =
      'See `tools/check.ts`, `tools/check.ts:12`, `tools/`, [start](docs/guides/start.md#first) and [web](https://a.b/c).'
    assert.deepEqual(judge('ARCHITECTURE.md', text), [])
  })

  test('are reported when they do not', () => {
    assert.match(judge('docs/a.md', 'See `tools/chekc.ts`.').join(), /There is no tools\/chekc[.]ts/)
    assert.match(judge('docs/a.md', 'See [start](start.md).').join(), /There is no docs\/start[.]md/)
    assert.deepEqual(judge('docs/a.md', 'See [start](./guides/start.md) and [up](../tools/check.ts).'), [])
  })

  test('are not patterns, examples in a fence, or words with a slash', () => {
    const text =
      '`docs/errors/<CODE>.md` `packages/*/src` `apps/{a,b}` `and/or` `POST /payins/a`\n```\n`tools/none.ts`\n```\n'
    assert.deepEqual(judge('README.md', text), [])
  })
})

describe('glossary', () => {
  test('explains every status under its own name', () => {
    const tree = treeOf({
      'docs/glossary.md': '- `CREATED`: accepted. CREATED is the only value before the end.',
    })
    assert.deepEqual(findUnexplainedStatuses(tree, ['CREATED']), [])
    assert.match(
      findUnexplainedStatuses(tree, ['CREATED', 'EXPIRED'])[0]?.message ?? '',
      /`EXPIRED` is not explained/,
    )
  })

  test('has to be there', () => {
    assert.deepEqual(places(findUnexplainedStatuses(treeOf({}), [])), ['docs/glossary.md'])
  })
})

describe('what ARCHITECTURE.md names', () => {
  const files = {
    'apps/gateway/src/app.ts': '',
    'apps/gateway/src/modules/payins/index.ts': '',
    'packages/money/src/index.ts': '',
  }
  const page = 'apps/gateway/ app.ts modules/ `payins` money/'

  test('has everything', () => {
    assert.deepEqual(findUndrawnParts(treeOf({ ...files, 'ARCHITECTURE.md': page })), [])
  })

  test('misses nothing that is new', () => {
    const tree = treeOf({
      ...files,
      'apps/gateway/src/modules/lottery/index.ts': '',
      'ARCHITECTURE.md': page,
    })
    assert.match(findUndrawnParts(tree)[0]?.message ?? '', /modules\/lottery is missing/)
  })

  test('names every key', () => {
    const secrets = "type KeyPurpose =\n  | 'personal-data'\n  | 'lottery'\n  | 'root-key'\n\nexport {}"
    const found = (table: string): readonly Finding[] =>
      findUnnamedKeys(treeOf({ 'ARCHITECTURE.md': table, 'apps/gateway/src/platform/secrets.ts': secrets }))
    assert.deepEqual(found('| `personal-data` | x |\n| `lottery` | y |'), [])
    assert.match(found('| `personal-data` | x |')[0]?.message ?? '', /The key lottery is missing/)
  })
})

describe('stops of the tour', () => {
  const stop = (lines: string): string => `## A stop\n\n\`src/a.ts\`\n\n\`\`\`ts\n${lines}\n\`\`\`\n\n`
  const found = (lines: string): readonly Finding[] =>
    findWrongStops(
      treeOf({ 'docs/tour.md': stop(lines).repeat(10), 'src/a.ts': 'if (a) {\n  pay()\n  tell()\n}\n' }),
    )

  test('show lines that are there, also with some left out', () => {
    assert.deepEqual(found('pay()\ntell()'), [])
    assert.deepEqual(found('if (a) {\n…\n}'), [])
  })

  test('do not show lines that changed', () => {
    assert.equal(found('pay()\nlaugh()').length, 10)
    assert.match(found('laugh()')[0]?.message ?? '', /no longer has these lines: laugh/)
  })

  test('are ten at least', () => {
    const tree = treeOf({ 'docs/tour.md': stop('pay()'), 'src/a.ts': 'pay()' })
    assert.match(findWrongStops(tree)[0]?.message ?? '', /has 1 stops/)
  })
})
