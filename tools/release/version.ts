import { isRecord } from '../check/values.ts'

// What a new version changes in the files that name it. Texts in, texts out; main.ts reads and writes.

export const LOCK = 'package-lock.json'
/** Where it stands in a text, such as `tollgate:1.2.0`. */
export const NAMED_IN = [
  'deploy/helm/Chart.yaml',
  'deploy/helm/values.yaml',
  'deploy/helm/examples/live.yaml',
  'deploy/helm/examples/sandbox.yaml',
  'docs/guides/medusa.md',
  'packages/sdk/README.md',
]
/** The manifest of the root, and those of all packages that have its version. */
export const MANIFEST = /^(?:(?:apps|packages)\/[^/]+\/|acceptance\/)?package\.json$/

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/
const OURS = /^@tollgate\//
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** The three numbers of a version; undefined for a text that is none. */
export function numbersOf(version: string): readonly number[] | undefined {
  return VERSION.exec(version)?.slice(1).map(Number)
}

/** Negative when the first is older. Throws for texts that are no versions. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [numbersOf(one), numbersOf(other)]
  if (first === undefined || second === undefined) throw new Error(`${one} or ${other} is no version`)
  return first.map((number, index) => number - (second[index] ?? 0)).find((step) => step !== 0) ?? 0
}

/** A package.json of ours with the version, also where it names its siblings. */
export function manifestAt(text: string, version: string): string {
  const manifest: unknown = JSON.parse(text)
  return print(at(manifest, version))
}

/** The lock file with the version in its entries of ours. */
export function lockAt(text: string, version: string): string {
  const lock: unknown = JSON.parse(text)
  if (!isRecord(lock) || !isRecord(lock['packages'])) throw new Error('package-lock.json has no packages')
  const packages = Object.entries(lock['packages']).map(
    ([path, entry]) => [path, path.includes('node_modules/') ? entry : at(entry, version)] as const,
  )
  return print({ ...lock, version, packages: Object.fromEntries(packages) })
}

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function at(manifest: unknown, version: string): unknown {
  if (!isRecord(manifest)) throw new Error('a package is no object')
  const entries = Object.entries(manifest).map(([name, value]) => {
    if (name === 'version') return [name, version]
    return [name, DEPENDENCIES.includes(name) ? dependenciesAt(value, version) : value]
  })
  return Object.fromEntries(entries)
}

function dependenciesAt(dependencies: unknown, version: string): unknown {
  if (!isRecord(dependencies)) throw new Error('dependencies are no object')
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, wanted]) => [name, OURS.test(name) ? version : wanted]),
  )
}

const UNRELEASED = '## [Unreleased]\n'
const SECTION = /^## \[([^\]]+)\]/gm

/** The versions of a changelog, newest first. */
export const releasesOf = (changelog: string): readonly string[] =>
  [...changelog.matchAll(SECTION)].flatMap(([, name = '']) => (name === 'Unreleased' ? [] : [name]))

/** The changelog in which what was not released belongs to the version, of that day (YYYY-MM-DD). Throws when there is nothing. */
export function changelogAt(changelog: string, version: string, day: string): string {
  const start = changelog.indexOf(UNRELEASED)
  if (start < 0) throw new Error('CHANGELOG.md has no section [Unreleased]')
  const rest = changelog.slice(start + UNRELEASED.length)
  const [what = ''] = rest.split(/^## \[/m)
  if (what.trim() === '')
    throw new Error('CHANGELOG.md says nothing under [Unreleased]: there is nothing to release.')
  return `${changelog.slice(0, start)}${UNRELEASED}\n## [${version}] - ${day}\n${rest}`
}

/** What changed by a version, as its tag tells it. */
export function changesOf(changelog: string, version: string): string {
  const [, after = ''] = changelog.split(`## [${version}]`)
  const [said = ''] = after.split(/^## \[/m)
  return said.slice(said.indexOf('\n') + 1).trim()
}
