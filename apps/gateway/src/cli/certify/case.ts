import type { Stage } from './stage.ts'

/** One thing that happens to shops, and what a correct shop does. */
export interface Case {
  readonly name: string
  /** What is done to the shop. */
  readonly done: string
  /** What a correct shop does. */
  readonly right: string
  /** The failure that this prevents, in one sentence. */
  readonly why: string
  /** What to do where the case fails. */
  readonly fix: string
  /** Throws Fault where the shop is wrong. */
  readonly play: (stage: Stage) => Promise<void>
}
