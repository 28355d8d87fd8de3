import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  CatalogueDocumentSchema,
  OperatorAccountListSchema,
  OperatorMerchantListSchema,
  OperatorRateListListSchema,
  OperatorRateSheetSchema,
  Printed,
} from '@tollgate/contract'
import { ask, HEAD, HEALTH, type Heard, type Question, requireLetter, wrongLetter } from '../cells/ask.ts'
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
import { pathOf } from '../operator-call.ts'
import type { Report, Shell } from '../shell.ts'
import { table } from '../text.ts'

const MERCHANTS: Question<Printed<typeof OperatorMerchantListSchema>> = {
  permission: 'merchants.read',
  path: '/operator/merchants',
}
const CATALOGUE: Question<Printed<typeof CatalogueDocumentSchema>> = {
  permission: 'catalogue.read',
  path: '/operator/catalogue',
}
const RATE_LISTS: Question<Printed<typeof OperatorRateListListSchema>> = {
  permission: 'rates.read',
  path: '/operator/rate-lists',
}
const rateSheet = (code: string): Question<Printed<typeof OperatorRateSheetSchema>> => ({
  permission: 'rates.read',
  path: pathOf`/operator/rate-lists/${code}`,
})
const OPERATORS: Question<Printed<typeof OperatorAccountListSchema>> = {
  permission: 'operators.read',
  path: '/operator/operators',
}

/** Ends a cell that tells of merchants without an end. */
const PAGES_MAX = 1_000

async function merchantsOf(shell: Shell, cell: Cell): Promise<Heard<readonly CellMerchant[]>> {
  const found: CellMerchant[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const heard = await ask(shell, cell, { ...MERCHANTS, query: { cursor } })
    if ('away' in heard) return heard
    for (const { merchantCode, status, cell: movedTo } of heard.answer.data)
      if (movedTo === undefined) found.push({ merchantCode, isActive: status === 'ACTIVE' })
    cursor = heard.answer.nextCursor
    if (cursor === undefined) return { answer: found }
  }
  throw new CommandFailure('FAULT', `Cell ${cell.cell} tells of more than ${PAGES_MAX} pages of merchants.`)
}

/** `tollgate cells add` */
export async function addCell(shell: Shell, typed: Cell): Promise<Report> {
  const cell = checked({ ...typed, operatorKeyFile: resolve(typed.operatorKeyFile) }, 'The new cell')
  const file = cellsFileOf(await shell.config())
  const cells = readCells(file)
  for (const member of ['cell', 'operatorUrl'] as const)
    if (cells.some((other) => other[member] === cell[member]))
      throw new CommandFailure(
        'CONFLICT',
        `There is a cell with the ${member} ${cell[member]} already. Nothing was changed.`,
      )
  const heard = await ask(shell, cell, HEALTH)
  if ('away' in heard) throw new CommandFailure('UNREACHABLE', `${heard.away} Nothing was changed.`)
  requireLetter(cell, heard.answer)
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
    notes: ['Keep this elsewhere: `tollgate ledger check --head` compares each journal with its head.'],
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
  const health = await ask(shell, cell, HEALTH)
  if ('away' in health) return { ...row, problem: `away: ${health.away}` }
  const { version } = health.answer.gateway
  const merchants = await merchantsOf(shell, cell)
  const head = await ask(shell, cell, HEAD)
  const problem = wrongLetter(cell, health.answer)
  if (problem !== undefined) return { ...row, version, problem }
  if ('away' in merchants) return { ...row, version, problem: `away: ${merchants.away}` }
  if ('away' in head) return { ...row, version, problem: `away: ${head.away}` }
  return { ...row, version, merchants: merchants.answer.length, head: head.answer.head }
}

/** Merchants of what says that it is this cell. */
async function ownMerchantsOf(shell: Shell, cell: Cell): Promise<Heard<readonly CellMerchant[]>> {
  const health = await ask(shell, cell, HEALTH)
  if ('away' in health) return health
  requireLetter(cell, health.answer)
  return merchantsOf(shell, cell)
}

/** `tollgate cells route` */
export async function routeCells(
  shell: Shell,
  file: string,
  { dryRun }: { readonly dryRun?: true },
): Promise<Report> {
  const cells = requireCells(await shell.config())
  const heard = await Promise.all(
    cells.map(async (cell) => [cell, await ownMerchantsOf(shell, cell)] as const),
  )
  const merchants = new Map(heard.map(([cell, said]) => [cell, 'answer' in said ? said.answer : undefined]))
  const last = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const map = mapOf(merchants, last)
  const unknown = map.kept.find(({ merchants: count }) => count === 0)
  if (unknown !== undefined)
    throw new CommandFailure(
      'UNREACHABLE',
      `Cell ${unknown.cell} is away, and ${file} has no merchant of it. Nothing was written: its merchants would be lost.`,
    )
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
  const health = await ask(shell, cell, HEALTH)
  const catalogue = await ask(shell, cell, CATALOGUE)
  const lists = await ask(shell, cell, RATE_LISTS)
  const operators = await ask(shell, cell, OPERATORS)
  if ('away' in health) return health
  if ('away' in catalogue) return catalogue
  if ('away' in lists) return lists
  if ('away' in operators) return operators
  const sheets: object[] = []
  for (const { code } of lists.answer.data) {
    const sheet = await ask(shell, cell, rateSheet(code))
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

/** As references are written, also behind RF and its two digits. */
const REFERENCE = /^(?:RF\d{2})?([0-9A-HJKMNP-TV-Z])[0-9A-HJKMNP-TV-Z]{11}$/

/** `tollgate cells find` */
export async function findCell(shell: Shell, what: string): Promise<Report> {
  const cells = requireCells(await shell.config())
  const found: { cell: Cell; reason: string; isActive: boolean }[] = []
  const away: string[] = []
  for (const cell of cells) {
    const heard = await merchantsOf(shell, cell)
    if ('away' in heard) away.push(cell.cell)
    else
      for (const { isActive } of heard.answer.filter(({ merchantCode }) => merchantCode === what))
        found.push({ cell, isActive, reason: isActive ? 'has this merchant' : 'has this merchant, disabled' })
  }
  const [, letter] = REFERENCE.exec(what) ?? []
  for (const cell of cells)
    if (found.length === 0 && cell.cell === letter)
      found.push({ cell, isActive: true, reason: 'makes references that begin so' })
  if (found.length === 0) throw notFound(what, away)
  const shown = found.toSorted((one, other) => Number(other.isActive) - Number(one.isActive))
  return {
    json: {
      data: shown.map(({ cell: { cell, operatorUrl }, reason }) => ({ cell, operatorUrl, reason })),
      away,
    },
    text: shown.map(({ cell: { cell, operatorUrl } }) => `${cell}  ${operatorUrl}`).join('\n'),
    notes: shown.map(({ cell: { cell }, reason }) => `Cell ${cell} ${reason}.`),
  }
}

function notFound(what: string, away: readonly string[]): CommandFailure {
  const unasked = away.length > 0 ? ` Away, and not asked: ${away.join(', ')}.` : ''
  const message = `No cell has the merchant ${what}, and no reference of a cell begins so.${unasked}`
  return new CommandFailure('NOT_FOUND', message)
}

const PROGRAM = fileURLToPath(new URL('../../../bin/tollgate.mjs', import.meta.url))

/** What came of a command in one cell. */
interface Published {
  readonly cell: string
  readonly exitCode: number
  /** With `--json`, what it printed. */
  readonly answer?: unknown
}

/** `tollgate cells publish`: the same command in every cell, one after the other. */
export async function publish(shell: Shell, parts: readonly string[]): Promise<Report> {
  const config = await shell.config()
  const cells = requireCells(config)
  const own = parts.find((part) => /^--(url|operator-key-file)(=|$)/.test(part))
  if (own !== undefined)
    throw new CommandFailure(
      'USAGE',
      `${own} is for one gateway; ${cellsFileOf(config)} says which cells there are.`,
    )
  const input = parts.includes('-') ? await readFileOrInput(shell, '-') : undefined
  const done: Published[] = []
  for (const cell of cells) {
    shell.note(`Cell ${cell.cell}:`)
    done.push(await runIn(shell, cell, { parts, input }))
    // What the first finds typed wrong is typed wrong for all of them.
    if (done[0]?.exitCode === EXIT_CODES.USAGE) break
  }
  const note = undone(cells, done)
  return {
    json: { data: done },
    text: '',
    ...(note !== undefined && { notes: [note] }),
    exitCode: done.find(({ exitCode }) => exitCode !== EXIT_CODES.OK)?.exitCode ?? EXIT_CODES.OK,
  }
}

function undone(cells: readonly Cell[], done: readonly Published[]): string | undefined {
  const failed = done.filter(({ exitCode }) => exitCode !== EXIT_CODES.OK)
  if (failed.length === 0) return undefined
  const untried = cells.slice(done.length).map(({ cell }) => cell)
  const names = failed.map(({ cell, exitCode }) => `cell ${cell} (exit code ${exitCode})`)
  return `Not done in ${names.join(', ')}${untried.length > 0 ? `, not tried in ${untried.join(', ')}` : ''}. Repeat it when the reason is mended; a cell that has it already may say so.`
}

interface Order {
  readonly parts: readonly string[]
  readonly input: Buffer | undefined
}

function runIn(shell: Shell, cell: Cell, { parts, input }: Order): Promise<Published> {
  const isJson = shell.isJson()
  const whose = ['--url', cell.operatorUrl, '--operator-key-file', cell.operatorKeyFile]
  const args = [PROGRAM, ...(isJson ? ['--json'] : []), ...parts, ...whose]
  const child = spawn(process.execPath, args, {
    env: { ...shell.environment },
    stdio: ['pipe', isJson ? 'pipe' : 'inherit', 'inherit'],
  })
  // A command that does not read closes it.
  child.stdin?.once('error', () => undefined)
  child.stdin?.end(input)
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return new Promise((done, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const exitCode = code ?? EXIT_CODES.FAULT
      done({ cell: cell.cell, exitCode, ...(said !== '' && { answer: readAnswer(said) }) })
    })
  })
}

/** One document, as `--json` promises; what is none stays the text that it is. */
function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
