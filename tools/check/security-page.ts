import type { Finding, Tree } from './tree.ts'

const PAGE = 'docs/security.md'
const ATTACKS = 'acceptance/security/README.md'
const TABLE = '## OWASP ASVS 5.0'
const REQUIREMENT = /^\d+[.]\d+/
const ATTACK = /\b[A-Z]\d{1,3}\b/g
const PATH = /`[\w./-]+`/g
/** What a requirement without a test says instead, with a reason behind it. */
const EXCUSE = /(?:n\/a|not yet|operator): ./

/** Every requirement on the page of security has a test, or says why not; every attack that the page names is in the list. */
export function findUnprovenRequirements(tree: Tree): Finding[] {
  const attacks = attacksIn(tree.read(ATTACKS))
  const lines = tree.read(PAGE).split('\n')
  const tableAt = lines.indexOf(TABLE)
  if (tableAt < 0) return [{ path: PAGE, message: `There is no heading "${TABLE}".` }]
  return lines.flatMap((text, index) => {
    const [, requirement = '', , tests = ''] = text.split('|').map((cell) => cell.trim())
    if (index < tableAt || !REQUIREMENT.test(requirement)) return []
    return problemsOf(tests, attacks).map((message) => ({ path: PAGE, line: index + 1, message }))
  })
}

function problemsOf(tests: string, attacks: ReadonlySet<string>): string[] {
  const paths = tests.match(PATH) ?? []
  const named = tests.replaceAll(PATH, '').match(ATTACK) ?? []
  const hasProof = paths.length > 0 || named.length > 0 || EXCUSE.test(tests)
  return [
    ...(hasProof ? [] : ['Name a test or an attack, or say `not yet: …`, `n/a: …` or `operator: …`.']),
    ...named.filter((id) => !attacks.has(id)).map((id) => `${id} is not in ${ATTACKS}.`),
  ]
}

/** The ids in the first cells of the list's tables; a range such as `B1 to B6` is all of it. */
function attacksIn(text: string): ReadonlySet<string> {
  const cells = text.split('\n').flatMap((line) => /^\| ([A-Z]\d[^|]*)\|/.exec(line)?.[1] ?? [])
  return new Set(
    cells.flatMap((cell) => {
      const [, letter = '', from = '', to = ''] = /^([A-Z])(\d+) to \1(\d+) *$/.exec(cell) ?? []
      if (letter === '') return cell.match(ATTACK) ?? []
      const count = Number(to) - Number(from) + 1
      return Array.from({ length: count }, (_, step) => `${letter}${String(Number(from) + step)}`)
    }),
  )
}
