import type {
  CatalogueAppliedSchema,
  CatalogueChangeListSchema,
  CatalogueDocumentSchema,
  CatalogueExplainedSchema,
  Printed,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { readFileOrInput } from '../files.ts'
import { harmless } from '../harmless.ts'
import type { OperatorOptions } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { code, type DirectionName, direction, positiveNumber, wholeNumber } from '../values.ts'

type Applied = Printed<typeof CatalogueAppliedSchema>

const LISTED = 50
const LISTED_MAX = 10_000

const exportAll = clientCommand({
  command: 'export',
  says: 'print the whole catalogue as YAML, as `catalogue apply` takes it',
  permission: 'catalogue.read',
  asks: () => ({ method: 'GET', path: '/operator/catalogue' }),
  shows: async (document: Printed<typeof CatalogueDocumentSchema>) => {
    const { catalogueYaml } = await import('../../modules/catalogue/index.ts')
    return catalogueYaml(document)
  },
})

const apply = clientCommand({
  command: 'apply <file>',
  says: 'apply a YAML file to the catalogue, all of it or nothing; - is standard input',
  options: [{ flags: '--dry-run', says: 'only show what would change' }],
  permission: 'catalogue.apply',
  asks: async ({ file }, { dryRun }: OperatorOptions & { dryRun?: true }, shell) => ({
    method: 'PUT',
    path: '/operator/catalogue',
    query: { dryRun },
    file: await readFileOrInput(shell, file),
  }),
  shows: ({ isDryRun, changes }: Applied) => ({
    text: changes.map(changeText).join('\n'),
    notes: [
      changes.length === 0
        ? 'Nothing to change: the catalogue is already like this.'
        : `${changes.length} ${changes.length === 1 ? 'item' : 'items'} ${isDryRun ? 'would change. Nothing was changed (dry run).' : 'changed.'}`,
    ],
  }),
})

const MARKS: Readonly<Record<string, string>> = { ADD: '+', CHANGE: '~', REMOVE: '-' }

/** A line for the item, and one for each field that changes. */
function changeText({ section, item, action, fields }: Applied['changes'][number]): string {
  const head = `${MARKS[action] ?? action} ${section} ${item}`
  if (action === 'REMOVE') return head
  const lines = fields.map(({ field, before, after }) =>
    action === 'ADD' ? `    ${field}: ${shown(after)}` : `    ${field}: ${shown(before)} -> ${shown(after)}`,
  )
  return [head, ...lines].map(harmless).join('\n')
}

const shown = (value: unknown): string => JSON.stringify(value ?? null)

const changes = clientCommand({
  command: 'changes',
  says: 'list what `catalogue apply` changed, the newest first',
  options: [
    {
      flags: '--limit <count>',
      says: `number of changes; default: ${LISTED}`,
      read: wholeNumber('--limit', 1, LISTED_MAX),
    },
  ],
  permission: 'catalogue.read',
  asks: (_typed, { limit = LISTED }: OperatorOptions & { limit?: number }) => ({
    method: 'GET',
    path: '/operator/catalogue/changes',
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof CatalogueChangeListSchema>, pen) =>
    pen.table(
      ['CHANGED', 'OPERATOR', 'SECTION', 'ITEM', 'BEFORE', 'AFTER'],
      data.map(({ changedAt, operatorCode, section, item, before, after }) => [
        pen.momentOf(changedAt),
        operatorCode,
        section,
        item,
        ...[before, after].map((row) => (row === undefined ? '-' : shown(row))),
      ]),
      'No changes.',
    ),
})

interface ExplainOptions extends OperatorOptions {
  readonly kind?: DirectionName
  readonly segment?: string
}

const SIGNS: Readonly<Record<string, string>> = { PASSED: 'ok', FAILED: 'NO', NOT_JUDGED: '-' }

const explain = clientCommand({
  command: 'explain <merchant> <amount> <currency>',
  says: 'explain for each method why a merchant can or cannot use it for this amount',
  options: [
    { flags: '--kind <kind>', says: 'payin, payout or topup; default: payin', read: direction },
    { flags: '--segment <segment>', says: 'for customers of this segment', read: code },
  ],
  permission: 'catalogue.read',
  asks: (typed, { kind, segment }: ExplainOptions) => ({
    method: 'GET',
    path: '/operator/catalogue/explain',
    query: {
      merchantCode: typed.merchant,
      amount: positiveNumber('The amount')(typed.amount),
      currencyCode: code(typed.currency),
      kind,
      segmentCode: segment,
    },
  }),
  shows: ({ reasons, methods }: Printed<typeof CatalogueExplainedSchema>, pen) => ({
    text: pen.table(
      ['METHOD', 'OFFERED', 'RULE', '', 'REASON'],
      methods.flatMap(({ paymentMethodCode, isOffered, rules }) =>
        rules.map(({ rule, verdict, message }, index) => [
          ...(index === 0 ? [paymentMethodCode, isOffered ? 'yes' : 'no'] : ['', '']),
          rule,
          SIGNS[verdict] ?? verdict,
          message ?? '',
        ]),
      ),
      'No methods. `tollgate catalogue starter` prints a first catalogue.',
    ),
    notes: reasons.map(({ message }) => message),
  }),
})

/** `tollgate catalogue`: what can be paid with. */
export function addCatalogueCommands(program: Command, shell: Shell): void {
  const catalogue = program.command('catalogue').description('payment methods, banks, currencies and limits')
  catalogue
    .command('starter')
    .description('print a first catalogue for live: currencies and bank transfers; changes nothing')
    .option('--currency <codes>', 'codes of currencies, separated by commas', 'EUR')
    .action(
      shell.act(async ({ currency }: { currency: string }) =>
        (await import('../actions/catalogue.ts')).printStarter(currency.split(',').map(code)),
      ),
    )
  for (const command of [exportAll, apply, changes, explain]) command.addTo(catalogue, shell)
}
