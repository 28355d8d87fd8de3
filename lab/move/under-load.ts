import { setTimeout as sleep } from 'node:timers/promises'
import { at } from '@tollgate/testkit'
import { type Account, accountFor, headOf, sumOf, untilDue } from '../rig/accounts.ts'
import { type Cell, startCell } from '../rig/cells.ts'
import { mustRun } from '../rig/commands.ts'
import type { Demo } from '../rig/gateway.ts'
import { copyMerchants } from '../rig/merchants.ts'
import { acceptedOf, longestPause, openShopsOf, type Shops } from '../rig/shops.ts'
import { changedTransfers, untilChained } from './journals.ts'
import { lead, moveTo, preparePair, type Side } from './pair.ts'

const [GOES, STAYS] = ['BENCH-1', 'BENCH-2'] as const
/** The merchant of the other cell, and what it has before anything moves. */
const HOST = 'HOST-1'
const HOST_PAYMENTS = 500
const [CLIENTS, HOST_CLIENTS] = [24, 6]
/** Some 200 payments a second in one cell and 20 in the other, so that the machine has time for two gateways. */
const [PACE_MS, HOST_PACE_MS] = [220, 300]
/** While what is due is done. */
const CALM_PACE_MS = 1_000
const AFTER_MS = 15_000
const POLL_MS = 500
/** What is under way at this pace: merchants were asking faster than one worker tells them. */
const DUE_MAX = 500

/** The longest times without an acknowledgement, in seconds. */
interface Pauses {
  readonly goes: number
  readonly stays: number
  readonly host: number
}

/** What a move under load did. Times in seconds. */
interface MoveUnderLoad extends Account {
  /** Of the merchant that went, when it went. */
  readonly payments: number
  /** What the command copied. */
  readonly rows: number
  readonly transfers: number
  /** Of them: not the same in both journals. */
  readonly changedTransfers: number
  readonly command: number
  /** As the command says: while the merchant was served, and from its end in one cell to its beginning in the other. */
  readonly copy: number
  readonly ended: number
  /** From the command's start on, and before it. */
  readonly pauses: Pauses
  readonly usualPauses: Pauses
}

/**
 * Three merchants in two cells ask without a pause, and one of them moves to the other cell. Then the books and journals of both are
 * checked, and each acknowledged payment is looked for. Throws when the books are not right.
 */
export async function moveUnderLoad(payments: number, say: (line: string) => void): Promise<MoveUnderLoad> {
  const ends: (() => Promise<void>)[] = []
  try {
    return await move({ payments, say, atEnd: (end) => void ends.push(end) })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

interface Work {
  readonly payments: number
  readonly say: (line: string) => void
  readonly atEnd: (end: () => Promise<void>) => void
}

async function move({ payments, say, atEnd }: Work): Promise<MoveUnderLoad> {
  const { a, b } = await preparePair(atEnd)
  const host = await openHost(b, atEnd)
  const merchants = await copyMerchants(a.server.sql, a.demo, 2)
  const cell = await startCell(a.server, a.letter)
  atEnd(() => cell.stop())
  const shops = await openShopsOf(merchants, { clients: CLIENTS, port: cell.api.port })
  const town = { a: { ...a, cell, shops }, b: { ...b, ...host } }
  say(`  until ${GOES} has ${payments.toLocaleString('en-US')} payments…`)
  await fill(town, payments)
  await sleep(AFTER_MS)
  const heads = { a: await headOf(a.server.sql), b: await headOf(b.server.sql) }
  const went = acceptedOf(shops, GOES)
  const { beganMs, facts } = await moveGoes(town)
  say(
    `  ${went.toLocaleString('en-US')} payments went in ${facts.command.toFixed(1)} s; then the books of both…`,
  )
  await sleep(AFTER_MS)
  await rest(town)
  // In both, the journal as it was before the move is the beginning of what it is now.
  await mustRun(a.server, a.letter, ['ledger', 'check', '--head', heads.a])
  await mustRun(b.server, b.letter, ['ledger', 'check', '--head', heads.b])
  return {
    payments: went,
    ...facts,
    ...(await account(town)),
    changedTransfers: await changedTransfers(a.server.sql, b.server.sql, GOES),
    pauses: pausesOf(town, beganMs),
    usualPauses: pausesOf(town, beganMs - AFTER_MS, beganMs),
  }
}

/** A cell at work, with the shops of the merchants that were in it at first. */
interface Busy extends Side {
  readonly cell: Cell
  readonly shops: Shops
}

interface Town {
  readonly a: Busy
  readonly b: Busy
}

/** The other cell has a merchant and a past of its own. */
async function openHost(
  { server, letter, demo }: Side,
  atEnd: Work['atEnd'],
): Promise<Omit<Busy, keyof Side>> {
  const cell = await startCell(server, letter)
  atEnd(() => cell.stop())
  const merchants = await copyMerchants(server.sql, demo, 1, 'HOST')
  const shops = await openShopsOf(merchants, { clients: HOST_CLIENTS, port: cell.api.port })
  while (acceptedOf(shops, HOST) < HOST_PAYMENTS) await sleep(POLL_MS)
  shops.pace(HOST_PACE_MS)
  return { cell, shops }
}

/** Full speed, then calm until little is due, then the pace of the move. */
async function fill({ a, b }: Town, payments: number): Promise<void> {
  while (acceptedOf(a.shops, GOES) < payments) await sleep(POLL_MS)
  a.shops.pace(CALM_PACE_MS)
  await Promise.all([a, b].map(({ server }) => untilDue(server.sql, DUE_MAX)))
  a.shops.pace(PACE_MS)
}

async function moveGoes({ a, b }: Town) {
  const beganMs = performance.now()
  const said: unknown = JSON.parse(await mustRun(a.server, a.letter, moveTo(b, GOES)))
  const seconds = (performance.now() - beganMs) / 1000
  const goes: Demo = { merchantCode: GOES, privateKey: a.demo.privateKey }
  await lead(a.shops, goes, b.cell.api.port)
  const facts = {
    command: seconds,
    rows: Number(at(said, 'rows')),
    transfers: Number(at(said, 'transfers')),
    copy: Number(at(said, 'copySeconds')),
    ended: Number(at(said, 'pauseSeconds')),
  }
  return { beganMs, facts }
}

/** Until all is acknowledged, told and in the journals; then nothing runs but the databases. */
async function rest({ a, b }: Town): Promise<void> {
  await Promise.all([a.shops.stop(), b.shops.stop()])
  for (const { server } of [a, b]) {
    await untilDue(server.sql, 0)
    await untilChained(server.sql)
  }
  await Promise.all([a.cell.stop(), b.cell.stop()])
}

async function account({ a, b }: Town): Promise<Account> {
  return sumOf([
    await accountFor(a.shops, { [GOES]: b.server.sql, [STAYS]: a.server.sql }),
    await accountFor(b.shops, { [HOST]: b.server.sql }),
  ])
}

function pausesOf({ a, b }: Town, fromMs: number, toMs?: number): Pauses {
  return {
    goes: longestPause(a.shops, GOES, fromMs, toMs),
    stays: longestPause(a.shops, STAYS, fromMs, toMs),
    host: longestPause(b.shops, HOST, fromMs, toMs),
  }
}
