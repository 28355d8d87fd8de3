import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../check/audit.ts'
import { findUnwelcomePackages } from '../check/packages.ts'
import { treeOf } from '../check/tree.ts'
import { productionPackages } from '../packages.ts'

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'tollgate' },
    'apps/shop': {
      name: '@us/shop',
      version: '1.0.0',
      license: 'Apache-2.0',
      dependencies: { '@us/money': '1.0.0', a: '1.0.0' },
      optionalDependencies: { elsewhere: '1.0.0' },
      devDependencies: { 'test-tool': '1.0.0' },
    },
    'packages/money': { name: '@us/money', version: '1.0.0', license: 'Apache-2.0' },
    'node_modules/@us/money': { resolved: 'packages/money', link: true },
    'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '^2.0.0' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: '(MIT OR GPL-3.0-only)' },
    'node_modules/b': { version: '1.0.0', license: 'MIT' },
    'node_modules/test-tool': {
      version: '1.0.0',
      dev: true,
      license: 'GPL-3.0-only',
      hasInstallScript: true,
    },
  },
}

const findingsFor = (changes: Readonly<Record<string, object>>, allowScripts: object = {}): string[] =>
  findUnwelcomePackages(
    treeOf({
      'package.json': JSON.stringify({ allowScripts }),
      'package-lock.json': JSON.stringify({ ...LOCK, packages: { ...LOCK.packages, ...changes } }),
    }),
  ).map(({ message }) => message)

test('the packages of production are what apps depend on, each in the version that it finds', () => {
  assert.deepEqual(
    productionPackages(LOCK).map(({ path, version }) => `${path} ${version}`),
    [
      'apps/shop 1.0.0',
      'node_modules/a 1.0.0',
      'node_modules/a/node_modules/b 2.0.0',
      'packages/money 1.0.0',
    ],
  )
})

test('a lock file that lacks a package, or is of another version, is not taken for a whole one', () => {
  const { 'node_modules/a/node_modules/b': _one, 'node_modules/b': _other, ...packages } = LOCK.packages
  assert.throws(() => productionPackages({ ...LOCK, packages }), /node_modules\/a needs b/)
  assert.throws(() => productionPackages({ ...LOCK, lockfileVersion: 2 }), /not of version 3/)
})

test('a licence that nobody has looked at is told, and one to choose is enough', () => {
  assert.deepEqual(findingsFor({}), [])
  assert.match(
    findingsFor({ 'node_modules/a': { version: '1', license: 'SSPL-1.0' } }).join(),
    /^a has .* SSPL-1\.0/,
  )
  assert.match(findingsFor({ 'node_modules/a': { version: '1' } }).join(), /^a has the licence of nobody/)
})

test('a package that runs something when it is installed must be named, allowed to or not', () => {
  const changes = { 'node_modules/a': { version: '1', license: 'MIT', hasInstallScript: true } }
  assert.match(findingsFor(changes).join(), /^a runs a script/)
  for (const allowed of [true, false]) assert.deepEqual(findingsFor(changes, { a: allowed }), [])
})

test('an audit fails for what is high or critical, and only says so when the registry does not answer', () => {
  const report = (severity: string): string =>
    JSON.stringify({ vulnerabilities: { pg: { severity, range: '<8.0.0' } } })
  assert.deepEqual(judge(report('critical')), {
    isFault: true,
    lines: ['pg: critical, versions <8.0.0. See `npm audit`.'],
  })
  assert.equal(judge(report('high')).isFault, true)
  assert.deepEqual(judge(report('moderate')), { isFault: false, lines: [] })
  for (const text of ['', 'not JSON', '{"message":"getaddrinfo ENOTFOUND registry.npmjs.org"}']) {
    const { isFault, lines } = judge(text)
    assert.equal(isFault, false)
    assert.match(lines.join(), /^note: the registry gave no advisories/)
  }
})
