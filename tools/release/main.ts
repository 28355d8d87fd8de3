import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { isRecord } from '../check/values.ts'
import {
  changelogAt,
  changesOf,
  compareVersions,
  LOCK,
  lockAt,
  MANIFEST,
  manifestAt,
  NAMED_IN,
  numbersOf,
  releasesOf,
} from './version.ts'

// `npm run release -- 1.2.0` makes a version: one commit that names it everywhere, and a tag on it. It pushes nothing.
// Run in the root of the repository.

const CHANGELOG = 'CHANGELOG.md'

/** What keeps us from a release. One sentence for who asked for it. */
class NotReleased extends Error {
  override readonly name = 'NotReleased'
}

const read = (path: string): string => readFileSync(path, 'utf8')
const change = (path: string, to: (text: string) => string): void => writeFileSync(path, to(read(path)))

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) throw new NotReleased(`git ${args[0] ?? ''}: ${stderr.trim()}`)
  return stdout.trim()
}

function currentVersion(): string {
  const manifest: unknown = JSON.parse(read('package.json'))
  if (!isRecord(manifest) || typeof manifest['version'] !== 'string')
    throw new NotReleased('package.json has no version')
  return manifest['version']
}

function requireReleasable(version: string, current: string): void {
  if (numbersOf(version) === undefined)
    throw new NotReleased(
      `Name a version of three numbers, such as 1.2.0: npm run release -- 1.2.0. The current one is ${current}.`,
    )
  const [newest] = releasesOf(read(CHANGELOG))
  if (
    compareVersions(version, current) < 0 ||
    (newest !== undefined && compareVersions(version, newest) <= 0)
  )
    throw new NotReleased(`${version} is not newer than ${newest ?? current}.`)
  if (git('tag', '--list', tagOf(version)) !== '')
    throw new NotReleased(`There is a tag ${tagOf(version)} already.`)
  if (git('status', '--porcelain') !== '')
    throw new NotReleased(
      'The working tree has changes. Commit them first: a version is what everybody can see.',
    )
}

const tagOf = (version: string): string => `v${version}`

function release(version: string): void {
  const current = currentVersion()
  requireReleasable(version, current)
  const day = new Date().toISOString().slice(0, 10)
  change(CHANGELOG, (text) => changelogAt(text, version, day))
  for (const path of git('ls-files').split('\n'))
    if (MANIFEST.test(path)) change(path, (text) => manifestAt(text, version))
  change(LOCK, (text) => lockAt(text, version))
  for (const path of NAMED_IN) change(path, (text) => text.replaceAll(current, version))
  git('commit', '--all', '--signoff', '--message', `Version ${version}`)
  git(
    'tag',
    '--annotate',
    tagOf(version),
    '--message',
    `${version}\n\n${changesOf(read(CHANGELOG), version)}`,
    '--cleanup=whitespace',
  )
  console.log(
    `Version ${version} is committed and tagged ${tagOf(version)}. Push both: git push --follow-tags`,
  )
}

try {
  release(process.argv[2] ?? '')
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  process.exitCode = 1
}
