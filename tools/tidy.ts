// Our own small rules, each with its remedy. `node tools/tidy.ts` runs them all; tools/check/ holds one file per rule.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findUndrawnParts, findUnnamedKeys } from './check/architecture.ts'
import { findAttackRowGaps } from './check/attack-rows.ts'
import { findDeadPaths } from './check/doc-paths.ts'
import { findErrorPageGaps } from './check/error-pages.ts'
import { findLonelyExports } from './check/exports.ts'
import { findLongFiles } from './check/file-size.ts'
import { findUnexplainedStatuses } from './check/glossary.ts'
import { findLeftovers } from './check/leftovers.ts'
import { findUnorderedMigrations } from './check/migrations.ts'
import { findUnwelcomePackages } from './check/packages.ts'
import { findUntidyRooms } from './check/rooms.ts'
import { findUnprovenRequirements } from './check/security-page.ts'
import { findSilencedTests } from './check/silenced-tests.ts'
import { type ApiDocument, findStatusGaps } from './check/status-tests.ts'
import { findForeignTables } from './check/tables.ts'
import { findWrongStops } from './check/tour.ts'
import { type Finding, printFinding, type Tree, treeOfRepository } from './check/tree.ts'
import { isRecord } from './check/values.ts'
import { findOtherVersions } from './check/versions.ts'

const ROOT = resolve(import.meta.dirname, '..')
const ERRORS = 'packages/contract/src/errors.ts'
const PAYMENTS = 'apps/gateway/src/modules/payments/model.ts'
const DOCUMENTS = ['docs/openapi.json', 'docs/operator-openapi.json']

type Rule = { readonly name: string; readonly find: (tree: Tree) => Finding[] | Promise<Finding[]> }

/** What `path` exports under `name`; the sources are asked, so that no list is kept twice. */
async function exported(path: string, name: string): Promise<unknown> {
  const module: unknown = await import(pathToFileURL(resolve(ROOT, path)).href)
  if (!isRecord(module) || module[name] === undefined) throw new Error(`${path} exports no ${name}`)
  return module[name]
}

async function listed(path: string, name: string): Promise<string[]> {
  const list = await exported(path, name)
  if (!Array.isArray(list)) throw new Error(`${name} of ${path} is not a list`)
  return list.map(String)
}

async function errorCodes(): Promise<string[]> {
  const catalogue = await exported(ERRORS, 'ERROR_CATALOGUE')
  if (!isRecord(catalogue)) throw new Error(`ERROR_CATALOGUE of ${ERRORS} is not an object`)
  return Object.keys(catalogue)
}

async function statuses(): Promise<string[]> {
  return [...(await listed(PAYMENTS, 'PAYMENT_STATUSES')), ...(await listed(PAYMENTS, 'PROCESSOR_STATUSES'))]
}

function documentsOf(tree: Tree): readonly ApiDocument[] {
  return DOCUMENTS.map((path) => {
    const document: unknown = JSON.parse(tree.read(path))
    return { path, document }
  })
}

const RULES: readonly Rule[] = [
  { name: 'error codes and their pages', find: async (tree) => findErrorPageGaps(tree, await errorCodes()) },
  {
    name: 'documented statuses and their tests',
    find: (tree) => findStatusGaps(tree, documentsOf(tree)),
  },
  { name: 'attacks and their tests', find: findAttackRowGaps },
  { name: 'leftover notes', find: findLeftovers },
  { name: 'silenced tests', find: findSilencedTests },
  { name: 'rooms', find: findUntidyRooms },
  { name: 'ARCHITECTURE.md names every part', find: findUndrawnParts },
  { name: 'ARCHITECTURE.md names every key', find: findUnnamedKeys },
  { name: 'stops of the tour', find: findWrongStops },
  { name: 'tables and their rooms', find: (tree) => findForeignTables(tree) },
  { name: 'migrations', find: findUnorderedMigrations },
  { name: 'paths named in pages', find: findDeadPaths },
  { name: 'packages of production', find: findUnwelcomePackages },
  { name: 'requirements of security and their tests', find: findUnprovenRequirements },
  { name: 'versions', find: findOtherVersions },
  { name: 'length of files', find: (tree) => findLongFiles(tree) },
  { name: 'exports that nobody imports', find: findLonelyExports },
  { name: 'glossary', find: async (tree) => findUnexplainedStatuses(tree, await statuses()) },
]

/** A rule that cannot even look (a source is missing or broken) is a finding, too. */
async function apply(rule: Rule, tree: Tree): Promise<readonly string[]> {
  try {
    return (await rule.find(tree)).map(printFinding)
  } catch (error) {
    return [`cannot be checked: ${error instanceof Error ? error.message : String(error)}`]
  }
}

const tree = treeOfRepository(ROOT)
for (const rule of RULES) {
  const lines = await apply(rule, tree)
  if (lines.length === 0) continue
  process.exitCode = 1
  console.log(`${rule.name} (${lines.length})\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
}
