import type { LifeRow, RowText, Table } from './life-rows.ts'
import type { BenchScript } from './pgbench-script.ts'

interface LifeOfOne {
  readonly rows: readonly LifeRow[]
  readonly idPayment: string
  readonly merchantId: string
  /** What was drawn for this payment and lies in an index, such as its reference. */
  readonly drawn: readonly string[]
  /** Ids of merchants, without gaps, of which each transaction takes one. */
  readonly merchants: { readonly from: number; readonly to: number }
}

/** Moments that lie further ahead than this are kept at their distance. */
const AHEAD_SECONDS = 60
const SHORT = 8

/**
 * A script by which PostgreSQL alone writes what the gateway wrote for one payment, in three transactions: it is created; it
 * succeeds, is booked, and its callback is due; the callback is noted. A row that was there for a while only, such as a lease, is
 * not written. Each transaction is one round trip.
 */
export function scriptOfLife(life: LifeOfOne): BenchScript {
  const writer = createWriter(life)
  const { rows } = life
  const steps = [
    rows.flatMap((row) => writer.created(row)),
    rows.flatMap((row) => writer.booked(row)),
    rows.flatMap((row) => writer.noted(row)),
  ]
  const transactions = steps.map((changes) => {
    const statements = inserts(changes).join(';\n')
    return `\\startpipeline\nbegin;\n${statements};\ncommit;\n\\endpipeline\n`
  })
  const { from, to } = life.merchants
  return {
    text: `\\set r random(1, 9000000000000000000)\n\\set m random(${from}, ${to})\n${transactions.join('')}`,
    variables: writer.variables,
  }
}

/** A row to be inserted, or another statement. */
type Change = string | { readonly into: string; readonly values: string }

/** The statements, with all rows of a table in one. What locks a row that others want comes last. */
function inserts(changes: readonly Change[]): readonly string[] {
  const rows = Map.groupBy(
    changes.filter((change) => typeof change !== 'string'),
    ({ into }) => into,
  )
  return [
    ...[...rows].map(
      ([into, each]) => `insert into ${into} values ${each.map(({ values }) => `(${values})`).join(', ')}`,
    ),
    ...changes.filter((change) => typeof change === 'string').toSorted(sharedLast),
  ]
}

const sharedLast = (a: string, b: string): number => Number(isShared(a)) - Number(isShared(b))

const isShared = (statement: string): boolean => statement.startsWith('update balances')

/** An attempt is written when it is over. */
const ATTEMPTS = 'callback_attempts'

/** Whether a statement sets the column of a new row: the database gives numbers of its own, and those of transactions. */
const isGiven = ({ name, type, isNumbered }: Table['columns'][number], row: RowText): boolean =>
  row[name] !== null && type !== 'xid8' && !isNumbered

function createWriter({ idPayment, merchantId, drawn }: LifeOfOne) {
  const variables: [string, string][] = []
  const random = new Map([[idPayment, "('b' || :r::text)"]])
  for (const value of drawn) random.set(value, "('D' || :r::text)")
  const nowMs = Date.now()

  function param(value: string): string {
    // pgbench takes no empty value.
    if (value === '') return "''"
    const known = variables.find(([, each]) => each === value)
    if (known !== undefined) return `:${known[0]}`
    const name = `v${variables.length + 1}`
    variables.push([name, value])
    return `:${name}`
  }

  function uuid(value: string): string {
    const index = [...random.keys()].indexOf(value)
    const number = index < 0 ? random.size : index
    const digits = number.toString(16).padStart(2, '0')
    const expression = `(lpad(:r::text, 30, '0') || '${digits}')`
    random.set(value, expression)
    return expression
  }

  /** The value, with what is random in it made anew. */
  function text(value: string): string {
    for (const [known, expression] of random) {
      if (value === known) return expression
      const at = known.length < SHORT ? -1 : value.indexOf(known)
      if (at >= 0) {
        const [start, end] = [value.slice(0, at), value.slice(at + known.length)]
        return `(${param(start)}::text || ${expression} || ${text(end)}::text)`
      }
    }
    return `${param(value)}::text`
  }

  function expression({ table, name, value }: { table: Table; name: string; value: string | null }): string {
    if (value === null) return 'null'
    if (name === 'merchant_id' && value === merchantId) return ':m'
    const type = table.columns.find((column) => column.name === name)?.type ?? 'text'
    if (type === 'uuid') return `${uuid(value)}::uuid`
    if (type === 'timestamp with time zone') return moment(value, nowMs)
    if (type === 'text' || type === 'jsonb') return `${text(value)}::${type}`
    return `${param(value)}::${type}`
  }

  function insert(table: Table, row: RowText): Change {
    const set = table.columns.filter((column) => isGiven(column, row))
    const values = set.map(({ name }) => expression({ table, name, value: row[name] ?? null }))
    return { into: `${table.name} (${set.map(({ name }) => name).join(', ')})`, values: values.join(', ') }
  }

  const where = (table: Table, row: RowText): string =>
    table.key
      .map((name) => `${name} = ${expression({ table, name, value: row[name] ?? null })}`)
      .join(' and ')

  function update({ table, before }: LifeRow, from: RowText, to: RowText): readonly string[] {
    const changed = table.columns.filter(({ name, type }) => from[name] !== to[name] && type !== 'xid8')
    if (changed.length === 0) return []
    const set = changed.map(({ name, type }) => {
      const value = to[name] ?? null
      // A balance that many payments share grows by what this one added.
      if (before !== undefined && type === 'numeric' && value !== null)
        return `${name} = ${name} + ${param(String(Number(value) - Number(from[name] ?? 0)))}::numeric`
      return `${name} = ${expression({ table, name, value })}`
    })
    return [`update ${table.name} set ${set.join(', ')} where ${where(table, to)}`]
  }

  return {
    variables,
    created: ({ table, before, created }: LifeRow): readonly Change[] =>
      before === undefined && created !== undefined ? [insert(table, created)] : [],
    booked(row: LifeRow): readonly Change[] {
      const { table, created, booked, noted } = row
      if (table.name === ATTEMPTS) return []
      if (created === undefined) return noted === undefined ? [] : [insert(table, booked ?? noted)]
      if (noted === undefined) return [`delete from ${table.name} where ${where(table, created)}`]
      return update(row, created, booked ?? noted)
    },
    noted(row: LifeRow): readonly Change[] {
      const { table, booked, noted } = row
      if (noted === undefined) return []
      if (table.name === ATTEMPTS) return [insert(table, noted)]
      return booked === undefined ? [] : update(row, booked, noted)
    },
  }
}

function moment(value: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(`${value.replace(' ', 'T')}:00`) - nowMs) / 1000)
  return seconds > AHEAD_SECONDS ? `(now() + make_interval(secs => ${seconds}))` : 'now()'
}
