import { nowMs } from '../driver/history.ts'

/**
 * What can be killed. A session is one connection's process of PostgreSQL, a primary a server that its standby follows. A frozen
 * primary is killed when another has its place; what counts is the moment at which the address leads to that one.
 */
export const COMPONENTS = [
  'API',
  'worker',
  'PostgreSQL',
  'session',
  'primary',
  'frozen primary',
  'primary and standby',
] as const
export type Component = (typeof COMPONENTS)[number]

export interface Kill {
  readonly component: Component
  readonly atMs: number
  /** Which process of the API it was. */
  readonly api?: number
}

/** Who was killed, and when. */
export interface Kills {
  readonly all: readonly Kill[]
  note(component: Component, api?: number): void
}

export function createKills(): Kills {
  const all: Kill[] = []
  return {
    all,
    note(component, api) {
      all.push({ component, atMs: nowMs(), ...(api !== undefined && { api }) })
    },
  }
}
