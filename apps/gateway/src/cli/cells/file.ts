import { existsSync, readFileSync, statSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { replaceFile } from '../../platform/whole-file.ts'
import { CELL } from '../../settings.ts'
import { CommandFailure } from '../failure.ts'

// The file that says which cells there are (docs/cells.md): it lies on the machine from which they are looked after.

/** A whole installation that has some of the merchants. */
export interface Cell {
  /** Its letter, with which its references begin. */
  readonly cell: string
  readonly operatorUrl: string
  readonly operatorKeyFile: string
}

/** The router is another user. */
const READABLE = 0o644
const MODE_BITS = 0o777
const MEMBERS = ['cell', 'operatorUrl', 'operatorKeyFile'] as const

const usage = (message: string): CommandFailure => new CommandFailure('USAGE', message)

/** Where the file is. Throws a sentence where no setting says so. */
export function cellsFileOf(config: Config): string {
  const file = config.TOLLGATE_CELLS_FILE
  if (file !== undefined) return file
  throw usage(
    'TOLLGATE_CELLS_FILE is not set: name the file that lists your cells, for example /etc/tollgate/cells.json.',
  )
}

/** The cells by their letters. A file that does not exist yet has none. Throws a sentence for one that cannot be used. */
export function readCells(file: string): readonly Cell[] {
  if (!existsSync(file)) return []
  const rows = rowsIn(file)
  const cells = rows.map((row, index) => cellIn(row, `${file}, cell ${index + 1}`))
  for (const member of ['cell', 'operatorUrl'] as const) {
    const twice = cells.find(
      (cell, index) => cells.findIndex((other) => other[member] === cell[member]) < index,
    )
    if (twice !== undefined) throw usage(`${file} has the ${member} ${twice[member]} twice.`)
  }
  return cells.toSorted((one, other) => (one.cell < other.cell ? -1 : 1))
}

/** The same where there have to be some. */
export function requireCells(config: Config): readonly Cell[] {
  const file = cellsFileOf(config)
  const cells = readCells(file)
  if (cells.length === 0) throw usage(`${file} lists no cells: \`tollgate cells add\` adds one.`)
  return cells
}

function rowsIn(file: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof read === 'object' && read !== null && 'cells' in read && Array.isArray(read.cells))
      return read.cells
  } catch (error) {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
  throw usage(`${file} must be {"cells": […]}.`)
}

function cellIn(row: unknown, where: string): Cell {
  const text = (member: (typeof MEMBERS)[number]): string => {
    const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, member) : undefined
    if (typeof value === 'string' && value !== '') return value
    throw usage(`${where}: ${member} is missing, or no text.`)
  }
  const unknown = Object.keys(typeof row === 'object' && row !== null ? row : {}).find(
    (name) => !MEMBERS.some((member) => member === name),
  )
  if (unknown !== undefined)
    throw usage(`${where}: there is no member ${unknown}; there are ${MEMBERS.join(', ')}.`)
  return checked(
    {
      cell: text('cell'),
      operatorUrl: text('operatorUrl'),
      operatorKeyFile: text('operatorKeyFile'),
    },
    where,
  )
}

/** Throws a sentence for what cannot be one. */
export function checked(cell: Cell, where: string): Cell {
  if (!CELL.test(cell.cell))
    throw usage(
      `${where}: the letter must be one capital letter other than I, L, O and U; it is ${JSON.stringify(cell.cell)}.`,
    )
  return cell
}

export function writeCells(file: string, cells: readonly Cell[]): void {
  writeWhole(file, `${JSON.stringify({ cells }, undefined, 2)}\n`)
}

/** What others read has its old content until it has all of the new one. Throws a sentence when it cannot be written. */
export function writeWhole(file: string, text: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? READABLE
  try {
    replaceFile(file, text, mode & MODE_BITS)
  } catch (error) {
    throw usage(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`)
  }
}
