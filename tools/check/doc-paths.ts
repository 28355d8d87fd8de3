import { posix } from 'node:path'
import type { Finding, Tree } from './tree.ts'

/** A path of this repository in backticks; placeholders such as <noun> or * make it a pattern, which is not checked. */
const NAMED_PATH = /`((?:apps|packages|acceptance|docs|tools|lab|[.]ci)\/[\w./@-]*?)(?::\d+|#[\w-]*)?`/g
const LINK = /\]\(([^)\s]+)\)/g
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i

function namedPaths(text: string): string[] {
  return [...text.matchAll(NAMED_PATH)].map(([, path]) => path ?? '')
}

function linkedPaths(text: string, path: string): string[] {
  const targets = [...text.matchAll(LINK)]
    .map(([, target]) => target ?? '')
    .filter((target) => !ELSEWHERE.test(target))
  return targets
    .map((target) => target.replace(/[#?].*$/s, ''))
    .map((target) => (target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(path), target)))
}

/** The lines of prose with their numbers: what a fence encloses is an example, not a promise. */
function proseOf(text: string): (readonly [line: number, text: string])[] {
  let fenced = false
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) {
      fenced = !fenced
      return []
    }
    return fenced ? [] : [[index + 1, line] as const]
  })
}

/** A page that names a path is right about it. The list of changes speaks of the past and is left alone. */
export function findDeadPaths(tree: Tree): Finding[] {
  const pages = tree.files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')
  return pages.flatMap((path) =>
    proseOf(tree.read(path)).flatMap(([line, text]) =>
      [...namedPaths(text), ...linkedPaths(text, path)]
        .filter((named) => named !== '.' && !tree.has(posix.normalize(named)))
        .map((named) => ({
          path,
          line,
          message: `There is no ${named}. Mend the path, or write what varies in <angle brackets>.`,
        })),
    ),
  )
}
