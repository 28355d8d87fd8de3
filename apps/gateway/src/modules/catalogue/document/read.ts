import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { DocumentInvalid } from '../errors.ts'
import {
  type Column,
  keyOf,
  type Row,
  SECTIONS,
  type Section,
  type SectionName,
  type Value,
  type Written,
} from './tables.ts'

/** A row of a document, and where it is. */
export interface ReadRow {
  readonly section: Section
  readonly key: string
  readonly row: Row
  /** `methods[0].limits[1]` */
  readonly path: string
  /** The line of the row, and of each member that is written. */
  readonly line: number
  readonly lines: ReadonlyMap<string, number>
}

/** What a document says. */
export interface CatalogueDocument {
  readonly rows: readonly ReadRow[]
  /** Lists of methods that are there: each replaces what the method had. `methodCode section` */
  readonly replaced: ReadonlySet<string>
}

/** Documents of thousands of banks fit. */
export const DOCUMENT_BYTES_MAX = 512 * 1024

/** Reads a document of YAML or JSON. Throws {@link DocumentInvalid} with every fault and its line. */
export function readDocument(bytes: Uint8Array): CatalogueDocument {
  const counter = new LineCounter()
  const top = parse(bytes, counter)
  const reading: Reading = { counter, faults: [], rows: [], replaced: new Set(), seen: new Map() }
  if (isMap(top)) {
    const root = membersOf(reading, top, '', TOP)
    for (const section of SECTIONS.filter(({ isOfMethod }) => !isOfMethod)) readList(reading, root, section)
  } else complain(reading, 1, '', `The document must be a mapping with: ${TOP.join(', ')}.`)
  if (reading.faults.length > 0) throw new DocumentInvalid(reading.faults)
  return reading
}

/** What was read so far, and what is wrong with it. */
interface Reading {
  readonly counter: LineCounter
  readonly faults: string[]
  readonly rows: ReadRow[]
  readonly replaced: Set<string>
  /** The line of each row. */
  readonly seen: Map<string, number>
}

/** The members of a mapping. */
interface Members {
  readonly line: number
  readonly path: string
  readonly entries: ReadonlyMap<string, { readonly line: number; readonly node: Node | null }>
}

const lineOf = ({ counter }: Reading, node: Node | null): number =>
  counter.linePos(node?.range?.[0] ?? 0).line

function complain({ faults }: Reading, line: number, path: string, what: string): void {
  faults.push(`line ${line}: ${path === '' ? '' : `${path}: `}${what}`)
}

/** Each member once, and only those that are known. */
function membersOf(reading: Reading, node: YAMLMap, path: string, known: readonly string[]): Members {
  const entries = new Map<string, { line: number; node: Node | null }>()
  for (const { key, value } of node.items) {
    const line = lineOf(reading, asNode(key))
    const name = isScalar(key) && typeof key.value === 'string' ? key.value : ''
    if (!known.includes(name)) {
      const shown = JSON.stringify(name.slice(0, NAME_SHOWN_MAX))
      complain(reading, line, path, `${shown} is not known here. There are: ${known.join(', ')}.`)
    } else if (entries.has(name)) complain(reading, line, path, `${name} is there twice.`)
    else entries.set(name, { line, node: asNode(value) })
  }
  return { line: lineOf(reading, node), path, entries }
}

const NAME_SHOWN_MAX = 64

function readValue(column: Column, node: Node | null): Value | undefined {
  const found = written(node)
  return found === undefined ? undefined : column.read(found)
}

function written(node: Node | null): Written | undefined {
  if (node === null) return { value: null, source: '' }
  if (isScalar(node)) {
    const source = typeof node.value === 'string' ? node.value : (node.source ?? '')
    return { value: node.value, source }
  }
  if (!isSeq(node)) return undefined
  const items = node.items.map((item) => (isScalar(item) ? item.value : undefined))
  return { value: items, source: '' }
}

/** A list of items; those of a method say which by `given`. */
function readList(reading: Reading, parent: Members, section: Section, given: Row = {}): void {
  const entry = parent.entries.get(section.name)
  if (entry === undefined) return
  const path = parent.path === '' ? section.name : `${parent.path}.${section.name}`
  if (!isSeq(entry.node)) {
    complain(reading, entry.line, path, 'must be a list; an empty one is [].')
    return
  }
  if (section.isOfMethod) reading.replaced.add(`${String(given['methodCode'])} ${section.name}`)
  const readOne = section.isCodes ? readCode : readItem
  for (const [index, item] of entry.node.items.entries())
    readOne(reading, section, asNode(item), { path: `${path}[${index}]`, given })
}

/** Where an item is, and what it has from what it is in. */
interface Place {
  readonly path: string
  readonly given: Row
}

function readItem(reading: Reading, section: Section, node: Node | null, place: Place): void {
  const { path, given } = place
  if (!isMap(node)) {
    complain(reading, lineOf(reading, node), path, 'must be a mapping of names to values.')
    return
  }
  const own = section.columns.filter(({ name }) => given[name] === undefined).map(({ name }) => name)
  const members = membersOf(reading, node, path, section.name === 'methods' ? [...own, ...LISTS] : own)
  const key = readRow(reading, section, members, given)
  if (section.name !== 'methods') return
  // The lists of a method that is wrong are read all the same, for their faults.
  const methodCode = key ?? '?'
  for (const list of SECTIONS.filter(({ isOfMethod }) => isOfMethod))
    readList(reading, members, list, { methodCode })
}

/** Gives the key of the row; undefined when something in it is wrong. */
function readRow(reading: Reading, section: Section, members: Members, given: Row): string | undefined {
  const { path, line, entries } = members
  const before = reading.faults.length
  const row: Record<string, Value> = { ...given }
  const lines = new Map<string, number>()
  for (const column of section.columns.filter(({ name }) => given[name] === undefined)) {
    const entry = entries.get(column.name)
    if (entry !== undefined) lines.set(column.name, entry.line)
    const value = entry === undefined ? column.default : readValue(column, entry.node)
    if (value !== undefined) row[column.name] = value
    else if (entry === undefined) complain(reading, line, `${path}.${column.name}`, 'is missing.')
    else complain(reading, entry.line, `${path}.${column.name}`, `must be ${column.allowed}.`)
  }
  if (reading.faults.length > before) return undefined
  const key = keyOf(section, row)
  keep(reading, { section, key, row, path, line, lines })
  return key
}

function readCode(reading: Reading, section: Section, node: Node | null, { path, given }: Place): void {
  const [, column] = section.columns
  if (column === undefined) throw new Error(`${section.name} has no code`)
  const line = lineOf(reading, node)
  const value = readValue(column, node)
  if (value === undefined) {
    complain(reading, line, path, `must be ${column.allowed}.`)
    return
  }
  const row = { ...given, [column.name]: value }
  keep(reading, { section, key: keyOf(section, row), row, path, line, lines: new Map() })
}

function keep(reading: Reading, read: ReadRow): void {
  const name = `${read.section.name} ${read.key}`
  const first = reading.seen.get(name)
  if (first === undefined) reading.rows.push(read)
  else complain(reading, read.line, read.path, `${read.key} is there twice: line ${first} has it, too.`)
  reading.seen.set(name, first ?? read.line)
}

const LISTS: readonly SectionName[] = SECTIONS.filter(({ isOfMethod }) => isOfMethod).map(({ name }) => name)
const TOP: readonly SectionName[] = SECTIONS.filter(({ isOfMethod }) => !isOfMethod).map(({ name }) => name)

const asNode = (value: unknown): Node | null =>
  isMap(value) || isSeq(value) || isScalar(value) || isAlias(value) ? value : null

/** Plain YAML 1.2 without tags. Aliases are never followed, so that nothing can grow; keys that are there twice are found by us. */
function parse(bytes: Uint8Array, lineCounter: LineCounter): Node | null {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new DocumentInvalid(['line 1: The file is not UTF-8.'])
  }
  try {
    const document = parseDocument(text, {
      lineCounter,
      schema: 'core',
      uniqueKeys: false,
      prettyErrors: true,
    })
    const faults = [...document.errors, ...document.warnings].map(
      ({ linePos, message }) => `line ${linePos?.[0].line ?? 1}: ${message.split('\n')[0] ?? ''}`,
    )
    if (faults.length > 0) throw new DocumentInvalid(faults)
    return document.contents
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentInvalid(['line 1: The document is nested too deeply.'])
    throw error
  }
}
