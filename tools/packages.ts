import { isRecord } from './check/values.ts'

// The packages that run in production, as package-lock.json has them: what the programs of apps/ and the SDK depend on.

const LOCK_VERSION = 3
const ROOTS = /^(?:apps\/[^/]+|packages\/sdk)$/

/** One package of the lock file. */
interface Package {
  /** Where it is installed, from the root of the repository: its key in the lock file. */
  readonly path: string
  readonly name: string
  readonly version: string
  /** As the package itself says it, an SPDX expression; undefined when it says nothing. */
  readonly license: string | undefined
  /** `sha512-…` of what was downloaded; undefined for our own. */
  readonly integrity: string | undefined
  readonly hasInstallScript: boolean
  /** Part of this repository. */
  readonly isOurs: boolean
  /** An installation works without it; another platform, for example. */
  readonly isOptional: boolean
  /** Paths of what it depends on. */
  readonly dependsOn: readonly string[]
}

/** All packages of production, by path. Throws when the lock file is not one that npm writes. */
export function productionPackages(lock: unknown): readonly Package[] {
  const entries = entriesOf(lock)
  const found = new Map<string, Package>()
  const open = [...entries.keys()].filter((path) => ROOTS.test(path))
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue
    const one = packageAt(entries, path)
    found.set(path, one)
    open.push(...one.dependsOn)
  }
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

type Entries = ReadonlyMap<string, Readonly<Record<string, unknown>>>

function entriesOf(lock: unknown): Entries {
  if (!isRecord(lock) || lock['lockfileVersion'] !== LOCK_VERSION || !isRecord(lock['packages']))
    throw new Error(`package-lock.json is not of version ${String(LOCK_VERSION)}`)
  return new Map(
    Object.entries(lock['packages']).flatMap(([path, entry]) => (isRecord(entry) ? [[path, entry]] : [])),
  )
}

function packageAt(entries: Entries, path: string): Package {
  const entry = entries.get(path) ?? {}
  const isOurs = !path.includes('node_modules/')
  return {
    path,
    name: textOf(entry['name']) ?? path.replace(/^.*node_modules\//, ''),
    version: textOf(entry['version']) ?? '',
    license: textOf(entry['license']),
    integrity: textOf(entry['integrity']),
    hasInstallScript: entry['hasInstallScript'] === true,
    isOurs,
    isOptional: entry['optional'] === true,
    dependsOn: dependenciesOf(entries, path, entry),
  }
}

function dependenciesOf(
  entries: Entries,
  path: string,
  entry: Readonly<Record<string, unknown>>,
): readonly string[] {
  const needed = namesIn(entry['dependencies']).map((name) => {
    const found = resolveFrom(entries, path, name)
    if (found === undefined) throw new Error(`${path} needs ${name}, which package-lock.json does not have`)
    return found
  })
  const optional = [...namesIn(entry['optionalDependencies']), ...namesIn(entry['peerDependencies'])]
    .map((name) => resolveFrom(entries, path, name))
    .filter((found) => found !== undefined)
  return [...new Set([...needed, ...optional])].sort()
}

/** As Node looks for a package: beside it, then one folder up, and so on. A link is followed to what it names. */
function resolveFrom(entries: Entries, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const entry = entries.get(path)
    if (entry !== undefined) return entry['link'] === true ? textOf(entry['resolved']) : path
    if (folder === '') return undefined
  }
}

const namesIn = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : [])
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
