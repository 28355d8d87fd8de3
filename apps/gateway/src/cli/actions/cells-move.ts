import { timingSafeEqual } from 'node:crypto'
import { dirname } from 'node:path'
import { openSecrets } from '../../keys/open-secrets.ts'
import { type Database, DatabaseUnavailable } from '../../platform/database.ts'
import { type MasterKeys, readMasterKeys } from '../../platform/master-key.ts'
import { joinCell } from '../../rooms/cell-join.ts'
import { giveUpMove, type Moving, moveMerchant, tryMove } from '../../rooms/cell-moves.ts'
import { cellOf, requireLetter, withDatabase, withOwner } from '../cells/owner.ts'
import { CommandFailure } from '../failure.ts'
import { readFileBytes } from '../files.ts'
import { readExistingMasterKeys } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'

/** The address of another cell's database, from a file: it has a password. */
function urlIn(file: string): string {
  const url = readFileBytes(file).toString('utf8').trim()
  if (/^postgres(?:ql)?:\/\/\S+$/.test(url)) return url
  throw new CommandFailure('USAGE', `${file} must hold one address: postgres://user:password@host/database.`)
}

/** Works with the databases of this cell and of another. */
async function withBoth<Result>(
  shell: Shell,
  file: string,
  work: (own: Database, other: Database) => Promise<Result>,
): Promise<Result> {
  const config = await shell.config()
  const url = urlIn(file)
  try {
    return await withOwner(config, (own) => withDatabase(url, (other) => work(own, other)))
  } catch (error) {
    if (error instanceof DatabaseUnavailable)
      throw new CommandFailure(
        'UNREACHABLE',
        `The database of this cell, or the one in ${file}, does not answer. Repeat the command when it does: it goes on from where it was.`,
      )
    throw error
  }
}

interface JoinWish {
  readonly databaseUrlFile: string
}

/** `tollgate cells join` */
export async function join(shell: Shell, { databaseUrlFile }: JoinWish): Promise<Report> {
  const config = await shell.config()
  const letter = cellOf(config)
  const masterKeys = readExistingMasterKeys(config)
  const { wasDone } = await withBoth(shell, databaseUrlFile, async (db, other) => {
    // The copy of the root key would be of no use: sealed by another master key.
    await openSecrets({ db: other, masterKeys })
    return joinCell({ db, letter, other })
  })
  return {
    json: { cell: letter, wasDone },
    text: wasDone
      ? `Cell ${letter} has joined already. Nothing was changed.`
      : `Cell ${letter} has joined: merchants can move between it and the cell of ${databaseUrlFile}.`,
    ...(!wasDone && {
      notes: ['Now start it with the same TOLLGATE_CELL and master key, and make its first operator.'],
    }),
  }
}

interface MoveWish {
  readonly to: string
  readonly databaseUrlFile: string
  readonly masterKeyFile?: string
  readonly dryRun?: true
  readonly back?: true
}

/** `tollgate cells move` */
export async function move(shell: Shell, merchantCode: string, wish: MoveWish): Promise<Report> {
  const config = await shell.config()
  const from = cellOf(config)
  const { to, databaseUrlFile, masterKeyFile } = wish
  requireLetter(to)
  if (wish.dryRun === true && wish.back === true)
    throw new CommandFailure('USAGE', 'A dry run gives nothing up: use --dry-run or --back.')
  const ownKeys = readExistingMasterKeys(config)
  const otherKeys = masterKeyFile === undefined ? ownKeys : keysIn(masterKeyFile)
  return withBoth(shell, databaseUrlFile, async (source, target) => {
    const moving = { source, target, merchantCode, from, to }
    if (wish.back === true) return back(moving)
    await requireOneRootKey(moving, ownKeys, otherKeys)
    return wish.dryRun === true ? tried(moving) : moved(moving)
  })
}

function keysIn(file: string): MasterKeys {
  readFileBytes(file)
  return readMasterKeys({ file, dataDir: dirname(file) })
}

/** What is sealed in one cell must open in the other, and tokens' secrets and callbacks' keys must stay what they are. */
async function requireOneRootKey(
  { source, target, from, to }: Moving,
  ownKeys: MasterKeys,
  otherKeys: MasterKeys,
): Promise<void> {
  const own = await openSecrets({ db: source, masterKeys: ownKeys })
  const other = await openSecrets({ db: target, masterKeys: otherKeys })
  if (timingSafeEqual(own.rootKey(), other.rootKey())) return
  throw new CommandFailure(
    'CONFLICT',
    `Cells ${from} and ${to} have different root keys, so that nothing that is sealed in one can be opened in the other. Merchants move between cells of which one joined the other before its first start (\`tollgate cells join\`), or was split off it.`,
  )
}

async function tried(moving: Moving): Promise<Report> {
  const { merchantCode, to } = moving
  const { payments, wasDone } = await tryMove(moving)
  return {
    json: { merchantCode, from: moving.from, to, payments, wasDone, isDryRun: true },
    text: wasDone
      ? `${merchantCode} is in cell ${to} already. Nothing was changed.`
      : `${merchantCode} could move to cell ${to}, with ${payments} payments. Nothing was changed (dry run).`,
  }
}

async function moved(moving: Moving): Promise<Report> {
  const { from, to } = moving
  const did = await moveMerchant(moving)
  const { merchantCode, rows, transfers, journalHead, pauseSeconds, wasDone } = did
  return {
    json: { ...did, from, to },
    text: wasDone
      ? `${merchantCode} is in cell ${to} already. Nothing was changed.`
      : `${merchantCode} is in cell ${to} now, with ${rows} rows and ${transfers} bookings, all compared. Pause: ${pauseSeconds.toFixed(1)} s.`,
    notes: [
      journalHead === undefined
        ? `Cell ${from}'s journal is behind, so that its end could not be noted. Repeat the command in a minute.`
        : `Cell ${from}'s journal has all of its bookings at ${journalHead}: keep that; \`tollgate ledger check --head\` proves it in cell ${from}.`,
      ...(wasDone
        ? []
        : [
            'Now let the router know: `tollgate cells route`, and reload it. Then make backups of both cells.',
          ]),
    ],
  }
}

async function back(moving: Moving): Promise<Report> {
  const { merchantCode, from, to } = moving
  const { wasDone } = await giveUpMove(moving)
  return {
    json: { merchantCode, from, to, wasDone },
    text: wasDone
      ? `${merchantCode} is in cell ${from}. Nothing was changed.`
      : `${merchantCode} goes on in cell ${from}: its move to cell ${to} was given up.`,
  }
}
