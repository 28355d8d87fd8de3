import type { Finding, Tree } from './tree.ts'

const FOLDER = 'apps/gateway/migrations/'
const NAME = /^(\d{4})_[a-z][a-z0-9]*(?:_[a-z0-9]+)+[.]sql$/
const BESIDE = ['schema.sql', 'README.md']

/** Migrations sort by name, and their numbers are 0001, 0002, … with none left out and none used twice. */
export function findUnorderedMigrations(tree: Tree): Finding[] {
  const names = tree.files.filter((path) => path.startsWith(FOLDER)).map((path) => path.slice(FOLDER.length))
  const findings: Finding[] = []
  let expected = 1
  for (const name of names.filter((each) => !BESIDE.includes(each)).sort()) {
    if (/^\d{4}_.*[.]test[.]sql$/.test(name)) {
      const tested = name.replace('.test.sql', '.sql')
      if (names.includes(tested)) continue
      findings.push({
        path: FOLDER + name,
        message: `There is no ${tested} to test. Rename the test after its migration.`,
      })
      continue
    }
    const number = NAME.exec(name)?.[1]
    const wanted = String(expected).padStart(4, '0')
    if (number === undefined) {
      findings.push({
        path: FOLDER + name,
        message: 'Name it NNNN_<noun>_<what>.sql, as in 0007_callbacks_add_next_attempt.sql.',
      })
      continue
    }
    if (number !== wanted)
      findings.push({ path: FOLDER + name, message: `The next number is ${wanted}. Renumber it.` })
    expected = Number(number) + 1
  }
  return findings
}
