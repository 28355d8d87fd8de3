import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperatorRole } from '@tollgate/contract/words'
import { randomIds } from '@tollgate/runtime'
import { createOperatorService, OperatorProblem, type OperatorService } from '../modules/operators/index.ts'
import type { Database } from '../platform/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import { writePrivately } from '../platform/whole-file.ts'

interface DemoOperator {
  readonly code: string
  readonly name: string
  readonly roles: readonly OperatorRole[]
}

const MONEY_ROLES = ['SUPPORT', 'FINANCE', 'APPROVER'] as const

/** Two for money, because a payout is approved by two; and one who sets up, who may not be one of them. */
export const DEMO_OPERATORS: readonly DemoOperator[] = [
  { code: 'ada', name: 'Ada (sandbox)', roles: MONEY_ROLES },
  { code: 'grace', name: 'Grace (sandbox)', roles: MONEY_ROLES },
  { code: 'alan', name: 'Alan (sandbox)', roles: ['ADMIN', 'CATALOGUE'] },
]

/** Of the data directory: what `npm start` writes down for the sandbox. */
export const DEMO_FOLDER = 'demo'
/** Where the key of an operator of the sandbox lies. */
export const demoKeyFile = (folder: string, code: string): string => join(folder, `operator-${code}.key`)

interface DemoOperatorDeps {
  readonly db: Database
  readonly secrets: Secrets
}

/**
 * Makes the operators of the sandbox, with their keys in `operator-<code>.key` of the folder. What is there already
 * stays: their roles, that one is disabled, and keys that work.
 */
export async function prepareDemoOperators(
  deps: DemoOperatorDeps & { readonly folder: string },
): Promise<void> {
  const operators = createOperatorService({ ...deps, ids: randomIds })
  mkdirSync(deps.folder, { recursive: true })
  for (const demo of DEMO_OPERATORS) {
    const file = demoKeyFile(deps.folder, demo.code)
    const key = await freshKey(operators, demo, file)
    if (key !== undefined) writePrivately(file, `${key}\n`)
  }
}

/** A key where the file holds none that works; undefined where it does. */
async function freshKey(
  operators: OperatorService,
  demo: DemoOperator,
  file: string,
): Promise<string | undefined> {
  const keyIds = await keyIdsOf(operators, demo.code)
  if (keyIds === undefined) return (await operators.create(demo)).key.key
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if ((await operators.findKeyOwner(kept))?.code === demo.code) return undefined
  // Nobody has these any more: whoever had a key of the sandbox had it in this file.
  for (const keyId of keyIds) await operators.removeKey(demo.code, keyId)
  return (await operators.addKey(demo.code)).key
}

/** Undefined when there is no such operator. */
async function keyIdsOf(operators: OperatorService, code: string): Promise<readonly string[] | undefined> {
  try {
    return (await operators.show(code)).keys.map(({ keyId }) => keyId)
  } catch (error) {
    if (error instanceof OperatorProblem && error.kind === 'NOT_FOUND') return undefined
    throw error
  }
}

/** True when an operator of the sandbox is active. A person of the same code has another name. */
export async function hasDemoOperator(deps: DemoOperatorDeps): Promise<boolean> {
  const operators = await createOperatorService({ ...deps, ids: randomIds }).list()
  return operators.some(
    (operator) =>
      operator.status === 'ACTIVE' &&
      DEMO_OPERATORS.some(({ code, name }) => operator.code === code && operator.name === name),
  )
}
