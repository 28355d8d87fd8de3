/** A survivor that no test can notice, because the program does the same. */
interface Equivalent {
  /** The end of its path. */
  readonly file: string
  /** As it stands there, in one line. */
  readonly original: string
  /** What is put in its place; whatever it is when absent. */
  readonly replacement?: string
  readonly why: string
}

const NEVER_EMPTY = 'no test can notice it: a group has at least one member; the compiler does not know'

const ONLY_MEMORY = 'no test can notice it: what is remembered saves work and changes no verdict'

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'callbacks/slots.ts',
    original: 'oldest !== undefined',
    replacement: 'true',
    why: 'no test can notice it: a set that is too large has a first member; the compiler does not know',
  },
  {
    file: 'callbacks/slots.ts',
    original: 'first === undefined',
    replacement: 'false',
    why: NEVER_EMPTY,
  },
  {
    file: 'callbacks/slots.ts',
    original: '[]',
    replacement: '["Stryker was here"]',
    why: NEVER_EMPTY,
  },
  {
    file: 'ledger/service.ts',
    original: 'assertBalanced(transfer)',
    why: 'no test can notice it: the postings of every event sum to zero, and the database refuses those that do not',
  },
  { file: 'outbound/addresses.ts', original: 'known.size >= VERDICTS_KEPT_MAX', why: ONLY_MEMORY },
  { file: 'outbound/addresses.ts', original: 'known.clear()', why: ONLY_MEMORY },
  { file: 'outbound/addresses.ts', original: 'known.set(address, verdict)', why: ONLY_MEMORY },
]
