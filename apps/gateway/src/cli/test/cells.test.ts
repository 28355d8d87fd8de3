import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomIdsIn } from '@tollgate/runtime'
import { differencesIn, itemsIn } from '../cells/differences.ts'
import { type Cell, readCells, writeCells } from '../cells/file.ts'
import { type CellMerchant, mapOf } from '../cells/map.ts'
import { run } from './support.ts'

const cell = (letter: string): Cell => ({
  cell: letter,
  operatorUrl: `https://ops-${letter.toLowerCase()}.internal`,
  operatorKeyFile: `/etc/tollgate/${letter}.key`,
})
const [A, B] = [cell('A'), cell('B')]
const active = (merchantCode: string): CellMerchant => ({ merchantCode, isActive: true })
const disabled = (merchantCode: string): CellMerchant => ({ merchantCode, isActive: false })

test('references of a cell begin with its letter, and are as long as others', () => {
  const made = randomIdsIn('B').reference()
  assert.match(made, /^B[0-9A-HJKMNP-TV-Z]{11}$/)
  assert.match(randomIdsIn().reference(), /^[0-9A-HJKMNP-TV-Z]{12}$/)
})

test('the map has a line for each merchant, in order', () => {
  const map = mapOf(
    new Map([
      [B, [active('B2'), active('B1')]],
      [A, [active('A1')]],
    ]),
    '',
  )
  assert.deepEqual(map, { text: 'A1 A\nB1 B\nB2 B\n', merchants: 3, kept: [], twice: [] })
})

test('a merchant that is active twice is named; one that is disabled in one cell has moved', () => {
  const both = (inA: CellMerchant, inB: CellMerchant) =>
    mapOf(
      new Map([
        [A, [inA]],
        [B, [inB]],
      ]),
      '',
    )
  assert.deepEqual(both(active('S'), active('S')).twice, [{ merchantCode: 'S', cells: ['A', 'B'] }])
  assert.equal(both(disabled('S'), active('S')).text, 'S B\n')
  // It hears that it is disabled, where it was first.
  assert.equal(both(disabled('S'), disabled('S')).text, 'S A\n')
})

test('merchants of a cell that is away keep their lines, unless another has them by now', () => {
  const last = 'A1 A\nB1 B\nB2 B\n'
  const map = mapOf(
    new Map([
      [A, [active('A1')]],
      [B, undefined],
    ]),
    last,
  )
  assert.equal(map.text, last)
  assert.deepEqual(map.kept, [{ cell: 'B', merchants: 2 }])
  const moved = mapOf(
    new Map([
      [A, [active('A1'), active('B1')]],
      [B, undefined],
    ]),
    last,
  )
  assert.deepEqual(moved.twice, [{ merchantCode: 'B1', cells: ['A', 'B'] }])
})

test('an entry is compared by its code, and the order of its members is no difference', () => {
  const items = (currencies: readonly object[]) => itemsIn({ currencies, version: '1' })
  const differences = differencesIn(
    new Map([
      ['A', items([{ code: 'EUR', name: 'Euro' }, { code: 'USD' }])],
      ['B', items([{ code: 'USD' }, { name: 'Euro', code: 'EUR' }])],
      ['C', items([{ code: 'EUR', name: 'Euros' }])],
    ]),
  )
  assert.deepEqual(differences, [
    {
      item: 'currencies EUR',
      groups: [
        { cells: ['A', 'B'], has: true },
        { cells: ['C'], has: true },
      ],
    },
    {
      item: 'currencies USD',
      groups: [
        { cells: ['A', 'B'], has: true },
        { cells: ['C'], has: false },
      ],
    },
  ])
})

test('the file of cells is read as it was written, and a wrong one is refused with what is wrong', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-cells-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'cells.json')
  assert.deepEqual(readCells(file), [])
  writeCells(file, [B, A])
  assert.deepEqual(readCells(file), [A, B])
  const refused = (content: string, says: RegExp): void => {
    writeFileSync(file, content)
    assert.throws(() => readCells(file), says)
  }
  refused('{', /cannot be read/)
  refused('[]', /must be \{"cells"/)
  refused(JSON.stringify({ cells: [A, { ...B, cell: 'A' }] }), /has the cell A twice/)
  refused(
    JSON.stringify({ cells: [A, { ...B, operatorUrl: A.operatorUrl }] }),
    /has the operatorUrl \S+ twice/,
  )
  refused(JSON.stringify({ cells: [{ ...A, cell: 'O' }] }), /one capital letter other than I, L, O and U/)
  refused(JSON.stringify({ cells: [{ cell: 'A' }] }), /cell 1: operatorUrl is missing/)
  refused(JSON.stringify({ cells: [{ ...A, url: 'x' }] }), /there is no member url/)
})

test('a cell tells of its merchants page by page, and all of them get a line', async (t) => {
  const pages = [['A1', 'A2'], ['A3']]
  const merchant = (merchantCode: string) => ({ merchantCode, status: 'ACTIVE' })
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const at = Number(searchParams.get('cursor') ?? 0)
    const answer = {
      data: pages[at]?.map(merchant) ?? [],
      ...(at + 1 < pages.length && { nextCursor: String(at + 1) }),
    }
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(pathname.endsWith('/health') ? { gateway: { cell: 'A' } } : answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-cells-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const operatorKeyFile = join(folder, 'key')
  writeFileSync(operatorKeyFile, 'tgo_test', { mode: 0o600 })
  const file = join(folder, 'cells.json')
  writeCells(file, [{ cell: 'A', operatorUrl: `http://127.0.0.1:${port}`, operatorKeyFile }])
  const map = join(folder, 'cells.map')
  const outcome = await run(['cells', 'route', map], { TOLLGATE_CELLS_FILE: file, TOLLGATE_DATA_DIR: folder })
  assert.equal(outcome.exitCode, 0, outcome.stderr)
  assert.equal(readFileSync(map, 'utf8'), 'A1 A\nA2 A\nA3 A\n')
})
