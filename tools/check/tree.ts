import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The repository as a rule sees it: paths from the root, with forward slashes, and their texts. */
export type Tree = {
  readonly files: readonly string[]
  /** True for a file and for a folder that holds one. */
  has(path: string): boolean
  /** The text of a file of `files`; throws for any other path. */
  read(path: string): string
}

/** Something out of order. `message` says what is wrong and what to do about it. `line` counts from 1. */
export type Finding = { readonly path: string; readonly line?: number; readonly message: string }

/** A tree over given paths; `read` is asked for a text only when a rule wants it. */
function createTree(files: readonly string[], read: (path: string) => string): Tree {
  const known = new Set(files)
  for (const file of files) {
    for (let cut = file.lastIndexOf('/'); cut > 0; cut = file.lastIndexOf('/', cut - 1))
      known.add(file.slice(0, cut))
  }
  return { files, read, has: (path) => known.has(path.replace(/\/$/, '')) }
}

/** A tree given in full: path to text. */
export function treeOf(texts: Readonly<Record<string, string>>): Tree {
  return createTree(Object.keys(texts), (path) => {
    const text = texts[path]
    if (text === undefined) throw new Error(`There is no ${path} in this tree`)
    return text
  })
}

/** The tree below `root`: what git tracks, and what it would if it were added. */
export function treeOfRepository(root: string): Tree {
  const git = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (git.status !== 0) throw new Error(`git cannot list the files of ${root}: ${git.stderr}`)
  const files = [...new Set(git.stdout.split('\0'))].filter(
    (path) => path !== '' && existsSync(join(root, path)),
  )
  return createTree(files.sort(), (path) => readFileSync(join(root, path), 'utf8'))
}

/** `path:line  message`, as an editor's terminal can follow it. */
export function printFinding({ path, line, message }: Finding): string {
  return `${path}${line === undefined ? '' : `:${line}`}  ${message}`
}
