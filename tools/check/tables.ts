import { HOLE, type Literal, literalsIn } from './syntax.ts'
import { type Exception, READS, WRITES } from './table-exceptions.ts'
import type { Finding, Tree } from './tree.ts'

const SOURCES = 'apps/gateway/src/'
const SCHEMA = 'apps/gateway/schema.sql'
const EXCEPTIONS = 'tools/check/table-exceptions.ts'
const README = /^apps\/gateway\/src\/modules\/[^/]+\/README[.]md$/
const PRODUCT = /^apps\/gateway\/src\/(?!(?:.*\/)?test\/|.*[.]test[.]ts$).*[.]ts$/

/** Tables below all rooms. */
const OF_PLATFORM = ['configuration_changes', 'root_key']

const SQL = /\b(?:select|insert\s+into|update|delete\s+from|truncate|join)\b/i
const WRITE = /\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?)\s+(?:only\s+)?([a-z_]+|\0)/gi
/** `for update`, `do update`, `on update`: words before a match that make it no write. */
const NO_WRITE = /\b(?:for(?:\s+no\s+key)?|do|on)\s+$/i
/** A table, or a list of them: `from payments p, callback_events e`. */
const READ =
  /(?<!\bdelete\s+)\b(?:from|join|using)\s+(?:only\s+)?((?:[a-z_]+|\0)(?:(?:\s+(?:as\s+)?[a-z_]+)?\s*,\s*(?:[a-z_]+|\0))*)/gi

/** Where a table stands in SQL, to see soon which files have any. */
const PLACE = /\b(?:from|join|using|into|update|truncate|table)\s+(?:only\s+)?([a-z_]+|\$)/gi

type Naming = { readonly table: string; readonly line: number; readonly isWrite: boolean }
type Use = Naming & { readonly path: string }
type Owners = ReadonlyMap<string, string>
type Functions = ReadonlyMap<string, string>

/** `modules/payments/` for a file in the room of payments; for a file beside the rooms its first folder. */
const placeOf = (path: string): string =>
  /^(?:modules\/)?[^/]+\/?/.exec(path.slice(SOURCES.length))?.[0] ?? SOURCES

/** The tables that the README of a room calls its own: those of the sentence that begins with `Tables:`. */
function tablesNamedIn(readme: string): string[] {
  const sentence = /^Tables?: .*?(?:[.]\s|\n\n)/ms.exec(`${readme}\n\n`)?.[0] ?? ''
  return [...sentence.matchAll(/`(\w+)`/g)].flatMap(([, table]) => table ?? [])
}

function findOwners(tree: Tree): { readonly owners: Owners; readonly findings: Finding[] } {
  const tables = [...tree.read(SCHEMA).matchAll(/^create table (\w+)/gm)].flatMap(([, table]) => table ?? [])
  const owners = new Map(OF_PLATFORM.map((table) => [table, 'platform/']))
  const findings: Finding[] = []
  for (const path of tree.files.filter((each) => README.test(each))) {
    for (const table of tablesNamedIn(tree.read(path))) {
      const owner = owners.get(table)
      if (!tables.includes(table)) findings.push({ path, message: `${SCHEMA} has no table ${table}.` })
      if (owner !== undefined)
        findings.push({
          path,
          message: `${table} belongs to ${owner} already. Name it in one README.md only.`,
        })
      owners.set(table, placeOf(path))
    }
  }
  const orphans = tables.filter((table) => !owners.has(table))
  const message = 'belongs to no room. Name it behind "Tables:" in the README.md of its room.'
  return {
    owners,
    findings: [...findings, ...orphans.map((table) => ({ path: SCHEMA, message: `${table} ${message}` }))],
  }
}

/** Functions of the database, with what they do. */
function functionsOf(tree: Tree): Functions {
  const functions = tree
    .read(SCHEMA)
    .matchAll(/FUNCTION public[.](\w+)\(.*?[$]function[$](.*?)[$]function[$]/gs)
  return new Map([...functions].map(([, name = '', body = '']) => [name, body.replace(/--.*/g, '')]))
}

/** What one text does to which tables, if it is SQL; with it, the functions that it calls. */
function namingsIn({ text: words, line }: Literal, functions: Functions): Naming[] {
  if (!SQL.test(words)) return []
  const called = [...functions].filter(([name]) => words.includes(`${name}(`))
  const text = [words, ...called.map(([, body]) => body)].join('\n')
  const writes = [...text.matchAll(WRITE)].filter(({ index }) => !NO_WRITE.test(text.slice(0, index)))
  const reads = [...text.matchAll(READ)].flatMap(([, list = '']) => list.split(','))
  const nameOf = (entry: string): string => entry.trim().split(/\s/)[0]?.toLowerCase() ?? ''
  return [
    ...writes.map(({ 1: table = '' }) => ({ table: nameOf(table), line, isWrite: true })),
    ...reads.map((entry) => ({ table: nameOf(entry), line, isWrite: false })),
  ]
}

/**
 * The tables that the SQL of a file is about. A statement may be given its table by a function or an object: then every text
 * in the file that begins with the name of a table counts.
 */
function usesIn(path: string, text: string, functions: Functions): Use[] {
  const literals = literalsIn(path, text)
  const named = literals.flatMap((literal) => namingsIn(literal, functions))
  const open = named.filter(({ table }) => table === HOLE)
  const isWrite = open.some((each) => each.isWrite)
  const given = literals.map(({ text: words, line }) => ({
    table: /^\s*([a-z_]+)(?=\s|$)/.exec(words)?.[1] ?? '',
    line,
    isWrite,
  }))
  return [...named, ...(open.length === 0 ? [] : given)].map((each) => ({ ...each, path }))
}

/**
 * Each table belongs to one room: the one whose README.md names it behind `Tables:`. SQL about it stands there and nowhere else;
 * other rooms call the owner. What does not do so yet, or never will, is an exception with its reason.
 */
export function findForeignTables(
  tree: Tree,
  exceptions: { readonly writes: readonly Exception[]; readonly reads: readonly Exception[] } = {
    writes: WRITES,
    reads: READS,
  },
): Finding[] {
  const { owners, findings } = findOwners(tree)
  const functions = functionsOf(tree)
  const mayName = (text: string): boolean =>
    [...text.matchAll(PLACE)].some(
      ([, table = '']) => table === '$' || owners.has(table) || functions.has(table),
    )
  const files = tree.files.filter((path) => PRODUCT.test(path) && mayName(tree.read(path)))
  const uses = files
    .flatMap((path) => usesIn(path, tree.read(path), functions))
    .filter(({ path, table }) => (owners.get(table) ?? placeOf(path)) !== placeOf(path))
  const covers = (each: Exception, { path, table }: Use): boolean =>
    each.table === table && path.startsWith(SOURCES + each.in)
  const all = [...exceptions.writes, ...exceptions.reads]
  const foreign = uses.filter(
    (use) => !(use.isWrite ? exceptions.writes : all).some((each) => covers(each, use)),
  )
  const idle = all.filter((each) => !uses.some((use) => covers(each, use)))
  return [
    ...findings,
    ...foreign.map(({ path, line, table, isWrite }) => ({
      path,
      line,
      message: `${isWrite ? 'Writes' : 'Reads'} ${table}, which belongs to ${owners.get(table)}. Move the statement there and call it.`,
    })),
    ...idle.map((each) => ({
      path: EXCEPTIONS,
      message: `${each.in} leaves ${each.table} alone now. Take it off the list.`,
    })),
  ]
}
