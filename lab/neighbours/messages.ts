import type { Account } from '../rig/accounts.ts'

/** What the runner tells a cell, and what it answers. */
export type ToCell =
  /** Its merchant asks for payments, or stops; also while the cell is dead. */
  | { readonly kind: 'WORK' | 'REST' }
  | { readonly kind: 'MEASURE'; readonly seconds: number }
  /** SIGKILL of all its processes, its database's too; and all of them anew. */
  | { readonly kind: 'KILL' | 'REVIVE' }
  | { readonly kind: 'END' }

export type FromCell =
  | { readonly kind: 'DONE' }
  | { readonly kind: 'MEASURED'; readonly window: Window }
  | { readonly kind: 'ENDED'; readonly account: Account }

/** What a cell did for a while. */
export interface Window {
  /** Payments that were told to the merchant. */
  readonly lives: number
  /** Of gateway, worker and database, for all of them. */
  readonly cpuMicroseconds: number
  /** Of creates, from the merchant's side. */
  readonly tookMs: readonly number[]
}
