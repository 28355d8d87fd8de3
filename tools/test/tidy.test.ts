import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findUndrawnParts } from '../check/architecture.ts'
import { findAttackRowGaps, readAttackRows } from '../check/attack-rows.ts'
import { findDeadPaths } from '../check/doc-paths.ts'
import { findErrorPageGaps } from '../check/error-pages.ts'
import { findLonelyExports } from '../check/exports.ts'
import { findLongFiles } from '../check/file-size.ts'
import { findUnexplainedStatuses } from '../check/glossary.ts'
import { findLeftovers } from '../check/leftovers.ts'
import { findUnorderedMigrations } from '../check/migrations.ts'
import { findUntidyRooms } from '../check/rooms.ts'
import { findSilencedTests } from '../check/silenced-tests.ts'
import { documentedAnswers, findStatusGaps } from '../check/status-tests.ts'
import { findForeignTables } from '../check/tables.ts'
import { findWrongStops } from '../check/tour.ts'
import { type Finding, printFinding, treeOf } from '../check/tree.ts'

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

describe('leftover notes', () => {
  const note = (word: string): string => `const a = 1\n// ${word}: later\n`

  test('are found in comments of code, SQL and shell', () => {
    const tree = treeOf({
      'a.ts': note('TO' + 'DO'),
      'b.sql': `select 1; -- ${'FIX' + 'ME'}`,
      '.ci/run': `# ${'XX' + 'X'} later`,
      'c.ts': `/**\n * ${'TO' + 'DO'} later\n */`,
    })
    assert.deepEqual(places(findLeftovers(tree)), ['a.ts:2', 'b.sql:1', '.ci/run:1', 'c.ts:2'])
  })

  test('are not data: the same letters are a currency code', () => {
    assert.deepEqual(
      findLeftovers(treeOf({ 'a.ts': `const none = '${'XX' + 'X'}'`, 'notes.txt': note('TO' + 'DO') })),
      [],
    )
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

describe('rooms', () => {
  const room = 'apps/gateway/src/modules/payins/'

  test('have a README and a door, and no file of an unknown name', () => {
    const tree = treeOf({
      [`${room}payin-dal.ts`]: '',
      [`${room}helpers/a.ts`]: '',
      'apps/gateway/src/modules/util.ts': '',
    })
    assert.deepEqual(places(findUntidyRooms(tree)), [
      'apps/gateway/src/modules/util.ts',
      room,
      room,
      `${room}payin-dal.ts`,
      `${room}helpers/`,
    ])
  })

  test('may hold more than the usual when their README says so', () => {
    const tree = treeOf({
      [`${room}README.md`]: 'The fees are in `fees.ts`, the texts in `texts/`.',
      [`${room}index.ts`]: '',
      [`${room}operator-routes.ts`]: '',
      [`${room}fees.ts`]: '',
      [`${room}texts/en.ts`]: '',
      [`${room}test/payins.test.ts`]: '',
    })
    assert.deepEqual(findUntidyRooms(tree), [])
  })
})

describe('migrations', () => {
  const judge = (...names: string[]): string[] =>
    places(
      findUnorderedMigrations(
        treeOf(Object.fromEntries(names.map((name) => [`apps/gateway/migrations/${name}`, '']))),
      ),
    ).map((path) => path.replace('apps/gateway/migrations/', ''))

  test('in order are numbered from 0001 without a gap, with the dump and tests beside them', () => {
    const names = [
      '0001_merchants_create.sql',
      '0002_payments_add_fee.sql',
      '0002_payments_add_fee.test.sql',
      'schema.sql',
    ]
    assert.deepEqual(judge(...names), [])
  })

  test('out of order are named', () => {
    assert.deepEqual(judge('0002_a_b.sql'), ['0002_a_b.sql'])
    assert.deepEqual(judge('0001_a_b.sql', '0003_a_b.sql', '0004_a_b.sql'), ['0003_a_b.sql'])
    assert.deepEqual(judge('0001_a_b.sql', '0001_a_c.sql'), ['0001_a_c.sql'])
    assert.deepEqual(judge('0001_a_b.sql', '0001_z_z.test.sql'), ['0001_z_z.test.sql'])
    assert.deepEqual(judge('1_a_b.sql', '0001_create.sql', '0001_Payins_add.sql'), [
      '0001_Payins_add.sql',
      '0001_create.sql',
      '1_a_b.sql',
    ])
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

describe('length of files', () => {
  const lines = (count: number): string => 'x\n'.repeat(count)
  const judge = (texts: Record<string, string>, longFiles = {}): string[] =>
    findLongFiles(treeOf(texts), longFiles).map(printFinding)

  test('is at most 500 lines, 600 for a test, and not counted for data', () => {
    assert.deepEqual(
      judge({
        'a.ts': lines(500),
        'a.test.ts': lines(600),
        'package-lock.json': lines(9999),
        'apps/gateway/schema.sql': lines(9999),
      }),
      [],
    )
    assert.match(judge({ 'a.ts': lines(501) }).join(), /501 lines; at most 500/)
    assert.match(judge({ 'a.test.ts': lines(601) }).join(), /601 lines; at most 600/)
  })

  test('of an old offender may only shrink', () => {
    assert.deepEqual(judge({ 'a.ts': lines(700) }, { 'a.ts': 700 }), [])
    assert.match(judge({ 'a.ts': lines(701) }, { 'a.ts': 700 }).join(), /may only shrink/)
    assert.match(judge({ 'a.ts': lines(650) }, { 'a.ts': 700 }).join(), /Write 650 instead of 700/)
    assert.match(judge({ 'a.ts': lines(500) }, { 'a.ts': 700 }).join(), /Take it off/)
    assert.match(judge({}, { 'a.ts': 500 }).join(), /It is gone/)
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

describe('tables and their rooms', () => {
  const ROOMS = 'apps/gateway/src/modules/'
  const tree = (texts: Readonly<Record<string, string>>) =>
    treeOf({
      'apps/gateway/schema.sql':
        'create table balances (\n);\ncreate table payments (\n);\ncreate table root_key (\n);\n',
      [`${ROOMS}ledger/README.md`]: 'Tables: `balances`. The checks also read `payments`.\n',
      [`${ROOMS}payments/README.md`]: 'Table: `payments` (one row per\npayment).\n',
      ...texts,
    })
  const found = (texts: Readonly<Record<string, string>>, writes = NONE, reads = NONE): string[] =>
    findForeignTables(tree(texts), { writes, reads }).map(
      ({ path, line, message }) =>
        `${path.replace(ROOMS, '')}:${line ?? ''} ${message.replace(/[,.].*/s, '')}`,
    )
  const NONE: readonly { readonly in: string; readonly table: string; readonly why: string }[] = []

  test('are in order where each room has SQL about its own tables, and words about others are no SQL', () => {
    assert.deepEqual(
      found({
        [`${ROOMS}ledger/store.ts`]:
          "const A = { text: 'update balances set available = 0' } // update payments set",
        [`${ROOMS}ledger/operator-routes.ts`]: "const A = 'Balances come from payments.'",
        [`${ROOMS}ledger/test/store.test.ts`]: "const A = 'delete from payments'",
        [`${ROOMS}payments/store.ts`]:
          'const A = `with balance as (select 1) select 1 from payments for update of payments`',
        'apps/gateway/src/platform/root-key.ts': "const A = 'select 1 from root_key'",
      }),
      [],
    )
  })

  test('are missed where another room writes or reads them, however the statement is put together', () => {
    assert.deepEqual(
      found({
        [`${ROOMS}ledger/checks.ts`]:
          "const ROWS = 'payments p'\nconst A = { text: `select 1 from \u0024{ROWS}` }",
        [`${ROOMS}ledger/lists.ts`]: "const A = 'select 1 from balances b, payments'",
        [`${ROOMS}ledger/store.ts`]:
          "const A = 'insert into payments as p (id) values ($1) on conflict do update set id = 1'",
        [`${ROOMS}payments/erasure.ts`]:
          "const erase = (table: string) => `delete from \u0024{table} t`\nconst B = erase('balances')\nconst C = 'with a as (update balances set a = 1) select 1'",
        'apps/gateway/src/cli/doctor.ts': "const A = 'select 1 from root_key'",
      }),
      [
        'ledger/checks.ts:2 Reads payments',
        'ledger/lists.ts:1 Reads payments',
        'ledger/store.ts:1 Writes payments',
        'payments/erasure.ts:3 Writes balances',
        'payments/erasure.ts:2 Writes balances',
        'apps/gateway/src/cli/doctor.ts:1 Reads root_key',
      ],
    )
  })

  test('are missed in a function of the database that another room calls', () => {
    const schema = [
      'CREATE OR REPLACE FUNCTION public.pay(of bigint)\nAS $function$\nbegin\n  -- delete from balances\n',
      '  update payments set a = 1;\nend $function$;\ncreate table balances (\n);\ncreate table payments (\n);\n',
    ].join('')
    assert.deepEqual(
      found({
        'apps/gateway/schema.sql': schema,
        [`${ROOMS}ledger/store.ts`]: "const A = 'select * from pay($1)'",
        [`${ROOMS}payments/store.ts`]: "const A = 'select * from pay($1)'",
      }),
      ['ledger/store.ts:1 Writes payments'],
    )
  })

  test('may be touched by an exception: a write includes reads, a read no writes, and one that is not used must go', () => {
    const texts = {
      [`${ROOMS}payments/accept/store.ts`]: "const A = 'update balances set a = 1 from balances b'",
    }
    const exception = { in: 'modules/payments/accept/', table: 'balances', why: 'one round trip' }
    assert.deepEqual(found(texts, [exception]), [])
    assert.deepEqual(found(texts, NONE, [exception]), ['payments/accept/store.ts:1 Writes balances'])
    assert.deepEqual(found({}, [exception]), [
      'tools/check/table-exceptions.ts: modules/payments/accept/ leaves balances alone now',
    ])
  })

  test('have one owner each, and no room has a table that does not exist', () => {
    assert.deepEqual(
      found({
        'apps/gateway/schema.sql':
          'create table balances (\n);\ncreate table payments (\n);\ncreate table refunds (\n);\n',
        [`${ROOMS}payments/README.md`]: 'Tables: `payments`, `balances`, `chargebacks`; all append-only.\n',
      }),
      [
        'payments/README.md: balances belongs to modules/ledger/ already',
        'payments/README.md: apps/gateway/schema',
        'apps/gateway/schema.sql: refunds belongs to no room',
      ],
    )
  })
})

describe('exports that nobody imports', () => {
  test('are found with their lines, be they types, values or lists', () => {
    const findings = findLonelyExports(
      treeOf({
        'a.ts': 'export type Seen = string\nexport type Lonely = Seen\nexport async function alone() {}',
        'b.ts': "import { type Seen as Known } from './a.ts'\nexport { other as renamed } from './c.ts'",
        'c.ts': 'export const other: Known = 1',
        'page.md': "import { alone } from './a.ts'",
      }),
    )
    assert.deepEqual(places(findings), ['a.ts:2', 'a.ts:3', 'b.ts:2'])
    assert.match(findings[2]?.message ?? '', /imports renamed[.] Do not export it/)
  })

  test('are none where a file is asked for as a whole, or is the door of a package', () => {
    const findings = findLonelyExports(
      treeOf({
        'packages/money/package.json': '{"exports":{".":"./src/index.ts"}}',
        'packages/money/src/index.ts': "export { add } from './add.ts'",
        'packages/money/src/add.ts': 'export const add = 1',
        'packages/money/test/add.test.ts': "import { total } from '@tollgate/sdk/sums'",
        'packages/sdk/src/sums.ts': 'export const total = 1',
        'a.ts':
          "import * as b from './b.ts'\nawait import('./c.ts')\nnew URL('d-thread.ts', import.meta.url)",
        'b.ts': 'export const b = 1',
        'c.ts': 'export class C {}',
        'd-thread.ts': 'export const work = 1',
      }),
    )
    assert.deepEqual(findings, [])
  })
})
