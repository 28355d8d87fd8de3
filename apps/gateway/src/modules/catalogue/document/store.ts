import type { Statement, Tx } from '../../../platform/database.ts'
import { type Change, withSections } from './difference.ts'
import { type Column, type Content, type Row, SECTIONS, type Section } from './tables.ts'

// One statement for each table of the catalogue, made of what the sections say of it.

/** Amounts are texts, without trailing zeros: as a document would have them. */
const shown = ({ name, column, sql }: Column): string =>
  `'${name}', ${sql === 'numeric' ? `trim_scale(${column})::text` : column}`

const keys = ({ columns }: Section): readonly string[] =>
  columns.filter(({ isKey }) => isKey).map(({ column }) => column)

const order = (section: Section): string => {
  const hasPosition = section.columns.some(({ name }) => name === 'position')
  const [first, ...others] = keys(section)
  if (!hasPosition) return keys(section).join(', ')
  return section.isOfMethod ? [first, 'position', ...others].join(', ') : ['position', first].join(', ')
}

const FIND_CONTENT: Statement = {
  name: 'catalogue_document_find',
  text: `select ${SECTIONS.map(
    (section) =>
      `(select coalesce(json_agg(json_build_object(${section.columns.map(shown).join(', ')}) order by ${order(section)}), '[]') from ${section.table}) as "${section.name}"`,
  ).join(',\n')}`,
}

/** Payments go on meanwhile; who else changes the catalogue waits. */
const LOCK: Statement = {
  name: 'catalogue_document_lock',
  text: `lock table ${SECTIONS.map(({ table }) => table).join(', ')} in share row exclusive mode`,
}

const recordOf = (columns: readonly Column[]): string =>
  `jsonb_to_recordset($1::jsonb) as wanted (${columns.map(({ name, sql }) => `"${name}" ${sql}`).join(', ')})`

interface Writing {
  readonly section: Section
  readonly upsert: Statement
  readonly remove: Statement
}

const WRITINGS: readonly Writing[] = SECTIONS.map((section) => {
  const { table, columns, name } = section
  const keyColumns = columns.filter(({ isKey }) => isKey)
  const others = columns.filter(({ isKey }) => !isKey)
  const set = others.map(({ column }) => `${column} = excluded.${column}`).join(', ')
  return {
    section,
    upsert: {
      name: `catalogue_document_upsert_${name}`,
      text: `insert into ${table} (${columns.map(({ column }) => column).join(', ')})
        select ${columns.map((each) => `"${each.name}"`).join(', ')} from ${recordOf(columns)}
        on conflict (${keys(section).join(', ')}) do ${set === '' ? 'nothing' : `update set ${set}`}`,
    },
    remove: {
      name: `catalogue_document_delete_${name}`,
      text: `delete from ${table} using ${recordOf(keyColumns)}
        where ${keyColumns.map(({ name: key, column }) => `${table}.${column} = wanted."${key}"`).join(' and ')}`,
    },
  }
})

const INSERT_CHANGES: Statement = {
  name: 'catalogue_changes_insert',
  text: `insert into catalogue_changes (operator_code, request_id, section, item, before, after)
    select $2, $3, section, key, before, after
    from jsonb_to_recordset($1::jsonb) as noted (section text, key text, before jsonb, after jsonb)`,
}

// The number that is shown is a text: it is sorted by the column, or 9 would come before 10.
const LIST_CHANGES: Statement = {
  name: 'catalogue_changes_list',
  text: `select change_no::text as "changeNo", operator_code as "operatorCode", request_id as "requestId", section, item,
      before, after, changed_at as "changedAt"
    from catalogue_changes where ($1::bigint is null or change_no < $1)
    order by catalogue_changes.change_no desc limit $2`,
}

/** Everything that a document can say, switched on or not. */
export async function findContent(tx: Tx): Promise<Content> {
  const [row] = await tx.rows<Content>(FIND_CONTENT, [])
  if (row === undefined) throw new Error('a statement without a table gave no row')
  return withSections(({ name }) => row[name])
}

/** Keeps others from changing the catalogue until the transaction ends. */
export async function lockCatalogue(tx: Tx): Promise<void> {
  await tx.rows(LOCK, [])
}

/** Who changes it, by which request. */
export interface Changer {
  readonly operatorCode: string
  readonly requestId: string
}

/** Makes the changes and notes each. */
export async function writeChanges(tx: Tx, changes: readonly Change[], changer: Changer): Promise<void> {
  const bySection = Map.groupBy(changes, ({ section }) => section)
  for (const { section, remove } of WRITINGS.toReversed()) {
    const gone = bySection.get(section.name)?.filter(({ after }) => after === undefined) ?? []
    if (gone.length > 0) await tx.rows(remove, [json(gone.map(({ before }) => before))])
  }
  for (const { section, upsert } of WRITINGS) {
    const set =
      bySection.get(section.name)?.flatMap(({ after }) => (after === undefined ? [] : [after])) ?? []
    if (set.length > 0) await tx.rows(upsert, [json(set)])
  }
  await tx.rows(INSERT_CHANGES, [json(changes), changer.operatorCode, changer.requestId])
}

const json = (value: unknown): string => JSON.stringify(value)

/** A change as it was noted. */
export interface NotedChange extends Changer {
  readonly changeNo: string
  readonly section: string
  readonly item: string
  readonly before: Row | null
  readonly after: Row | null
  readonly changedAt: Date
}

/** The changes, the newest first. */
export function listChanges(
  tx: Tx,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly NotedChange[]> {
  return tx.rows<NotedChange>(LIST_CHANGES, [before ?? null, limit])
}
