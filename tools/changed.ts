import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A file named in a source: by an import, by `import()`, or beside it as a URL. */
const NAMED = /(?:from|import|import\()\s*'([^']+)'|new URL\('([^']+)'/g
const PACKAGE = /^@tollgate\/([a-z-]+)(?:\/([a-z-]+))?$/
/** What sources read without importing it: whatever is in these folders concerns every test of the folder's owner. */
const READ_BY_ALL: readonly (readonly [folder: string, owner: string])[] = [
  ['apps/gateway/migrations/', 'apps/gateway/'],
  ['apps/gateway/seed/', 'apps/gateway/'],
]

/**
 * Those of the test files that reach, by their imports, a file that changed since `base`, or that is new. Tests that only speak HTTP
 * to the gateway import nothing of it, so of those only the changed ones are here.
 */
export function testsOfChanges(tests: readonly string[], base: string): readonly string[] {
  const changed = changedSince(base)
  const owners = READ_BY_ALL.filter(([folder]) => [...changed].some((path) => path.startsWith(folder)))
  const reaches = createReach((path) => changed.has(path))
  return tests.filter((test) => owners.some(([, owner]) => test.startsWith(owner)) || reaches(test))
}

function changedSince(base: string): ReadonlySet<string> {
  const git = (...args: string[]): string[] =>
    execFileSync('git', [...args, '-z'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).split('\0')
  const paths = [
    ...git('diff', '--name-only', '--merge-base', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return new Set(paths.filter((path) => path !== ''))
}

/** Whether a file, or what it imports, is wanted. What a source imports is read once. */
function createReach(isWanted: (path: string) => boolean): (start: string) => boolean {
  const imports = new Map<string, readonly string[]>()
  const importsOf = (path: string): readonly string[] => {
    const found = imports.get(path) ?? (path.endsWith('.ts') && existsSync(path) ? readImports(path) : [])
    imports.set(path, found)
    return found
  }
  return (start) => {
    const seen = new Set([start])
    for (const path of seen) {
      if (isWanted(path)) return true
      for (const named of importsOf(path)) seen.add(named)
    }
    return false
  }
}

function readImports(path: string): readonly string[] {
  return [...readFileSync(path, 'utf8').matchAll(NAMED)].flatMap(([, imported, beside]) => {
    const name = imported ?? beside ?? ''
    const [, ours, door = 'index'] = PACKAGE.exec(name) ?? []
    if (ours !== undefined) return [`packages/${ours}/src/${door}.ts`]
    return name.startsWith('.') || beside !== undefined ? [normalize(join(dirname(path), name))] : []
  })
}
