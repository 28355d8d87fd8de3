import type { FaultKind } from '../kinds/index.ts'

/** One change of a source file: the text, which must be there once, and what takes its place. */
export interface Patch {
  /** From the root of the repository. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A gateway that is broken in one way which the checks must notice. */
export interface Mutant {
  readonly name: string
  /** What it does wrong, as a sentence without its full stop. */
  readonly title: string
  readonly patches: readonly [Patch, ...Patch[]]
  /** What it runs under. */
  readonly kind: FaultKind
  /** The invariant that must be found broken; others may be, too. */
  readonly mustBreak: string
}

/** The code is not any more what the mutant was written for. */
export class NoLongerApplies extends Error {
  override readonly name = 'NoLongerApplies'
}

/** The file's text with the change. Throws NoLongerApplies unless the text to replace is there exactly once. */
export function applyPatch(text: string, { file, find, replace }: Patch): string {
  const [before, after, ...others] = text.split(find)
  if (before !== undefined && after !== undefined && others.length === 0) return before + replace + after
  const times = after === undefined ? 'nowhere' : `${others.length + 1} times`
  throw new NoLongerApplies(`${file} has the text ${times}:\n${find}`)
}
