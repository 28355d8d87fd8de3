import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Beside what they test, in a part such as `apps/console`. Whole gateways and browsers (acceptance/) keep a process of their own. */
const OF_A_PART = /^(?<part>(?:apps|packages|lab)\/[^/]+|tools)\/(?:.*\/)?test\//
/**
 * A file that waits outside of its tests: meanwhile the tests of the files before it end, and node takes that for the end of all. Or one
 * that prepares each test: node would prepare those of the others, too.
 */
const ACTS_OUTSIDE =
  /^(?=\S)(?!(?:export )?const \w+ = async\b).*\bawait\b|^(?:before|beforeEach|afterEach)\(/m
/** With more files than these, the last processes work alone at the end. */
const FILES_PER_GROUP_MAX = 12

/** What node runs, each in a process of its own: a file, or one that imports several. */
export interface TestGroups {
  readonly entries: readonly string[]
  /** The one that imports the file, where one does. */
  groupOf(file: string): string | undefined
  /** Takes away what was made for it. */
  remove(): void
}

/**
 * Lets files of one part share a process, neighbours first: a third of their time is its start, and reading the same sources. Node tells
 * of each test by the file that it is written in, so nobody sees the difference.
 */
export function groupTests(files: readonly string[]): TestGroups {
  const made = mkdtempSync(join(tmpdir(), 'tollgate-test-groups-'))
  const { shared = [], alone = [] } = Object.groupBy(files, (file) => (canShare(file) ? 'shared' : 'alone'))
  const groupOf = new Map<string, string>()
  const entries = [...Map.groupBy(shared.toSorted(), partOf)].flatMap(([of, members]) =>
    chunksOf(members).map((chunk, index) => {
      const [only = '', ...others] = chunk
      if (others.length === 0) return only
      const path = join(made, `${of?.replaceAll('/', '-') ?? ''}-${String(index + 1)}.mjs`)
      writeFileSync(
        path,
        chunk.map((file) => `await import('${pathToFileURL(resolve(file)).href}')\n`).join(''),
      )
      for (const file of chunk) groupOf.set(resolve(file), path)
      return path
    }),
  )
  return {
    entries: [...alone, ...entries],
    groupOf: (file) => groupOf.get(resolve(file)),
    remove: () => rmSync(made, { recursive: true, force: true }),
  }
}

/** Undefined for a file of no part. */
const partOf = (file: string): string | undefined =>
  OF_A_PART.exec(relative(process.cwd(), resolve(file)))?.groups?.['part']

/** Of a long one the start is a small part, and together they would be what all wait for at the end. */
const canShare = (file: string): boolean =>
  partOf(file) !== undefined &&
  !file.endsWith('.long.test.ts') &&
  !ACTS_OUTSIDE.test(readFileSync(file, 'utf8'))

function chunksOf(files: readonly string[]): readonly (readonly string[])[] {
  const chunks = Math.ceil(files.length / FILES_PER_GROUP_MAX)
  const size = Math.ceil(files.length / chunks)
  return Array.from({ length: chunks }, (_, index) => files.slice(index * size, (index + 1) * size))
}
