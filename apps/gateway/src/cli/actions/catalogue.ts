import { catalogueYaml, STARTER_CURRENCIES, starterCatalogue } from '../../modules/catalogue/index.ts'
import { CommandFailure } from '../failure.ts'
import type { Report } from '../shell.ts'

/** `tollgate catalogue starter` */
export function printStarter(currencyCodes: readonly string[]): Promise<Report> {
  const codes = [...new Set(currencyCodes)]
  const unknown = codes.filter((each) => !STARTER_CURRENCIES.includes(each))
  if (unknown.length > 0)
    throw new CommandFailure(
      'USAGE',
      `The starter has no ${unknown.join(', ')}. It has: ${STARTER_CURRENCIES.join(', ')}. Any other currency can be written into the file.`,
    )
  const document = starterCatalogue(codes)
  return Promise.resolve({
    json: document,
    text: `${HEAD}\n${catalogueYaml(document)}`,
    notes: ['Save it, change it, and run `tollgate catalogue apply <file> --dry-run`.'],
  })
}

const HEAD = `# A first catalogue: bank transfers in and out. Check the limits before you apply it.
# Apply with: tollgate catalogue apply <file> --dry-run, then without --dry-run.`
