import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findLonelyExports } from '../check/exports.ts'
import { findLongFiles } from '../check/file-size.ts'
import { findLeftovers } from '../check/leftovers.ts'
import { findUnorderedMigrations } from '../check/migrations.ts'
import { findUntidyRooms } from '../check/rooms.ts'
import { findForeignTables } from '../check/tables.ts'
import { type Finding, printFinding, treeOf } from '../check/tree.ts'

// What `npm run check` asks of source: rooms, tables, migrations, exports.

const places = (findings: readonly Finding[]): string[] =>
  findings.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`))

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
