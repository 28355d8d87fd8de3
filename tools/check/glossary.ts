import type { Finding, Tree } from './tree.ts'

const GLOSSARY = 'docs/glossary.md'

/** Every status that a merchant can read is explained in the glossary, under its own name in backticks. */
export function findUnexplainedStatuses(tree: Tree, statuses: readonly string[]): Finding[] {
  if (!tree.has(GLOSSARY))
    return [{ path: GLOSSARY, message: 'There is no glossary. Write it: one line per word.' }]
  const text = tree.read(GLOSSARY)
  return statuses
    .filter((status) => !text.includes(`\`${status}\``))
    .map((status) => ({
      path: GLOSSARY,
      message: `\`${status}\` is not explained. Say in a sentence what it means to a merchant.`,
    }))
}
