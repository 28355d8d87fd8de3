import { createHash } from 'node:crypto'
import { CURRENCIES_ISO_4217, isPositive, type Money } from '@tollgate/money'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import type { Database, Tx } from '../../../platform/database.ts'
import { databaseWithin, dryRun } from '../../../platform/dry-run.ts'
import {
  type Act,
  ActImpossible,
  ANYBODY,
  type ChangedPayment,
  type ConsequenceSum,
  type Consequences,
  type NewAct,
  type Performer,
  type SecondPerson,
  sumsByCurrency,
  sumsOfPayments,
} from '../../confirmations/index.ts'
import { OPERATOR_ACTOR_PREFIX, type TransitionOutcome } from '../../payments/index.ts'
import { StatementProblem } from '../errors.ts'
import { CsvMappingSchema } from '../formats/csv-mapping.ts'
import { findFile } from '../import/file-store.ts'
import {
  accountCodesOf,
  type Imported,
  type ImportedStatement,
  type ImportOrder,
  importFile,
} from '../import/import.ts'
import { type Matched, matchNewLines } from '../matching/matching.ts'
import type { StatementDeps, StatementService } from '../service.ts'
import { type FileSum, listFileSums } from './act-store.ts'

/** An act of one operator that waits for a second one. */
export interface Waits {
  readonly kind: 'WAITING'
  readonly act: Act
}

export interface FileActDeps extends StatementDeps {
  readonly statements: Pick<StatementService, 'take' | 'match'>
  readonly secondPerson: SecondPerson
  /** A payout file that this actor made, that leaves from one of the accounts, and that has not ended. */
  readonly findOwnPayoutFile: (
    tx: Tx,
    accountCodes: readonly string[],
    actor: string,
  ) => Promise<string | undefined>
}

const KIND = 'STATEMENT_FILE'
const TITLE_CHARACTERS_MAX = 255

/** How a file is to be read: what a confirmation keeps beside its bytes. */
const DirectiveSchema = Type.Object({
  fileName: Type.String(),
  mapping: Type.Optional(CsvMappingSchema),
  encoding: Type.Optional(Type.String()),
  accountCode: Type.Optional(Type.String()),
  isStrict: Type.Optional(Type.Boolean()),
})
type Directive = Static<typeof DirectiveSchema>
type HandedIn = Omit<ImportOrder, 'confirmedBy'>
const compiled = Compile(DirectiveSchema)

function readDirective(text: string): Directive {
  const value: unknown = JSON.parse(text)
  if (!compiled.Check(value)) throw new Error('the directive of a file that waits is not ours')
  return value
}

/**
 * Takes a file that a person hands in, or that lies in a folder which anybody may fill: at once, or when a second operator
 * has confirmed it. Throws FileProblem for what could not be taken, and then nothing waits.
 */
export async function handInFile(
  deps: FileActDeps,
  order: HandedIn,
): Promise<(Imported & { readonly matched: Matched }) | Waits> {
  const digest = createHash('sha256').update(order.bytes).digest()
  if (!deps.secondPerson.isOn || (await findFile(deps.db, digest)) !== undefined)
    return deps.statements.take(order)
  const { sums } = await dryRun(deps.db, (dry) => rehearse(deps, dry, order))
  const { bytes, actor } = order
  const directive = directiveOf(order)
  const act: NewAct = {
    kind: KIND,
    digest,
    actor,
    bytes,
    lineIds: [],
    sums,
    title: order.fileName.slice(-TITLE_CHARACTERS_MAX) || 'file',
    directive: JSON.stringify(directive),
  }
  let imported: Imported | undefined
  const admission = await deps.secondPerson.admit(deps, {
    actOf: () => Promise.resolve(act),
    async carryOut(tx) {
      imported = await importFile({ ...deps, db: databaseWithin(tx) }, order)
    },
  })
  if (admission.kind === 'WAITS') {
    requireSameDirective(admission.act, directive)
    return { kind: 'WAITING', act: admission.act }
  }
  if (imported === undefined) throw new Error('a file was admitted, and nothing was imported')
  return { ...imported, matched: await deps.statements.match() }
}

function directiveOf({ fileName, mapping, encoding, accountCode, isStrict }: HandedIn): Directive {
  return {
    fileName,
    ...(mapping !== undefined && { mapping }),
    ...(encoding !== undefined && { encoding }),
    ...(accountCode !== undefined && { accountCode }),
    ...(isStrict === true && { isStrict }),
  }
}

/** The same bytes, read in another way, are another statement. */
function requireSameDirective(act: Act, given: Directive): void {
  const waiting = readDirective(act.directive)
  if (JSON.stringify({ ...waiting, fileName: '' }) === JSON.stringify({ ...given, fileName: '' })) return
  throw new StatementProblem(
    `This very file waits as confirmation ${act.confirmationId}, to be read in another way. Withdraw or refuse that first.`,
    'WAITS',
  )
}

interface Rehearsed {
  readonly consequences: Consequences
  /** The money of all new lines. */
  readonly sums: readonly Money[]
}

/** Imports and matches on a database that is rolled back afterwards. */
async function rehearse(deps: FileActDeps, dry: Database, order: HandedIn): Promise<Rehearsed> {
  const within = { ...deps, db: dry, metrics: undefined }
  // What another file brought a moment ago is not of this one.
  await matchAll(within)
  const imported = await importFile(within, { ...order, confirmedBy: ANYBODY })
  if (imported.kind === 'KNOWN')
    return { consequences: { payments: [], sums: [], remarks: [KNOWN_ALREADY] }, sums: [] }
  const payments = (await matchAll(within)).flatMap(changedPayment)
  const counted = await listFileSums(dry, imported.fileId)
  const suspended = counted.filter(({ open }) => isPositive(open.amount))
  return {
    sums: sumsByCurrency(counted.map(({ money }) => money)),
    consequences: {
      payments,
      sums: [
        ...sumsOfPayments(payments),
        ...suspended.map(({ open, count }): ConsequenceSum => ({ what: 'SUSPENSE', count, money: open })),
      ],
      remarks: [...counted.map(remarkOnLines), ...imported.statements.map(remarkOn), ...imported.warnings],
    },
  }
}

const KNOWN_ALREADY = 'This very file was taken meanwhile: nothing would be done.'

/** "1 line goes into suspense (unknown): 6,400.00 EUR". */
function remarkOnLines({ state, count, money, open }: FileSum): string {
  const cause = state.toLowerCase().replaceAll('_', ' ')
  const becomes = isPositive(open.amount)
    ? `${count === 1 ? 'goes' : 'go'} into suspense (${cause})`
    : `${count === 1 ? 'is' : 'are'} ${cause}`
  return `${linesText(count)} ${becomes}: ${moneyText(money)}`
}

const remarkOn = ({ label, accountCode, lineCount, knownCount }: ImportedStatement): string =>
  `${label} of ${accountCode}: ${linesText(lineCount, 'new ')}${knownCount === 0 ? '' : `, ${knownCount} taken before`}`

const linesText = (count: number, which = ''): string => `${count} ${which}${count === 1 ? 'line' : 'lines'}`

/** As the console writes amounts. */
function moneyText({ amount, currencyCode }: Money): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const digits = fraction.padEnd(CURRENCIES_ISO_4217.get(currencyCode)?.minorUnits ?? 0, '0')
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${digits === '' ? '' : `.${digits}`} ${currencyCode}`
}

async function matchAll(deps: Parameters<typeof matchNewLines>[0]): Promise<readonly TransitionOutcome[]> {
  const outcomes: TransitionOutcome[] = []
  for (;;) {
    const batch = await matchNewLines(deps)
    if (batch.lines === 0) return outcomes
    outcomes.push(...batch.outcomes)
  }
}

function changedPayment(outcome: TransitionOutcome): readonly ChangedPayment[] {
  if (outcome.kind !== 'CHANGED') return []
  const { merchantId, kind, idPayment, money } = outcome.payment
  return [{ key: { merchantId, kind, idPayment }, becomes: outcome.status, money }]
}

/** What confirmations of files do. */
export function createFilePerformer(deps: FileActDeps): Performer {
  return {
    async rehearse(dry, { act, bytes }) {
      return (await orImpossible(rehearse(deps, dry, orderOf(act, bytes)))).consequences
    },
    async problemOfOperator(tx, { act, bytes }, operatorCode) {
      const codes = await accountCodesOf(tx, orderOf(act, bytes))
      const fileId = await deps.findOwnPayoutFile(tx, codes, `${OPERATOR_ACTOR_PREFIX}${operatorCode}`)
      if (fileId === undefined) return undefined
      return `You made the payout file ${fileId}, which leaves from this account and has not ended, so somebody else has to confirm the statement.`
    },
    async carryOut(within, { act, bytes }, confirmedBy) {
      const order = { ...orderOf(act, bytes), confirmedBy }
      return (await orImpossible(importFile({ ...deps, db: within }, order))).fileId
    },
    async afterwards() {
      await deps.statements.match()
    },
    describe: ({ act, bytes }) => ({ ...readDirective(act.directive), byteCount: bytes.length }),
  }
}

const orderOf = (act: Act, bytes: Buffer) => ({ ...readDirective(act.directive), bytes, actor: act.actor })

/** What a file cannot be is no fault of the gateway: the act says so. */
export async function orImpossible<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StatementProblem) throw new ActImpossible(error.message)
    throw error
  }
}
