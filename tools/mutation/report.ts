import { join } from 'node:path'
import { updatePage, updateResults } from '../../lab/rig/page.ts'
import { figure, markdownTable } from '../../lab/rig/table.ts'
import type { GroupResult, Survivor } from './run.ts'

const DOCS = join(import.meta.dirname, '../../docs')

export const HEAD = ['group', 'mutants', 'killed', 'timed out', 'survived', 'score', 'minutes'] as const

export function rowOf(result: GroupResult): readonly string[] {
  const { name, mutants, killed, timedOut, survivors, score, minutes } = result
  return [
    name,
    ...[mutants, killed, timedOut, survivors.length].map(String),
    `${score.toFixed(1)} %`,
    figure(minutes),
  ]
}

/** Where it is, and what it was and became. */
export function describeSurvivor({ file, line, original, replacement, mutator }: Survivor): string {
  return `${file}:${line}  ${shorten(original)}  →  ${shorten(replacement)}  (${mutator})`
}

/** Why no test can notice it; undefined when that is not known. */
export function reasonOf(survivor: Survivor): string | undefined {
  return EQUIVALENT.find(
    ({ file, original, replacement }) =>
      survivor.file.endsWith(file) &&
      survivor.original === original &&
      (replacement === undefined || survivor.replacement === replacement),
  )?.why
}

/** Brings the figures of the groups that were run up to date in docs/, and leaves the others as they are. */
export function writeResults(results: readonly GroupResult[]): void {
  updateResults('mutation.json', Object.fromEntries(results.map((result) => [result.name, result])))
  for (const result of results)
    updatePage(join(DOCS, 'mutation.md'), result.name, markdownTable(HEAD, [rowOf(result)]))
}

const TEXT_CHARACTERS_MAX = 90

const shorten = (text: string): string =>
  text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text

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
  { file: 'outbound/target.ts', original: 'known.size >= VERDICTS_KEPT_MAX', why: ONLY_MEMORY },
  { file: 'outbound/target.ts', original: 'known.clear()', why: ONLY_MEMORY },
  { file: 'outbound/target.ts', original: 'known.set(address, verdict)', why: ONLY_MEMORY },
]
