import type { Finding, Tree } from './tree.ts'

const LINES_MAX = 500
const TEST_LINES_MAX = 600
const COUNTED = /[.](ts|js|mjs|cjs|sql|css|html|sh|md)$/
const GENERATED = /(^|\/)schema[.]sql$/ // the dump is as long as the schema
const TEST = /[.]test[.]ts$|^acceptance\//

/**
 * Files that were too long when the rule came, with their lengths. The list may only shrink:
 * a length goes down with its file, and a file that fits leaves the list.
 */
const LONG_FILES: Readonly<Record<string, number>> = {}

function judge(lines: number, linesMax: number, allowed: number | undefined): string | undefined {
  if (allowed === undefined) {
    return lines > linesMax ? `${lines} lines; at most ${linesMax}. Split it where it says "and".` : undefined
  }
  if (lines <= linesMax) return 'It fits now. Take it off LONG_FILES in tools/check/file-size.ts.'
  if (lines > allowed) return `${lines} lines; it was ${allowed} and may only shrink. Move the new part out.`
  if (lines < allowed)
    return `It shrank. Write ${lines} instead of ${allowed} in LONG_FILES in tools/check/file-size.ts.`
  return undefined
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

/** A file can be read in a sitting. */
export function findLongFiles(
  tree: Tree,
  longFiles: Readonly<Record<string, number>> = LONG_FILES,
): Finding[] {
  const gone = Object.keys(longFiles)
    .filter((path) => !tree.has(path))
    .map((path) => ({ path, message: 'It is gone. Take it off LONG_FILES in tools/check/file-size.ts.' }))
  const counted = tree.files.filter((path) => COUNTED.test(path) && !GENERATED.test(path))
  const long = counted.flatMap((path) => {
    const message = judge(
      countLines(tree.read(path)),
      TEST.test(path) ? TEST_LINES_MAX : LINES_MAX,
      longFiles[path],
    )
    return message === undefined ? [] : [{ path, message }]
  })
  return [...gone, ...long]
}
