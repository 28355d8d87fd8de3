import type { ErrorCode } from '@tollgate/contract/words'
import type { Config } from '../config.ts'
import type { ActView, ConfirmOrder } from '../modules/confirmations/index.ts'
import { type StatementActs, StatementProblem } from '../modules/statements/index.ts'
import { Overloaded } from '../platform/batch.ts'
import { CommitUnknown, DatabaseUnavailable } from '../platform/database.ts'
import { Refusal, type RefusalDetails } from '../platform/refusal.ts'

// What the gateway and the process that reads a large document say to each other, by the channel between parent and child.

/** A statement as it is handed in. */
type HandedIn = Parameters<StatementActs['handIn']>[0]
export type Taken = Awaited<ReturnType<StatementActs['handIn']>>

/** What is to be done with a large document. */
export type Task =
  | { readonly kind: 'HAND_IN' | 'HAND_IN_FROM_FOLDER' | 'TAKE_FROM_CHANNEL'; readonly order: HandedIn }
  | { readonly kind: 'SHOW'; readonly confirmationId: string }
  | { readonly kind: 'CONFIRM'; readonly order: ConfirmOrder }

/** What the process is told, once. */
export interface ImportJob {
  readonly config: Config
  readonly databaseUrl: string
  readonly rootKey: Uint8Array
  readonly task: Task
}

/** What came of a task. */
export type Outcome =
  | { readonly kind: 'TAKEN'; readonly taken: Taken }
  | { readonly kind: 'VIEW'; readonly view: ActView }

/** What the process answers, once. */
export type FromImporter =
  | {
      readonly kind: 'DONE'
      readonly outcome: Outcome
      /** The counter of payments as it stands in that process. */
      readonly payments: readonly PaymentCount[]
    }
  | { readonly kind: 'FAULT'; readonly fault: FaultText }

interface PaymentCount {
  readonly labels: Partial<Record<'kind' | 'method' | 'status', string | number>>
  readonly value: number
}

/** A fault without its class, which does not travel. */
interface FaultText {
  readonly name: string
  readonly message: string
  /** Of a StatementProblem. */
  readonly kind?: StatementProblem['kind']
  readonly field?: string
  /** Of Overloaded. */
  readonly advice?: string | undefined
  readonly refusal?: { readonly code: ErrorCode; readonly details: RefusalDetails }
}

/** What is told of a fault. */
export function faultAsText(error: unknown): FaultText {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  if (error instanceof StatementProblem) return { name, message, kind: error.kind, field: error.field }
  if (error instanceof Refusal)
    return { name, message, refusal: { code: error.code, details: error.details } }
  return { name, message, ...(error instanceof Overloaded && { advice: error.advice }) }
}

/** The fault that was told: of the same class where the class decides what is answered. */
export function faultFromText({ name, message, kind, field, advice, refusal }: FaultText): Error {
  if (kind !== undefined) return new StatementProblem(message, kind, field)
  if (refusal !== undefined) return new Refusal(refusal.code, refusal.details)
  if (name === 'Overloaded') return new Overloaded(message, advice)
  if (name === 'DatabaseUnavailable') return new DatabaseUnavailable(message)
  if (name === 'CommitUnknown') return new CommitUnknown(message, { mayBeResolved: false })
  return new Error(`the import ended: ${name}: ${message}`)
}
