import { posix, resolve } from 'node:path'
import { callsIn, literalText } from './syntax.ts'
import { type Finding, type Tree, treeOfRepository } from './tree.ts'

const FOLDER = 'acceptance/security'
const README = `${FOLDER}/README.md`
const TEST_CALLEE = /^(?:\w+[.])*(?:test|it|describe|suite)$/
/** The ids that a title begins with: `P5 P7 P19 two merchants …`, `H3: the token …`. */
const IDS_OF_TITLE = /^(?:[A-Z]\d{1,3}:? )+/
const ID = /[A-Z]\d{1,3}/g
const ID_CELL = /^[A-Z]\d{1,3}$/
/** Whatever stands as code in the cell of the tests is the path of one. */
const TEST_FILE = /`([^`]+)`/g
const NOT_TESTED = /^Not tested: (.+)$/

/** A row that no test proves, and why not. */
type SkippedRow = { readonly id: string; readonly reason: string }

/** The attacks of the list: all of their ids, and those that are not tested. */
type AttackRows = { readonly rows: readonly string[]; readonly skipped: readonly SkippedRow[] }

type Row = {
  readonly id: string
  readonly line: number
  /** From the root. */
  readonly files: readonly string[]
  readonly reason: string | undefined
}

/** The attacks that acceptance/security/README.md of this repository lists. */
export function readAttackRows(): AttackRows {
  const rows = rowsIn(treeOfRepository(resolve(import.meta.dirname, '../..')).read(README))
  return {
    rows: rows.map(({ id }) => id),
    skipped: rows.flatMap(({ id, reason }) => (reason === undefined ? [] : [{ id, reason }])),
  }
}

/** The rows of the tables: id, attack, and the files with its tests or `Not tested: ` and a reason. */
function rowsIn(text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    const [, id = '', , tests = ''] = line.split('|').map((cell) => cell.trim())
    if (!ID_CELL.test(id)) return []
    const files = [...tests.matchAll(TEST_FILE)].map(([, name = '']) => fromRoot(name))
    return [{ id, line: index + 1, files, reason: NOT_TESTED.exec(tests)?.[1] }]
  })
}

const fromRoot = (name: string): string =>
  /^(?:apps|packages|acceptance)\//.test(name) ? name : posix.join(FOLDER, name)

type Title = { readonly line: number; readonly ids: readonly string[] }

/** The titles of a file that begin with ids; what is computed of a title cannot be an id. */
function titlesIn(tree: Tree, path: string): Title[] {
  return callsIn(path, tree.read(path))
    .filter(({ callee }) => TEST_CALLEE.test(callee))
    .map(({ args, line }) => ({
      line,
      ids: IDS_OF_TITLE.exec(literalText(args[0]) ?? '')?.[0].match(ID) ?? [],
    }))
    .filter(({ ids }) => ids.length > 0)
}

/** Each attack of the list has a test under its id in each file that its row names, or a reason; no test has another id. */
export function findAttackRowGaps(tree: Tree): Finding[] {
  const rows = rowsIn(tree.read(README))
  const known = new Set(rows.map(({ id }) => id))
  const named = rows.flatMap(({ files }) => files)
  const here = tree.files.filter((path) => path.startsWith(`${FOLDER}/`) && path.endsWith('.test.ts'))
  const titles = new Map(
    [...new Set([...here, ...named])]
      .filter((path) => tree.has(path))
      .map((path) => [path, titlesIn(tree, path)]),
  )
  const unlisted = [...titles].flatMap(([path, each]) =>
    each.flatMap(({ line, ids }) =>
      ids
        .filter((id) => !known.has(id))
        .map((id) => ({ path, line, message: `${id} is not in ${README}. Add its row, or mend the title.` })),
    ),
  )
  return [...rows.flatMap((row) => problemsOf(row, titles)), ...doubled(rows), ...unlisted]
}

function problemsOf(
  { id, line, files, reason }: Row,
  titles: ReadonlyMap<string, readonly Title[]>,
): Finding[] {
  const at = { path: README, line }
  if (files.length === 0 && reason === undefined)
    return [{ ...at, message: `${id} names no test. Name its file, or write "Not tested: " and why.` }]
  if (files.length > 0 && reason !== undefined)
    return [{ ...at, message: `${id} is tested and is not. Take out the one or the other.` }]
  return files.flatMap((file) => {
    const found = titles.get(file)
    if (found === undefined) return [{ ...at, message: `There is no ${file}, which is to prove ${id}.` }]
    if (found.some(({ ids }) => ids.includes(id))) return []
    return [{ ...at, message: `No title in ${file} begins with ${id}. Write the test, or mend the row.` }]
  })
}

function doubled(rows: readonly Row[]): Finding[] {
  return rows
    .filter(({ id }, index) => rows.findIndex((row) => row.id === id) < index)
    .map(({ id, line }) => ({ path: README, line, message: `${id} has a row already.` }))
}
