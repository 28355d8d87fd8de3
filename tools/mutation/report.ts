import { join } from 'node:path'
import { updatePage, updateResults } from '../../lab/rig/page.ts'
import { figure, markdownTable } from '../../lab/rig/table.ts'
import { EQUIVALENT } from './equivalent.ts'
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

/** Brings the parts of the groups that were run up to date in docs/, and leaves the others as they are. */
export function writeResults(results: readonly GroupResult[]): void {
  updateResults('mutation.json', Object.fromEntries(results.map((result) => [result.name, result])))
  for (const result of results) updatePage(join(DOCS, 'mutation.md'), result.name, sectionOf(result))
}

function sectionOf(result: GroupResult): string {
  const lines = result.survivors.map((survivor) => {
    const { file, line, original, replacement } = survivor
    const why = reasonOf(survivor) ?? 'not noticed'
    return `- \`${file}:${line}\` ${code(original)} → ${code(replacement)}: ${why}`
  })
  return [markdownTable(HEAD, [rowOf(result)]), ...(lines.length === 0 ? [] : [lines.join('\n')])].join(
    '\n\n',
  )
}

const TEXT_CHARACTERS_MAX = 90

const shorten = (text: string): string =>
  text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text

const code = (text: string): string => `\`\` ${shorten(text)} \`\``
