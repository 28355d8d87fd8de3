import { posix } from 'node:path'
import type { Finding, Tree } from './tree.ts'
import { isRecord } from './values.ts'

const SOURCE = /[.](ts|mjs|js)$/
const DECLARED =
  /^export (?:abstract |async )*(?:function\*?|const enum|const|let|class|type|interface|enum) (\w+)/gm
const LISTED = /^export (?:type )?\{([^}]*)\}/gm
const IMPORTED = /^(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from '([^']+)'/gm
/** The whole file is asked for: by a star, an `import()`, or a URL that a thread or another program starts from. */
const WHOLE = /(?:^(?:import|export) (?:type )?\* (?:as \w+ )?from |\bimport\(\s*|new URL\()'([^']+)'/gm
const PACKAGE = /^@tollgate\/([a-z-]+)(?:\/([a-z-]+))?$/
const PACKAGE_FILE = /^packages\/[a-z-]+\/package[.]json$/

/** A project of Medusa, which asks for exports by their names. */
const READ_BY_MEDUSA = /^lab[/]medusa[/]shop[/]/

/** The file that `named` means in `path`: a path beside it, or a door of one of our packages. */
function fileNamed(path: string, named: string): string | undefined {
  const [, name, door = 'index'] = PACKAGE.exec(named) ?? []
  if (name !== undefined) return `packages/${name}/src/${door}.ts`
  return SOURCE.test(named) ? posix.join(posix.dirname(path), named) : undefined
}

/** `A, type B as C` as pairs: how it is called where it comes from, and here. */
function namesIn(list: string): (readonly [there: string, here: string])[] {
  return list
    .split(',')
    .map((item) => /^(?:type )?(\w+)(?: as (\w+))?$/.exec(item.trim()))
    .flatMap((match) => (match?.[1] === undefined ? [] : [[match[1], match[2] ?? match[1]] as const]))
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Everything that a file exports, with its line. */
function exportsOf(text: string): (readonly [name: string, line: number])[] {
  const declared = [...text.matchAll(DECLARED)].map((match) => [match[1] ?? '', match.index] as const)
  const listed = [...text.matchAll(LISTED)].flatMap((match) =>
    namesIn(match[1] ?? '').map(([, here]) => [here, match.index] as const),
  )
  return [...declared, ...listed].map(([name, index]) => [name, lineAt(text, index)])
}

/** What all files ask of others: `file#name`, or `file` where it is wanted as a whole. */
function askedIn(tree: Tree, paths: readonly string[]): ReadonlySet<string> {
  const asked = new Set<string>()
  for (const path of paths) {
    const text = tree.read(path)
    for (const [, list = '', named = ''] of text.matchAll(IMPORTED)) {
      for (const [there] of namesIn(list)) asked.add(`${fileNamed(path, named)}#${there}`)
    }
    for (const [, named = ''] of text.matchAll(WHOLE)) asked.add(fileNamed(path, named) ?? '')
  }
  return asked
}

/** The doors of packages: what they export is meant for others, who may not be in this repository. */
function doorsOf(tree: Tree): ReadonlySet<string> {
  const packages = tree.files.filter((path) => PACKAGE_FILE.test(path))
  return new Set(
    packages.flatMap((path) => {
      const manifest: unknown = JSON.parse(tree.read(path))
      const doors = isRecord(manifest) && isRecord(manifest['exports']) ? manifest['exports'] : {}
      return Object.values(doors).map((door) => posix.join(posix.dirname(path), String(door)))
    }),
  )
}

/** What no other file asks for is not exported: `export` says that somebody elsewhere depends on it. */
export function findLonelyExports(tree: Tree): Finding[] {
  const paths = tree.files.filter((path) => SOURCE.test(path) && !path.endsWith('.d.ts'))
  const asked = askedIn(tree, paths)
  const doors = doorsOf(tree)
  return paths
    .filter((path) => !asked.has(path) && !doors.has(path) && !READ_BY_MEDUSA.test(path))
    .flatMap((path) =>
      exportsOf(tree.read(path))
        .filter(([name]) => !asked.has(`${path}#${name}`))
        .map(([name, line]) => ({ path, line, message: `No other file imports ${name}. Do not export it.` })),
    )
}
