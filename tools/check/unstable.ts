import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** More tests than these that cannot be relied on are a fault, and no accident. */
export const UNSTABLE_MAX = 3
/** Not in git: what is unstable here need not be so elsewhere. */
const LIST = '.results/unstable.json'

/** The tests, as `file: name`, that failed and passed when repeated, and have not passed at once since. */
export function listUnstable(root: string): readonly string[] {
  try {
    const listed: unknown = JSON.parse(readFileSync(join(root, LIST), 'utf8'))
    return Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

/** Notes what a run of whole files found: tests of these files that are not unstable now leave the list, and those of files that are gone. */
export function keepUnstable(
  root: string,
  { files, unstable }: { readonly files: readonly string[]; readonly unstable: readonly string[] },
): void {
  const isOf = (test: string) => (file: string) => test.startsWith(`${file}: `)
  const before = listUnstable(root)
  const isThere = (test: string): boolean => existsSync(join(root, test.slice(0, test.indexOf(': '))))
  const stay = before.filter((test) => !files.some(isOf(test)) && isThere(test))
  // A file from elsewhere is somebody's trial.
  const come = unstable.filter((test) => !test.startsWith('..'))
  if (before.length + come.length === 0) return
  mkdirSync(dirname(join(root, LIST)), { recursive: true })
  writeFileSync(join(root, LIST), `${JSON.stringify([...new Set([...stay, ...come])], undefined, 2)}\n`)
}
