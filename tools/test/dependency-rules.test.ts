import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isRecord } from '../check/values.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CONFIG = join(ROOT, '.dependency-cruiser.cjs')
const CRUISER = join(ROOT, 'node_modules/.bin/depcruise')
const RUN_MILLISECONDS_MAX = 60_000

/** One import: who, whom (a path of the tree, or the name of an npm package), and whether it is `import type`. */
type Edge = { from: string; to: string; typeOnly?: boolean }
type Offence = Edge & { rule: string }
type Violation = { rule: { name: string }; from: string; to: string }

const gateway = (path: string): string => `apps/gateway/src/${path}`
const room = (path: string): string => gateway(`modules/${path}`)

/** Files in order: not one rule fires here, although each permitted door is used. */
const ORDERLY: readonly Edge[] = [
  { from: gateway('main.ts'), to: gateway('app.ts') },
  { from: gateway('main.ts'), to: gateway('cli/index.ts') },
  { from: gateway('cli/index.ts'), to: 'commander' },
  { from: gateway('cli/index.ts'), to: room('payins/index.ts') },
  { from: gateway('app.ts'), to: 'fastify' },
  { from: gateway('app.ts'), to: gateway('http/index.ts') },
  { from: gateway('app.ts'), to: gateway('rails/sepa/index.ts') },
  { from: gateway('app.ts'), to: gateway('rails/cash.ts') },
  { from: gateway('rails/cash.ts'), to: gateway('rails/rail.ts') },
  ...['merchants', 'ledger', 'payments', 'payins', 'payouts', 'settlements'].flatMap((name) => [
    { from: gateway('app.ts'), to: room(`${name}/index.ts`) },
    { from: room(`${name}/index.ts`), to: room(`${name}/service.ts`) },
    { from: room(`${name}/service.ts`), to: room(`${name}/store.ts`) },
    { from: room(`${name}/store.ts`), to: room(`${name}/model.ts`) },
    { from: room(`${name}/store.ts`), to: gateway('platform/db/index.ts') },
    { from: gateway('app.ts'), to: room(`${name}/routes.ts`) },
    { from: room(`${name}/index.ts`), to: room(`${name}/routes.ts`), typeOnly: true },
    { from: room(`${name}/routes.ts`), to: room(`${name}/service.ts`) },
    { from: room(`${name}/routes.ts`), to: 'fastify' },
    { from: room(`${name}/routes.ts`), to: gateway('http/index.ts') },
    { from: room(`${name}/model.ts`), to: '@tollgate/money' },
    { from: room(`${name}/test/${name}.test.ts`), to: room(`${name}/model.ts`) },
  ]),
  { from: 'lab/faults/run.ts', to: 'lab/rig/server.ts' },
  { from: 'lab/faults/run.ts', to: 'lab/faults/kinds/restart.ts' },
  { from: room('payments/store.ts'), to: room('merchants/index.ts'), typeOnly: true },
  { from: room('payments/store.ts'), to: gateway('rails/rail.ts'), typeOnly: true },
  { from: room('payments/model.ts'), to: room('merchants/index.ts'), typeOnly: true },
  { from: room('payments/model.ts'), to: gateway('platform/refusal.ts') },
  { from: room('payments/service.ts'), to: room('ledger/index.ts') },
  { from: room('payments/service.ts'), to: gateway('rails/rail.ts') },
  { from: room('payins/service.ts'), to: room('payments/index.ts') },
  { from: room('settlements/service.ts'), to: room('payouts/index.ts') },
  { from: room('payins/test/payins.test.ts'), to: '@tollgate/testkit' },
  { from: gateway('rails/sepa/index.ts'), to: gateway('rails/rail.ts') },
  { from: gateway('rails/sepa/index.ts'), to: gateway('rails/sepa/wire.ts') },
  { from: room('merchants/service.ts'), to: gateway('http/index.ts'), typeOnly: true },
  { from: room('merchants/model.ts'), to: 'node:crypto' },
  { from: room('merchants/store.ts'), to: 'node:crypto' },
  { from: gateway('platform/db/index.ts'), to: 'pg' },
  { from: gateway('platform/db/index.ts'), to: gateway('platform/clock.ts') },
  { from: gateway('http/index.ts'), to: 'fastify' },
  { from: gateway('http/index.ts'), to: '@tollgate/contract' },
  { from: 'packages/sdk/src/index.ts', to: '@tollgate/contract', typeOnly: true },
  { from: 'packages/testkit/src/index.ts', to: 'pg' },
  { from: 'packages/contract/src/index.ts', to: 'packages/contract/src/errors.ts' },
  { from: 'acceptance/5.test.ts', to: '@tollgate/sdk' },
  { from: 'acceptance/5.test.ts', to: '@tollgate/testkit' },
  { from: 'tools/dump.ts', to: 'pg' },
  { from: 'tools/dump.ts', to: gateway('platform/db/index.ts') },
]

/** The same files with every rule broken at a known place. */
const OFFENCES: readonly Offence[] = [
  {
    rule: 'statements-formats',
    from: room('statements/formats/camt.ts'),
    to: room('statements/lines/line-store.ts'),
  },
  {
    rule: 'statements-lines',
    from: room('statements/lines/suspense.ts'),
    to: room('statements/matching/matching.ts'),
  },
  {
    rule: 'statements-matching',
    from: room('statements/matching/matching.ts'),
    to: room('statements/import/import.ts'),
  },
  {
    rule: 'statements-import',
    from: room('statements/import/import.ts'),
    to: room('statements/people/decisions.ts'),
  },
  { rule: 'rank-0-looks-down-only', from: room('ledger/service.ts'), to: room('merchants/index.ts') },
  {
    rule: 'payments-privacy',
    from: room('payments/privacy/erasure.ts'),
    to: room('payments/progress/transitions.ts'),
  },
  {
    rule: 'payments-progress',
    from: room('payments/progress/phases.ts'),
    to: room('payments/people/review.ts'),
  },
  {
    rule: 'payments-people',
    from: room('payments/people/review.ts'),
    to: room('payments/accept/request.ts'),
  },
  {
    rule: 'payments-accept',
    from: room('payments/accept/request.ts'),
    to: room('payments/progress/task-store.ts'),
  },
  { rule: 'rank-0-looks-down-only', from: room('merchants/service.ts'), to: room('payments/index.ts') },
  { rule: 'rank-1-looks-down-only', from: room('tokens/index.ts'), to: room('payments/index.ts') },
  { rule: 'rank-2-looks-down-only', from: room('payments/service.ts'), to: room('payins/index.ts') },
  { rule: 'rank-3-looks-down-only', from: room('payins/service.ts'), to: room('payouts/index.ts') },
  { rule: 'rank-4-looks-down-only', from: room('settlements/service.ts'), to: room('statements/index.ts') },
  { rule: 'packages-below-apps', from: 'packages/money/src/index.ts', to: gateway('platform/clock.ts') },
  { rule: 'packages-use-the-door', from: gateway('config.ts'), to: 'packages/contract/src/errors.ts' },
  { rule: 'apps-speak-http', from: 'apps/checkout/src/main.ts', to: gateway('config.ts') },
  { rule: 'sdk-takes-types-only', from: 'packages/sdk/src/sign.ts', to: '@tollgate/contract' },
  { rule: 'testkit-is-for-tests', from: gateway('platform/seed.ts'), to: '@tollgate/testkit' },
  { rule: 'acceptance-is-a-stranger', from: 'acceptance/6.test.ts', to: gateway('config.ts') },
  { rule: 'acceptance-is-a-stranger', from: 'acceptance/6.test.ts', to: '@tollgate/contract' },
  { rule: 'lab-apart', from: 'lab/faults/run.ts', to: 'lab/bench/table.ts' },
  { rule: 'lab-apart', from: 'lab/rig/server.ts', to: 'lab/faults/run.ts' },
  { rule: 'lab-apart', from: 'lab/cells/run.ts', to: 'lab/bench/run.ts' },
  { rule: 'ships-what-it-needs', from: gateway('platform/clock.ts'), to: 'only-for-tests' },
  { rule: 'ships-what-it-needs', from: gateway('platform/clock.ts'), to: 'of-nobody' },
  { rule: 'product-never-imports-tests', from: gateway('seed.ts'), to: room('payins/test/payins.test.ts') },
  { rule: 'product-never-imports-tests', from: gateway('seed.ts'), to: 'tools/dump.ts' },
  { rule: 'platform-knows-no-domain', from: gateway('platform/clock.ts'), to: room('rates/index.ts') },
  { rule: 'platform-knows-no-domain', from: gateway('platform/clock.ts'), to: gateway('http/errors.ts') },
  { rule: 'platform-pieces-have-doors', from: gateway('http/pool.ts'), to: gateway('platform/db/pool.ts') },
  {
    rule: 'platform-neighbours-knock',
    from: gateway('platform/jobs/claim.ts'),
    to: gateway('platform/db/pool.ts'),
  },
  { rule: 'http-knows-no-module', from: gateway('http/errors.ts'), to: room('payins/index.ts') },
  { rule: 'http-stays-at-the-edge', from: room('payins/jobs.ts'), to: gateway('http/index.ts') },
  { rule: 'nobody-imports-the-frame', from: room('callbacks/index.ts'), to: gateway('app.ts') },
  { rule: 'fastify-at-the-edge', from: room('payouts/service.ts'), to: 'fastify', typeOnly: true },
  { rule: 'fastify-at-the-edge', from: gateway('platform/log.ts'), to: '@fastify/swagger' },
  { rule: 'commander-at-the-prompt', from: gateway('platform/ask.ts'), to: 'commander' },
  { rule: 'one-door-to-postgres', from: room('payouts/store.ts'), to: 'pg', typeOnly: true },
  { rule: 'one-door-to-postgres', from: 'acceptance/7.test.ts', to: 'pg' },
  { rule: 'every-room-has-a-rank', from: room('lottery/index.ts'), to: '@tollgate/money' },
  { rule: 'modules-use-the-door', from: room('payins/service.ts'), to: room('payments/model.ts') },
  { rule: 'outside-uses-the-door', from: gateway('app.ts'), to: room('payins/model.ts') },
  { rule: 'settings-read-models-only', from: gateway('settings.ts'), to: room('callbacks/index.ts') },
  { rule: 'routes-are-for-the-server', from: room('callbacks/index.ts'), to: room('callbacks/routes.ts') },
  { rule: 'routes-are-for-the-server', from: gateway('cli/index.ts'), to: room('topups/routes.ts') },
  {
    rule: 'modules-know-only-the-rail-shape',
    from: room('topups/index.ts'),
    to: gateway('rails/sepa/index.ts'),
  },
  { rule: 'rails-are-leaves', from: gateway('rails/swift/index.ts'), to: gateway('rails/sepa/index.ts') },
  { rule: 'rails-are-leaves', from: gateway('rails/cash.ts'), to: room('catalogue/index.ts') },
  { rule: 'routes-do-not-touch-sql', from: room('payins/operator-routes.ts'), to: room('payins/store.ts') },
  { rule: 'routes-do-not-touch-sql', from: room('payins/routes.ts'), to: gateway('platform/db/index.ts') },
  { rule: 'store-holds-only-sql', from: room('payins/store.ts'), to: room('payins/jobs.ts') },
  { rule: 'store-holds-only-sql', from: room('payments/task-store.ts'), to: gateway('http/errors.ts') },
  { rule: 'store-takes-only-types', from: room('payments/task-store.ts'), to: gateway('rails/rail.ts') },
  { rule: 'store-takes-only-types', from: room('payins/store.ts'), to: room('rates/index.ts') },
  { rule: 'model-is-pure', from: room('payins/model.ts'), to: gateway('platform/ids.ts') },
  { rule: 'model-is-pure', from: room('payins/model.ts'), to: 'node:fs' },
  { rule: 'store-holds-only-sql', from: room('payins/store.ts'), to: 'node:fs' },
  { rule: 'model-is-pure', from: room('payouts/model.ts'), to: room('payouts/store.ts') },
  { rule: 'no-cycles', from: gateway('platform/one.ts'), to: gateway('platform/two.ts') },
  { rule: 'everything-resolves', from: gateway('platform/lost.ts'), to: 'no-such-package' },
  { rule: 'no-orphans', from: gateway('platform/lost.ts'), to: gateway('platform/lost.ts') },
]

/** The npm packages and our own, as `node_modules` shows them. */
const DEPENDENCIES = ['pg', 'fastify', '@fastify/swagger', 'commander']
const NPM_PACKAGES = [...DEPENDENCIES, 'only-for-tests', 'of-nobody']
const OUR_PACKAGES = ['contract', 'money', 'sdk', 'testkit']

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function specifier({ from, to }: Edge): string {
  if (!/[.]ts$/.test(to)) return to
  const relative = posix.relative(posix.dirname(from), to)
  return relative.startsWith('.') ? relative : `./${relative}`
}

function statement(edge: Edge): string {
  return edge.typeOnly === true
    ? `import type { x } from '${specifier(edge)}'`
    : `import { x } from '${specifier(edge)}'`
}

/** The importing file's text; an imported file that imports nothing is there, too. */
function buildTree(root: string, edges: readonly Edge[]): void {
  const texts = new Map<string, string[]>()
  for (const edge of edges) {
    texts.set(edge.from, [...(texts.get(edge.from) ?? []), statement(edge)])
    if (/[.]ts$/.test(edge.to)) texts.set(edge.to, texts.get(edge.to) ?? [])
  }
  for (const [path, lines] of texts) write(root, path, `${lines.join('\n')}\nexport const x = 1\n`)
  for (const name of OUR_PACKAGES) {
    const manifest = { name: `@tollgate/${name}`, type: 'module', exports: { '.': './src/index.ts' } }
    write(root, `packages/${name}/package.json`, JSON.stringify(manifest))
    if (!texts.has(`packages/${name}/src/index.ts`))
      write(root, `packages/${name}/src/index.ts`, 'export const x = 1\n')
    mkdirSync(join(root, 'node_modules/@tollgate'), { recursive: true })
    symlinkSync(`../../packages/${name}`, join(root, 'node_modules/@tollgate', name))
  }
  for (const name of NPM_PACKAGES) {
    write(
      root,
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, type: 'module', main: 'index.js' }),
    )
    write(root, `node_modules/${name}/index.js`, 'export const x = 1\n')
  }
  const ours = OUR_PACKAGES.map((name) => `@tollgate/${name}`)
  const manifest = {
    dependencies: Object.fromEntries([...DEPENDENCIES, ...ours].map((name) => [name, '1.0.0'])),
    devDependencies: { 'only-for-tests': '1.0.0' },
  }
  write(root, 'package.json', JSON.stringify(manifest))
  const options = { module: 'nodenext', allowImportingTsExtensions: true, noEmit: true }
  write(root, 'tsconfig.json', JSON.stringify({ compilerOptions: options }))
}

/** Where the cruiser says an import leads. */
function target({ to }: Edge): string {
  if (/[.]ts$/.test(to)) return to
  if (to.startsWith('@tollgate/')) return `packages/${to.slice('@tollgate/'.length)}/src/index.ts`
  return NPM_PACKAGES.includes(to) ? `node_modules/${to}/index.js` : to.replace('node:', '')
}

function isViolation(value: unknown): value is Violation {
  return isRecord(value) && isRecord(value['rule']) && typeof value['from'] === 'string'
}

/** Every violation in the tree, as `rule: from → to`. */
function cruise(root: string): string[] {
  const folders = ['apps', 'packages', 'acceptance', 'tools', 'lab']
  const run = spawnSync(
    process.execPath,
    [CRUISER, '--config', CONFIG, '--output-type', 'json', ...folders],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: RUN_MILLISECONDS_MAX,
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  const report: unknown = JSON.parse(run.stdout)
  assert(
    isRecord(report) && isRecord(report['summary']) && Array.isArray(report['summary']['violations']),
    run.stderr,
  )
  return report['summary']['violations']
    .filter(isViolation)
    .map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
}

describe('the dependency rules', () => {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-rules-'))
  let broken: string[] = []

  before(() => {
    const wayBack = { from: gateway('platform/two.ts'), to: gateway('platform/one.ts') } // closes the cycle
    buildTree(join(root, 'broken'), [...ORDERLY, wayBack, ...OFFENCES.filter(({ from, to }) => from !== to)])
    broken = cruise(join(root, 'broken'))
  })
  after(() => {
    rmSync(root, { recursive: true, force: true })
  })

  test('are silent where all is in order', () => {
    buildTree(join(root, 'orderly'), ORDERLY)
    assert.deepEqual(cruise(join(root, 'orderly')), [])
  })

  for (const offence of OFFENCES) {
    test(`${offence.rule} sees ${offence.from} import ${offence.to}`, () => {
      const expected = `${offence.rule}: ${offence.from} → ${target(offence)}`
      assert(broken.includes(expected), `${expected} is missing from\n${broken.join('\n')}`)
    })
  }

  test('each have an offence here', () => {
    const config: unknown = createRequire(import.meta.url)(CONFIG)
    assert(isRecord(config) && Array.isArray(config['forbidden']))
    const names = config['forbidden'].filter(isRecord).map(({ name }) => String(name))
    assert.deepEqual(new Set(OFFENCES.map(({ rule }) => rule)), new Set(names))
  })
})
