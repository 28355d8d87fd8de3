import type { JournalHeadSchema, Printed, SystemHealthSchema } from '@tollgate/contract'
import type { Permission } from '../../modules/operators/index.ts'
import { CommandFailure } from '../failure.ts'
import { openOperatorApi } from '../operator-api.ts'
import { get, type OperatorCall } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import type { Cell } from './file.ts'

// What cells are asked, each by its operator API.

/** What a cell is asked, and what it answers. */
export interface Question<Answer> {
  readonly permission: Permission
  readonly path: string
  readonly query?: OperatorCall['query']
  /** Of a list that comes in pages: so many items of it. */
  readonly upTo?: number
  /** Never there: its type is that of the answer. */
  readonly answer?: Answer
}

/** What a cell says, or why it says nothing. */
export type Heard<Answer> = { readonly answer: Answer } | { readonly away: string }

type Health = Printed<typeof SystemHealthSchema>

export const HEALTH: Question<Health> = { permission: 'health.read', path: '/operator/health' }
export const HEAD: Question<Printed<typeof JournalHeadSchema>> = {
  permission: 'ledger.read',
  path: '/operator/journal/head',
}

/** Asks a cell as its operator. A cell that cannot be reached is away; what it refuses is thrown. */
export async function ask<Answer>(
  shell: Shell,
  cell: Cell,
  question: Question<Answer>,
): Promise<Heard<Answer>> {
  const { permission, path, query, upTo } = question
  const options = { url: cell.operatorUrl, operatorKeyFile: cell.operatorKeyFile }
  try {
    const api = await openOperatorApi(shell, options, { permission, isByName: true })
    const answer = await api({ ...get(path, query), ...(upTo !== undefined && { upTo }) })
    if (isAnswerTo(question, answer)) return { answer }
    return { away: 'The operator API answered nothing.' }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    if (error.kind === 'UNREACHABLE' || error.kind === 'SERVER') return { away: error.message }
    throw new CommandFailure(error.kind, `Cell ${cell.cell}: ${error.message}`, error.lines)
  }
}

/** A route answers by its schema: the gateway's own types see to it. */
const isAnswerTo = <Answer>(_question: Question<Answer>, answer: unknown): answer is Answer =>
  typeof answer === 'object' && answer !== null

/** The same of what says that it is this cell: an address may lead to another one by now. */
export async function askOwn<Answer>(
  shell: Shell,
  cell: Cell,
  question: Question<Answer>,
): Promise<Heard<Answer>> {
  const health = await ask(shell, cell, HEALTH)
  if ('away' in health) return health
  requireLetter(cell, health.answer)
  return ask(shell, cell, question)
}

/** Throws a sentence for a gateway that is not this cell. */
export function requireLetter(cell: Cell, health: Health): void {
  const wrong = wrongLetter(cell, health)
  if (wrong === undefined) return
  throw new CommandFailure(
    'CONFLICT',
    `${cell.operatorUrl} is not cell ${cell.cell}: ${wrong}. Nothing was changed.`,
  )
}

/** What is wrong with the letter that a cell says it has; undefined where it is the right one. */
export function wrongLetter({ cell }: Pick<Cell, 'cell'>, { gateway }: Health): string | undefined {
  if (gateway.cell === cell) return undefined
  return gateway.cell === undefined
    ? `it has no letter: set TOLLGATE_CELL=${cell} there, and CHECKOUT_CELL=${cell} for its payment page`
    : `it is cell ${gateway.cell}`
}
