import { createHash } from 'node:crypto'
import type { CatalogueDocument } from './read.ts'
import {
  type Content,
  isSame,
  keyOf,
  type Row,
  SECTIONS,
  type Section,
  type SectionName,
  type Value,
} from './tables.ts'

/** One row that would be otherwise. Without `before` it is new, without `after` it goes. */
export interface Change {
  readonly section: SectionName
  readonly key: string
  readonly before?: Row
  readonly after?: Row
}

/**
 * What applying the document changes. A row is the whole of what the document says of it; a list of a method replaces all that
 * the method had. Rows and lists that the document does not name stay as they are.
 */
export function differenceOf(content: Content, { rows, replaced }: CatalogueDocument): readonly Change[] {
  const wanted = new Map(rows.map(({ section, key, row }) => [`${section.name} ${key}`, row]))
  return SECTIONS.flatMap((section) => {
    const there = new Map(content[section.name].map((row) => [keyOf(section, row), row]))
    const set = rows
      .filter((read) => read.section === section)
      .map(({ key, row }) => changeOf(section, key, { before: there.get(key), after: row }))
    const gone = [...there]
      .filter(([, row]) => replaced.has(`${String(row['methodCode'])} ${section.name}`))
      .filter(([key]) => !wanted.has(`${section.name} ${key}`))
      .map(([key, before]) => ({ section: section.name, key, before }))
    return [...set.filter((change) => change !== undefined), ...gone]
  })
}

function changeOf(
  section: Section,
  key: string,
  { before, after }: { readonly before: Row | undefined; readonly after: Row },
): Change | undefined {
  if (before === undefined) return { section: section.name, key, after }
  const isAsItWas = section.columns.every(({ name }) => isSame(before[name], after[name]))
  return isAsItWas ? undefined : { section: section.name, key, before, after }
}

/** The same digest means the same changes: every row as it was and as it is then, its members in the order of the section. */
export function digestOf(changes: readonly Change[]): string {
  const rowOf = (name: SectionName, row: Row | undefined): unknown =>
    row === undefined ? null : sectionOf(name).columns.map((column) => row[column.name] ?? null)
  const written = changes.map(({ section, key, before, after }) => [
    section,
    key,
    rowOf(section, before),
    rowOf(section, after),
  ])
  return createHash('sha256').update(JSON.stringify(written)).digest('hex')
}

/** The rows as they would be after the changes. */
export function contentAfter(content: Content, changes: readonly Change[]): Content {
  const bySection = Map.groupBy(changes, ({ section }) => section)
  return withSections((section) => {
    const rows = new Map(content[section.name].map((row) => [keyOf(section, row), row]))
    for (const { key, after } of bySection.get(section.name) ?? []) {
      if (after === undefined) rows.delete(key)
      else rows.set(key, after)
    }
    return [...rows.values()]
  })
}

/** A content of which each section is made by `make`. */
export function withSections(make: (section: Section) => readonly Row[]): Content {
  const found = new Map(SECTIONS.map((section) => [section.name, make(section)]))
  const of = (name: SectionName): readonly Row[] => found.get(name) ?? []
  return {
    currencies: of('currencies'),
    segments: of('segments'),
    paymentOperators: of('paymentOperators'),
    methods: of('methods'),
    operators: of('operators'),
    excludedSegments: of('excludedSegments'),
    limits: of('limits'),
    fields: of('fields'),
    fees: of('fees'),
  }
}

/** The members that a change changes, each as it was and as it is then. */
export function fieldsOf({
  section: name,
  before,
  after,
}: Change): readonly { readonly field: string; readonly before?: Value; readonly after?: Value }[] {
  return sectionOf(name)
    .columns.filter(({ isKey, name: member }) => !isKey && !isSame(before?.[member], after?.[member]))
    .map(({ name: field }) => ({
      field,
      ...(before?.[field] !== undefined && { before: before[field] }),
      ...(after?.[field] !== undefined && { after: after[field] }),
    }))
}

type Item = Readonly<Record<string, unknown>>
/** What is exported, and can be applied. */
export type CatalogueExport = Readonly<
  Record<'currencies' | 'segments' | 'paymentOperators' | 'methods', readonly Item[]>
>

/** The catalogue as a document: the lists of a method inside it, and nothing that is as it is by default. */
export function documentOf(content: Content): CatalogueExport {
  const itemsOf = (name: SectionName): readonly Item[] =>
    content[name].map((row) => membersOf(sectionOf(name), row))
  return {
    currencies: itemsOf('currencies'),
    segments: itemsOf('segments'),
    paymentOperators: itemsOf('paymentOperators'),
    methods: content.methods.map((row) => ({
      ...membersOf(sectionOf('methods'), row),
      ...Object.fromEntries(LISTS.map((list) => [list.name, listOf(content[list.name], list, row['code'])])),
    })),
  }
}

const LISTS = SECTIONS.filter(({ isOfMethod }) => isOfMethod)

function listOf(rows: readonly Row[], list: Section, code: Value | undefined): readonly unknown[] {
  return rows
    .filter(({ methodCode }) => methodCode === code)
    .map((row) => (list.isCodes ? row[list.columns[1]?.name ?? ''] : membersOf(list, row)))
}

function sectionOf(name: SectionName): Section {
  const section = SECTIONS.find((each) => each.name === name)
  if (section === undefined) throw new Error(`there is no section ${name}`)
  return section
}

function membersOf({ columns }: Section, row: Row): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    columns.flatMap(({ name, default: usual }) => {
      const value = row[name]
      const isUsual = usual !== undefined && isSame(value, usual)
      return value === undefined || isUsual || name === 'methodCode' ? [] : [[name, value]]
    }),
  )
}
