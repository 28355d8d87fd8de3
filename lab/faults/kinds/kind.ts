import type { Random } from '../../rig/random.ts'
import type { Stage } from '../setup/stage.ts'

interface Named {
  readonly name: string
  /** One sentence for people. */
  readonly title: string
  /** It kills, and the long form is to kill often: it strikes for longer there. */
  readonly isKill?: true
  /** Not in the short form, which is to stay short. */
  readonly isLongOnly?: true
  /** Why it cannot be had on this machine; undefined when it can. */
  missing?(): string | undefined
}

/** Something that goes wrong, again and again, while payments come in. */
export interface PlainFault extends Named {
  /** Lets it go wrong once, and brings back what was taken. Resolves within half a minute. */
  strike(stage: Stage, random: Random): Promise<void>
}

/** The same for what has to be set up before it can go wrong. */
export interface PreparedFault extends Named {
  /** Throws only after it has taken back what it had set up. */
  prepare(stage: Stage, random: Random): Promise<Prepared>
}

export interface Prepared {
  strike(): Promise<void>
  /** Makes everything as it was. */
  end(): Promise<void>
}

export type FaultKind = PlainFault | PreparedFault
