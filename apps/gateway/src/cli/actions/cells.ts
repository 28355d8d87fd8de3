import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type {
  CatalogueDocumentSchema,
  JournalHeadSchema,
  OperatorAccountListSchema,
  OperatorMerchantListSchema,
  OperatorRateListListSchema,
  OperatorRateSheetSchema,
  Printed,
  SystemHealthSchema,
} from '@tollgate/contract'
import type { Permission } from '../../modules/operators/index.ts'
import { type Difference, differencesIn, type Items, itemsIn } from '../cells/differences.ts'
import {
  type Cell,
  cellsFileOf,
  checked,
  readCells,
  requireCells,
  writeCells,
  writeWhole,
} from '../cells/file.ts'
import { type CellMerchant, mapOf } from '../cells/map.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { openOperatorApi } from '../operator-api.ts'
import { get, type OperatorCall, pathOf } from '../operator-call.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'
import { table } from '../text.ts'

type Health = Printed<typeof SystemHealthSchema>
type Catalogue = Printed<typeof CatalogueDocumentSchema>
type RateLists = Printed<typeof OperatorRateListListSchema>
type RateSheet = Printed<typeof OperatorRateSheetSchema>
type Operators = Printed<typeof OperatorAccountListSchema>

const MERCHANTS_MAX = 10_000_000

/** What a cell says, or why it says nothing. */
type Heard<Answer> = { readonly answer: Answer } | { readonly away: string }

/** Asks a cell as its operator. A cell that cannot be reached is away; what it refuses is thrown. */
async function ask<Answer>(
  shell: Shell,
  cell: Cell,
  permission: Permission,
  call: OperatorCall,
): Promise<Heard<Answer>> {
  const options = { url: cell.operatorUrl, operatorKeyFile: cell.operatorKeyFile }
  try {
    const api = await openOperatorApi(shell, options, { permission, isByName: true })
    const answer = await api(call)
    if (isAnswer<Answer>(answer)) return { answer }
    return { away: 'The operator API answered nothing.' }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    if (error.kind === 'UNREACHABLE' || error.kind === 'SERVER') return { away: error.message }
    throw new CommandFailure(error.kind, `Cell ${cell.cell}: ${error.message}`, error.lines)
  }
}

/** A route answers by its schema: the gateway's own types see to it. */
const isAnswer = <Answer>(answer: unknown, _as?: Answer): answer is Answer =>
  typeof answer === 'object' && answer !== null

const healthOf = (shell: Shell, cell: Cell): Promise<Heard<Health>> =>
  ask<Health>(shell, cell, 'health.read', get('/operator/health'))

async function merchantsOf(shell: Shell, cell: Cell): Promise<Heard<readonly CellMerchant[]>> {
  const call = { ...get('/operator/merchants'), upTo: MERCHANTS_MAX }
  const heard = await ask<Printed<typeof OperatorMerchantListSchema>>(shell, cell, 'merchants.read', call)
  if ('away' in heard) return heard
  const { data } = heard.answer
  return {
    answer: data.map(({ merchantCode, status }) => ({ merchantCode, isActive: status === 'ACTIVE' })),
  }
}

/** What is wrong with the letter that a cell says it has; undefined where it is the right one. */
function wrongLetter({ cell }: Pick<Cell, 'cell'>, { gateway }: Health): string | undefined {
  if (gateway.cell === cell) return undefined
  return gateway.cell === undefined
    ? `it has no letter: set TOLLGATE_CELL=${cell} there, and CHECKOUT_CELL=${cell} for its payment page`
    : `it is cell ${gateway.cell}`
}

/** `tollgate cells add` */
export async function addCell(shell: Shell, cell: Cell): Promise<Report> {
  const file = cellsFileOf(await shell.config())
  const cells = readCells(file)
  checked(cell, 'The new cell')
  for (const member of ['cell', 'operatorUrl'] as const)
    if (cells.some((other) => other[member] === cell[member]))
      throw new CommandFailure(
        'CONFLICT',
        `There is a cell with the ${member} ${cell[member]} already. Nothing was changed.`,
      )
  const heard = await healthOf(shell, cell)
  if ('away' in heard) throw new CommandFailure('UNREACHABLE', `${heard.away} Nothing was changed.`)
  const wrong = wrongLetter(cell, heard.answer)
  if (wrong !== undefined)
    throw new CommandFailure(
      'CONFLICT',
      `${cell.operatorUrl} is not cell ${cell.cell}: ${wrong}. Nothing was changed.`,
    )
  writeCells(file, [...cells, cell])
  return {
    json: { file, cells: [...cells, cell] },
    text: `${file} lists cell ${cell.cell} now.`,
    notes: [
      '`tollgate cells check` says where it differs from the others; `tollgate cells route` lets the router know its merchants.',
    ],
  }
}

/** `tollgate cells list` */
export async function listCells(shell: Shell): Promise<Report> {
  const cells = requireCells(await shell.config())
  const rows = await Promise.all(cells.map((cell) => rowOf(shell, cell)))
  return {
    json: { data: rows },
    text: table(
      ['CELL', 'OPERATOR API', 'VERSION', 'MERCHANTS', 'HEAD OF THE JOURNAL', 'STATE'],
      rows.map((row) => [
        row.cell,
        row.operatorUrl,
        row.version ?? '-',
        String(row.merchants ?? '-'),
        row.head ?? '-',
        row.problem ?? 'answers',
      ]),
      '',
    ),
    ...overall(rows),
    exitCode: rows.some(({ problem }) => problem !== undefined) ? EXIT_CODES.FAULT : EXIT_CODES.OK,
  }
}

interface CellRow extends Omit<Cell, 'operatorKeyFile'> {
  readonly version?: string
  readonly merchants?: number
  readonly head?: string
  readonly problem?: string
}

async function rowOf(shell: Shell, cell: Cell): Promise<CellRow> {
  const { operatorKeyFile: _key, ...row } = cell
  const [health, merchants, head] = [
    await healthOf(shell, cell),
    await merchantsOf(shell, cell),
    await ask<Printed<typeof JournalHeadSchema>>(shell, cell, 'ledger.read', get('/operator/journal/head')),
  ]
  if ('away' in health) return { ...row, problem: `away: ${health.away}` }
  const problem = wrongLetter(cell, health.answer)
  return {
    ...row,
    version: health.answer.gateway.version,
    ...('answer' in merchants && { merchants: merchants.answer.length }),
    ...('answer' in head && { head: head.answer.head }),
    ...(problem !== undefined && { problem }),
  }
}

/** One line that stands for the books of all cells: kept elsewhere, it shows a rewritten journal of any of them. */
function overall(rows: readonly CellRow[]): Pick<Report, 'notes'> {
  if (rows.some(({ head }) => head === undefined)) return {}
  const lines = rows.map(({ cell, head = '' }) => `${cell} ${head}\n`)
  return { notes: [`Head over all cells: ${createHash('sha256').update(lines.join('')).digest('hex')}`] }
}

/** `tollgate cells route` */
export async function routeCells(
  shell: Shell,
  file: string,
  { dryRun }: { readonly dryRun?: true },
): Promise<Report> {
  const cells = requireCells(await shell.config())
  const heard = await Promise.all(cells.map(async (cell) => [cell, await merchantsOf(shell, cell)] as const))
  const merchants = new Map(heard.map(([cell, said]) => [cell, 'answer' in said ? said.answer : undefined]))
  const last = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const map = mapOf(merchants, last)
  if (map.twice.length > 0)
    throw new CommandFailure(
      'CONFLICT',
      `${map.twice.length} merchants are in two cells. Nothing was written: disable each in the cell that is not to have it.`,
      map.twice.map((each) => `${each.merchantCode}: ${each.cells.join(', ')}`),
    )
  const isNew = map.text !== last
  if (isNew && dryRun !== true) writeWhole(file, map.text)
  const away = map.kept.map(
    ({ cell, merchants: count }) => `Cell ${cell} is away: its ${count} merchants keep their lines.`,
  )
  return {
    json: { ...map, isNew, isDryRun: dryRun === true },
    text: dryRun === true ? map.text : '',
    notes: [...away, routed(map.merchants, { file, isNew, isDryRun: dryRun === true })],
    exitCode: away.length > 0 ? EXIT_CODES.FAULT : EXIT_CODES.OK,
  }
}

function routed(
  merchants: number,
  { file, isNew, isDryRun }: { readonly file: string; readonly isNew: boolean; readonly isDryRun: boolean },
): string {
  if (!isNew) return `${file} is as it should be: ${merchants} merchants.`
  return isDryRun
    ? `${file} would change. Nothing was written (dry run).`
    : `${file} has ${merchants} merchants. Reload the router.`
}

/** `tollgate cells check` */
export async function checkCells(shell: Shell): Promise<Report> {
  const cells = requireCells(await shell.config())
  const heard = await Promise.all(cells.map(async (cell) => [cell, await itemsOf(shell, cell)] as const))
  const away = heard.flatMap(([cell, said]) =>
    'away' in said ? [{ cell: cell.cell, reason: said.away }] : [],
  )
  const there = heard.flatMap(([cell, said]) => ('away' in said ? [] : [[cell.cell, said.answer] as const]))
  const differences = differencesIn(new Map(there))
  const isFault = away.length > 0 || differences.length > 0
  return {
    json: { cells: cells.map(({ cell }) => cell), away, differences },
    text: table(
      ['ITEM', 'CELLS'],
      differences.map((each) => [each.item, groupsText(each)]),
      '',
    ),
    notes: [
      ...away.map(({ cell, reason }) => `Cell ${cell} is away and was not compared: ${reason}`),
      differences.length === 0
        ? `${there.length} cells have the same catalogue, rate lists, operators and version.`
        : `${differences.length} items differ. \`tollgate cells publish\` runs a command in all cells.`,
    ],
    exitCode: isFault ? EXIT_CODES.FAULT : EXIT_CODES.OK,
  }
}

const groupsText = ({ groups }: Difference): string =>
  groups.map(({ cells, has }) => (has ? cells.join(' ') : `not in ${cells.join(' ')}`)).join(' | ')

/** What is to be the same in all cells. */
async function itemsOf(shell: Shell, cell: Cell): Promise<Heard<Items>> {
  const health = await healthOf(shell, cell)
  const catalogue = await ask<Catalogue>(shell, cell, 'catalogue.read', get('/operator/catalogue'))
  const lists = await ask<RateLists>(shell, cell, 'rates.read', get('/operator/rate-lists'))
  const operators = await ask<Operators>(shell, cell, 'operators.read', get('/operator/operators'))
  if ('away' in health) return health
  if ('away' in catalogue) return catalogue
  if ('away' in lists) return lists
  if ('away' in operators) return operators
  const sheets: object[] = []
  for (const { code } of lists.answer.data) {
    const sheet = await ask<RateSheet>(shell, cell, 'rates.read', get(pathOf`/operator/rate-lists/${code}`))
    if ('away' in sheet) return sheet
    const { name, baseCurrencyCode, validFrom, isEnabled, rates } = sheet.answer
    sheets.push({ code, name, baseCurrencyCode, validFrom, isEnabled, rates })
  }
  const people = operators.answer.data.map(({ operatorCode, roles, status }) => ({
    operatorCode,
    roles,
    status,
  }))
  return {
    answer: new Map([
      ...itemsIn(catalogue.answer),
      ...itemsIn({ rateLists: sheets, operators: people, version: health.answer.gateway.version }),
    ]),
  }
}

/** `tollgate cells find` */
export async function findCell(shell: Shell, what: string): Promise<Report> {
  const cells = requireCells(await shell.config())
  const byLetter = /^(?:RF\d{2})?[0-9A-Z]{12}$/.test(what)
    ? cells.find(({ cell }) => cell === what.replace(/^RF\d{2}/, '').charAt(0))
    : undefined
  const having: Cell[] = []
  const away: string[] = []
  for (const cell of cells) {
    const heard = await merchantsOf(shell, cell)
    if ('away' in heard) away.push(cell.cell)
    else if (heard.answer.some(({ merchantCode, isActive }) => merchantCode === what && isActive))
      having.push(cell)
  }
  const found = having.length > 0 ? having : byLetter === undefined ? [] : [byLetter]
  const reason = having.length > 0 ? 'has this merchant' : 'makes references that begin so'
  if (found.length === 0)
    throw new CommandFailure(
      'NOT_FOUND',
      `No cell has the merchant ${what}, and no reference of a cell begins so.${away.length > 0 ? ` Away, and not asked: ${away.join(', ')}.` : ''}`,
    )
  return {
    json: { data: found.map(({ cell, operatorUrl }) => ({ cell, operatorUrl })), away },
    text: found.map(({ cell, operatorUrl }) => `${cell}  ${operatorUrl}`).join('\n'),
    notes: found.map(({ cell }) => `Cell ${cell} ${reason}.`),
  }
}

const PROGRAM = fileURLToPath(new URL('../../../bin/tollgate.mjs', import.meta.url))

/** `tollgate cells publish`: the same command in every cell, one after the other. */
export async function publish(shell: Shell, parts: readonly string[]): Promise<Report> {
  const cells = requireCells(await shell.config())
  const own = parts.find((part) => /^--(url|operator-key-file)(=|$)/.test(part))
  if (own !== undefined)
    throw new CommandFailure(
      'USAGE',
      `${own} is for one gateway; which cells there are says ${cellsFileOf(await shell.config())}.`,
    )
  const input = parts.includes('-') ? await readFileOrInput(shell, '-') : undefined
  const ends = new Map<string, number>()
  for (const cell of cells) {
    shell.note(`Cell ${cell.cell}:`)
    const end = await runIn(shell, cell, parts, input)
    ends.set(cell.cell, end)
    // What was typed wrong is wrong in all of them.
    if (end === EXIT_CODES.USAGE) break
  }
  const failed = [...ends].filter(([, end]) => end !== EXIT_CODES.OK)
  if (failed.length === 0) return NOTHING_MORE
  const untried = cells.filter(({ cell }) => !ends.has(cell)).map(({ cell }) => cell)
  throw new CommandFailure(
    failed.some(([, end]) => end === EXIT_CODES.USAGE) ? 'USAGE' : 'FAULT',
    `Not done in ${failed.map(([cell, end]) => `cell ${cell} (exit code ${end})`).join(', ')}${untried.length > 0 ? `, not tried in ${untried.join(', ')}` : ''}. Repeat it when the reason is mended: what is done already is done once.`,
  )
}

function runIn(
  shell: Shell,
  cell: Cell,
  parts: readonly string[],
  input: Buffer | undefined,
): Promise<number> {
  const args = [
    PROGRAM,
    ...(shell.isJson() ? ['--json'] : []),
    ...parts,
    '--url',
    cell.operatorUrl,
    '--operator-key-file',
    cell.operatorKeyFile,
  ]
  const env = Object.fromEntries(Object.entries(shell.environment))
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'inherit', 'inherit'] })
  // A command that does not read closes it.
  child.stdin.once('error', () => undefined)
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? EXIT_CODES.FAULT))
  })
}
