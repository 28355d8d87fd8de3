import type { Stage } from '../house/stage.ts'
import type { Random } from '../random.ts'

/** Something that goes wrong, again and again, while payments come in. */
export interface FaultKind {
  readonly name: string
  /** One sentence for people. */
  readonly title: string
  /** Lets it go wrong once, and brings back what was taken. Resolves within half a minute. */
  strike(stage: Stage, random: Random): Promise<void>
}
