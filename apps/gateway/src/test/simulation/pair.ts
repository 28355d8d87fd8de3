import assert from 'node:assert/strict'
import { parsePlainAmount } from '@tollgate/money'
import { type Command, openStage, perform, rest } from './commands.ts'
import type { WorldOptions } from './world.ts'

/** What a statement was asked, and what it answered. */
interface Traced {
  readonly name: string
  readonly rows: readonly object[]
}

/** What a play came to: what clients heard, and every statement with its rows. */
interface Play {
  readonly answers: readonly string[]
  /** Whose each answer is. */
  readonly owners: readonly string[]
  readonly trace: readonly Traced[]
}

/** Plays the commands in a world of its own, and writes down everything that the database answers. */
export async function play(
  commands: readonly Command[],
  options: Pick<WorldOptions, 'seed' | 'engine'>,
): Promise<Play> {
  const trace: Traced[] = []
  const stage = await openStage({
    ...options,
    isPatient: true,
    onStatement: (name, rows) => void trace.push({ name, rows }),
  })
  const answers: string[] = []
  const owners: string[] = []
  for (const command of commands) {
    const given = await perform(stage, command)
    // Of requests at once it is chance which one comes first.
    answers.push(...given.map(({ status, code }) => `${status} ${code}`).sort())
    owners.push(...given.map(() => ownerOf(command) ?? ''))
    await rest(stage)
  }
  // Callbacks that are refused take their time.
  await stage.world.time.passUntil(stage.world.time.nowMs() + AFTERWARDS_MS)
  await stage.world.close()
  return { answers, owners, trace }
}

/** Whose command it is; undefined where it is everybody's. */
export function ownerOf(command: Command): string | undefined {
  if ('of' in command) return command.of.merchantId
  return 'merchantId' in command ? command.merchantId : undefined
}

const AFTERWARDS_MS = 11 * 60_000

/** Throws when PostgreSQL answered a statement otherwise than the memory did. */
export function assertSame(memory: Play, postgres: Play): void {
  postgres.trace.forEach(({ name, rows }, index) => {
    const other = memory.trace[index]
    const where = `statement ${index}, ${name}`
    assert.equal(other?.name, name, where)
    assert.equal(other.rows.length, rows.length, `rows of ${where}`)
    rows.forEach((row, place) => {
      const [expected, found] = [columnsOf(row), columnsOf(other.rows[place] ?? {})]
      for (const [column, value] of expected) {
        if (!UNNAMED.has(column)) assert.deepEqual(found.get(column), value, `${column} of ${where}`)
      }
    })
  })
  assert.deepEqual(memory.answers, postgres.answers)
  assert.equal(memory.trace.length, postgres.trace.length)
}

/** Columns that nobody reads, and numbers of transactions, of which each database has its own. */
const UNNAMED: ReadonlySet<string> = new Set([
  '?column?',
  'pg_notify',
  'pg_advisory_xact_lock',
  'pg_logical_emit_message',
  'horizon',
])

const columnsOf = (row: object): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(row).map(([column, value]) => [column, plain(value)]))

/** Sealed bytes are others each time; an amount may be written in several ways. */
function plain(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return 'bytes'
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' && /^-?\d+[.]\d+$/.test(value) ? parsePlainAmount(value) : value
}
