import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { treeOf } from '../check/tree.ts'
import { findOtherVersions } from '../check/versions.ts'
import { NAMED_IN } from '../release/version.ts'

const RELEASE = resolve(import.meta.dirname, '../release/main.ts')
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(NAMED_IN.map((path) => [path, 'tollgate:0.1.0 and node 24.1.0\n'])),
  'package.json': pretty({ name: 'tollgate', version: '0.1.0', devDependencies: { other: '0.1.0' } }),
  'apps/gateway/package.json': pretty({
    name: '@tollgate/gateway',
    version: '0.1.0',
    dependencies: { '@tollgate/money': '0.1.0', other: '0.1.0' },
  }),
  'package-lock.json': pretty({
    version: '0.1.0',
    packages: {
      '': { version: '0.1.0' },
      'apps/gateway': { version: '0.1.0', dependencies: { '@tollgate/money': '0.1.0' } },
      'node_modules/other': { version: '0.1.0' },
    },
  }),
  'CHANGELOG.md': '# Changes\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n',
}

interface Repository {
  readonly folder: string
  read(path: string): string
  write(path: string, text: string): void
  git(...args: readonly string[]): string
  release(version: string): { readonly status: number | null; readonly stderr: string }
}

function repositoryOf(t: TestContext): Repository {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-release-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const run = (program: string, args: readonly string[]) =>
    spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = run('git', args)
    assert.equal(status, 0, stderr)
    return stdout.trim()
  }
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(FILES)) write(path, text)
  git('init', '--quiet')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@tollgate.test')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'All')
  return {
    folder,
    write,
    git,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    release: (version) => run(process.execPath, [RELEASE, version]),
  }
}

test('a version is one commit that names it everywhere, and a tag that says what changed', (t) => {
  const { read, write, git, release } = repositoryOf(t)
  const { status, stderr } = release('0.2.0')
  assert.equal(status, 0, stderr)
  assert.equal(git('status', '--porcelain'), '')
  assert.match(git('log', '-1', '--format=%B'), /^Version 0\.2\.0\n\nSigned-off-by: Somebody/)
  assert.match(git('tag', '--list', '-n9', 'v0.2.0'), /0\.2\.0\n\s+### Added\n\s+- A thing\./)
  const day = new Date().toISOString().slice(0, 10)
  assert.match(
    read('CHANGELOG.md'),
    new RegExp(`## \\[Unreleased\\]\n\n## \\[0\\.2\\.0\\] - ${day}\n\n### Added`),
  )
  for (const path of NAMED_IN) assert.equal(read(path), 'tollgate:0.2.0 and node 24.1.0\n', path)
  assert.deepEqual(JSON.parse(read('apps/gateway/package.json')), {
    name: '@tollgate/gateway',
    version: '0.2.0',
    dependencies: { '@tollgate/money': '0.2.0', other: '0.1.0' },
  })
  assert.deepEqual(JSON.parse(read('package-lock.json')), {
    version: '0.2.0',
    packages: {
      '': { version: '0.2.0' },
      'apps/gateway': { version: '0.2.0', dependencies: { '@tollgate/money': '0.2.0' } },
      'node_modules/other': { version: '0.1.0' },
    },
  })
  write('CHANGELOG.md', read('CHANGELOG.md').replace('## [Unreleased]\n', '## [Unreleased]\n\n- Another.\n'))
  git('commit', '--quiet', '--all', '--message', 'Another')
  assert.equal(release('0.10.0').status, 0)
  assert.match(git('tag', '--list', '-n9', 'v0.10.0'), /- Another\.$/)
})

test('what is no version, or none that is new, is refused and changes nothing', (t) => {
  const { write, git, release } = repositoryOf(t)
  const refused = (version: string, why: RegExp): void => {
    const head = git('rev-parse', 'HEAD')
    const { status, stderr } = release(version)
    assert.equal(status, 1)
    assert.match(stderr, why)
    assert.equal(git('rev-parse', 'HEAD'), head)
    assert.doesNotMatch(git('tag', '--list'), /v(?!0\.1\.0)/)
  }
  refused('', /Name a version of three numbers, such as 1\.2\.0/)
  refused('v1.2.0', /Name a version/)
  refused('01.2.0', /Name a version/)
  refused('0.0.9', /0\.0\.9 is not newer than 0\.1\.0/)
  write('README.md', 'new')
  refused('0.2.0', /The working tree has changes/)
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Read me')
  // The first release may have the version that the packages have from their beginning.
  assert.equal(release('0.1.0').status, 0)
  refused('0.1.0', /0\.1\.0 is not newer than 0\.1\.0/)
  refused('0.2.0', /nothing under \[Unreleased\]/)
  assert.equal(git('status', '--porcelain'), '')
})

test('a package of another version is found, and a page that names another', () => {
  const found = (changes: Readonly<Record<string, string>>): string[] =>
    findOtherVersions(treeOf({ ...FILES, ...changes })).map(({ path }) => path)
  assert.deepEqual(found({}), [])
  assert.deepEqual(
    found({
      'apps/gateway/package.json': (FILES['apps/gateway/package.json'] ?? '').replace(
        '"@tollgate/money": "0.1.0"',
        '"@tollgate/money": "0.0.9"',
      ),
    }),
    ['apps/gateway/package.json'],
  )
  assert.deepEqual(found({ 'deploy/helm/Chart.yaml': 'appVersion: 0.2.0' }), ['deploy/helm/Chart.yaml'])
  assert.deepEqual(
    found({
      'package-lock.json': (FILES['package-lock.json'] ?? '').replace(
        '"": {\n      "version": "0.1.0"',
        '"": {\n      "version": "0.3.0"',
      ),
    }),
    ['package-lock.json'],
  )
})
