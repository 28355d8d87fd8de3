import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultProxy } from '@tollgate/testkit'
import { testBrowser } from '@tollgate/testkit/browser'
import { describeMachine } from '../rig/machine.ts'
import { updatePage } from '../rig/page.ts'
import { closeAtSignal, ROOT } from '../rig/programs.ts'
import { startDurableServer } from '../rig/server.ts'
import { createSql } from '../rig/sql.ts'
import { markdownTable, terminalTable } from '../rig/table.ts'
import { CASES, play, type Result, type Scene } from './cases.ts'
import { installMedusa, MEDUSA_VERSION } from './install.ts'
import { startRelay } from './relay.ts'
import { startSandbox } from './sandbox.ts'
import { openShop, type Shop } from './shop.ts'
import { openStorefront } from './storefront.ts'

const FUNDS = '1000'
const FUNDS_TIMEOUT_MS = 60_000
const DATABASE = 'medusa'

interface MedusaRun {
  readonly only: string
  /** Whether the guide is brought up to date. */
  readonly write: boolean
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Plays the cases, or those with this text in their names, with a Medusa of their own; true when each was right in the end. */
export async function runMedusa({ only, write }: MedusaRun): Promise<boolean> {
  const closers: Closer[] = []
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= closeAll(closers)
    return closing
  }
  closeAtSignal(close)
  try {
    const scene = await openScene({ after: (closer) => void closers.unshift(closer) })
    const results: Result[] = []
    for (const each of CASES.filter(({ name }) => name.includes(only))) {
      const result = await play(scene, each)
      say(`${result.wrong.length === 0 ? 'right' : 'WRONG'}  ${result.name}  (${result.seen})`)
      for (const wrong of result.wrong) say(`       ${wrong}`)
      results.push(result)
    }
    say(`\n${terminalTable(HEAD, results.map(rowOf))}`)
    const right = results.filter(({ wrong }) => wrong.length === 0).length
    say(`\n${right} of ${results.length} right.`)
    if (write) writeFigures(results)
    return right === results.length
  } finally {
    await close()
  }
}

type Closer = () => Promise<void> | void

async function closeAll(closers: readonly Closer[]): Promise<void> {
  for (const closer of closers) await Promise.resolve(closer()).catch((error: unknown) => say(String(error)))
}

interface Life {
  after(closer: Closer): void
}

async function openScene(life: Life): Promise<Scene> {
  say('Medusa and its packages')
  const folder = installMedusa()
  say('PostgreSQL and the gateway')
  const server = await startDurableServer(undefined)
  life.after(() => server.stop())
  const sandbox = await startSandbox(server)
  life.after(() => sandbox.stop())
  await fund(sandbox.merchant)
  await server.sql(`create database ${DATABASE}`)
  const databaseUrl = new URL(server.url)
  databaseUrl.pathname = DATABASE
  const proxy = await faultProxy(life, sandbox.url)
  const opened: { shop?: Shop } = {}
  const open = (): Shop => opened.shop ?? fail('the shop is not open yet')
  const relay = await startRelay(() => open().url)
  life.after(() => relay.close())
  const storefront = await openStorefront((cart) => open().complete(cart))
  life.after(() => storefront.close())
  say('Medusa’s tables and goods')
  const shop = await openShop(life, {
    folder,
    databaseUrl: databaseUrl.href,
    keyFile: sandbox.keyFile,
    gatewayUrl: proxy.url,
    paymentUrl: sandbox.paymentUrl,
    callbackUrl: `${relay.url}/hooks/payment/tollgate`,
    returnUrl: storefront.url,
  })
  opened.shop = shop
  const browser = await testBrowser(life)
  const medusa = createSql(databaseUrl.href)
  return { shop, sandbox, relay, proxy, browser, medusa, returnUrl: storefront.url }
}

const fail = (message: string): never => {
  throw new Error(message)
}

/** Refunds are paid from what is available. */
async function fund(merchant: Scene['sandbox']['merchant']): Promise<void> {
  await merchant.topUps.create('LAB-FUNDS', {
    money: { amount: FUNDS, currencyCode: 'EUR' },
    paymentMethodCode: 'BANK_TRANSFER',
    emailAddress: 'success@sandbox.test',
  })
  const { process: state } = await merchant.topUps.waitFor('LAB-FUNDS', { timeoutMs: FUNDS_TIMEOUT_MS })
  if (state.status !== 'SUCCESS') throw new Error(`the top-up is ${state.status}`)
}

const HEAD = ['case', 'orders', 'captures', 'captured', 'received', 'refunds', 'paid back', 'right after, s']

function writeFigures(results: readonly Result[]): void {
  const { processor, cores, system } = describeMachine(tmpdir())
  const day = new Date().toISOString().slice(0, 10)
  const words = `Run on ${day}: Medusa ${MEDUSA_VERSION}, Node ${process.versions.node}, ${processor}, ${cores} cores, ${system}.`
  const seen = results.map(({ name, seen: what }) => [name, what])
  const tables = [markdownTable(HEAD, results.map(rowOf)), markdownTable(['case', 'seen on the way'], seen)]
  updatePage(join(ROOT, 'docs/guides/medusa.md'), 'medusa', [words, ...tables].join('\n\n'))
}

const rowOf = ({ name, facts, seconds }: Result): readonly string[] => [
  name,
  ...[facts.orders, facts.captures, facts.captured, facts.received].map(String),
  ...[facts.refunds, facts.paidBack].map(String),
  seconds.toFixed(1),
]
