import { openCell, releaseMerchants } from '../../rooms/cells.ts'
import { cellOf, requireLetter, withOwner } from '../cells/owner.ts'
import { CommandFailure } from '../failure.ts'
import { readTextOrInput } from '../files.ts'
import type { Report, Shell } from '../shell.ts'

interface ReleaseWish {
  readonly merchant?: readonly string[]
  readonly merchantsFile?: string
  readonly dryRun?: true
}

/** `tollgate cells release` */
export async function release(shell: Shell, to: string, wish: ReleaseWish): Promise<Report> {
  const config = await shell.config()
  const from = cellOf(config)
  requireLetter(to)
  const merchantCodes = await codesOf(shell, wish)
  const isDryRun = wish.dryRun === true
  const { merchants, wasDone, tries } = await withOwner(config, (db) =>
    releaseMerchants(db, { from, to, merchantCodes, isDryRun }),
  )
  return {
    json: { from, to, merchants, wasDone, isDryRun, tries },
    text: releasedText({ to, merchants, wasDone, isDryRun }),
    ...(!isDryRun && {
      notes: [
        `Now promote a copy of this database that has everything up to here, and run \`TOLLGATE_CELL=${to} tollgate cells open\` on it: docs/cells.md, "Splitting a cell".`,
      ],
    }),
  }
}

async function codesOf(
  shell: Shell,
  { merchant = [], merchantsFile }: ReleaseWish,
): Promise<readonly string[]> {
  const lines = merchantsFile === undefined ? '' : await readTextOrInput(shell, merchantsFile)
  const listed = lines.split(/\r?\n/).map((line) => line.trim())
  const codes = [...merchant, ...listed.filter((line) => line !== '')]
  if (codes.length > 0) return codes
  throw new CommandFailure(
    'USAGE',
    'Name the merchants that go: --merchant <code>, repeated, or --merchants-file <file>.',
  )
}

function releasedText({
  to,
  merchants,
  wasDone,
  isDryRun,
}: {
  readonly to: string
  readonly merchants: number
  readonly wasDone: boolean
  readonly isDryRun: boolean
}): string {
  const who = merchants === 1 ? '1 merchant' : `${merchants} merchants`
  if (wasDone) return `Cell ${to} has ${who} of these already. Nothing was changed.`
  if (isDryRun) return `${who} could go to cell ${to}. Nothing was changed (dry run).`
  return `${who} ended here, and go on in cell ${to} once it is open.`
}

/** `tollgate cells open` */
export async function open(shell: Shell): Promise<Report> {
  const config = await shell.config()
  const cell = cellOf(config)
  const { fromCell, merchants, wasDone } = await withOwner(config, (db) => openCell(db, cell))
  const who = merchants === 1 ? '1 merchant' : `${merchants} merchants`
  return {
    json: { cell, fromCell, merchants, wasDone },
    text: wasDone
      ? `This is cell ${cell} already, with ${who}. Nothing was changed.`
      : `This is cell ${cell} now, with ${who} of cell ${fromCell}.`,
    notes: [
      'Start its processes, add it (`tollgate cells add`), and let the router know (`tollgate cells route`). Never open another copy as this cell.',
    ],
  }
}
