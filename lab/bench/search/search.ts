import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { searchPayments } from '../../../apps/gateway/src/modules/payments/people/search-store.ts'
import { readPaymentSearch } from '../../../apps/gateway/src/modules/payments/search-routes.ts'
import type { Tx } from '../../../apps/gateway/src/platform/database.ts'
import { prepareInstallation } from '../../rig/gateway.ts'
import { residentMib } from '../../rig/kernel.ts'
import { describeMachine, type Machine } from '../../rig/machine.ts'
import { copyMerchants, fundMerchants } from '../../rig/merchants.ts'
import { closeAtSignal } from '../../rig/programs.ts'
import { type DurableServer, startDurableServer, startKeptServer } from '../../rig/server.ts'
import { sqlNumber } from '../../rig/sql.ts'
import { figure, terminalTable } from '../../rig/table.ts'
import type { SearchOptions } from '../arguments.ts'
import { LoadFailed } from '../load/drive.ts'
import { type Case, listCases } from './cases.ts'
import { type Desk, openDesk } from './desk.ts'
import { CROWD, fillSearched } from './fill.ts'
import { openExplainer, type PlanLimits } from './plans.ts'

/** How long one kind of question took, over all values, pages and tries. */
interface Asked {
  readonly filters: string
  readonly requests: number
  readonly p50: number
  readonly p95: number
  readonly max: number
}

/** An export while it ran: what the gateway held in its first and in its last third. */
interface Exported {
  readonly rows: number
  readonly seconds: number
  readonly firstThirdMib: number
  readonly lastThirdMib: number
}

/** The figures, as docs/performance.json holds them. */
export interface SearchFigures {
  readonly takenOn: string
  readonly machine: Machine
  /** Of all processes, in the minute before the run, when all of it is others', and in its last. */
  readonly loads: readonly [number, number]
  readonly payments: number
  readonly merchants: number
  readonly searches: readonly Asked[]
  readonly all: Asked
  readonly home: Asked
  readonly exported: Exported
}

const HOME_TRIES = 61
const EXPORT_ROWS = 1_000_000
/** A page has 50, one of an export 1,000: a sort of more than a few of them is a wrong plan. */
const SORTED_ROWS_MAX = 5_000
/** What a search by time, or one that a rare value leads nowhere, may walk past: a month of payments, with room for rounding. */
const MONTHS_MAX = 1.05
/** Without any of them a plan has to be found wrong; otherwise what is asserted would not find anything. */
const NEEDED_INDEXES = [
  ...(['payments_by_time', 'payments_by_customer', 'payments_by_reference'] as const),
  ...(['payments_by_printed_reference', 'payments_by_external_reference'] as const),
] as const
/** The goals. */
export const P95_MAX_MS = 150
export const HOME_P95_MAX_MS = 100
/** The last third of an export may hold so much more than the first. */
const GROWTH_MAX = 1.15

/**
 * `npm run bench -- --only search`: operators' searches, the console's home page and an export, over millions of payments. The
 * problems are plans that are wrong, times that are too long, and memory that grows.
 */
export async function runSearch(
  options: SearchOptions,
): Promise<{ readonly figures: SearchFigures; readonly problems: readonly string[] }> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  const load = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10
  const loadBefore = load()
  const server =
    options.keepIn === undefined
      ? await startDurableServer(options.dataDir)
      : await startKeptServer(options.keepIn)
  let desk: Desk | undefined
  const close = async (): Promise<void> => {
    await desk?.stop()
    await server.stop()
  }
  closeAtSignal(close)
  try {
    await prepare(server, options, say)
    desk = await openDesk(server)
    const cases = await listCases(server.sql)
    say(`Explaining and asking ${figure(cases.length)} searches…`)
    const faults = await planFaults(server, cases)
    const searches = await askAll(desk, cases, options.rounds)
    const home = await askHome(desk)
    const exported = await exportRows(desk, server)
    const figures: SearchFigures = {
      takenOn: new Date().toISOString().slice(0, 10),
      machine: describeMachine(server.dataDir),
      loads: [loadBefore, load()],
      payments: await sqlNumber(server.sql, 'select count(*) from payments'),
      merchants: await sqlNumber(server.sql, 'select count(*) from merchants'),
      searches: searches.groups,
      all: searches.all,
      home,
      exported,
    }
    show(say, figures)
    return { figures, problems: problemsOf(figures, faults) }
  } finally {
    await close()
  }
}

async function prepare(
  server: DurableServer,
  { payments, merchants }: SearchOptions,
  say: (line: string) => void,
): Promise<void> {
  const demo = await prepareInstallation(server)
  const known = await sqlNumber(server.sql, 'select count(*) from merchants where merchant_code = $1', [
    CROWD.gone,
  ])
  if (known > 0) {
    say('The database is filled already.')
    return
  }
  say(`Filling with ${figure(payments)} payments…`)
  await copyMerchants(server.sql, demo, merchants)
  await fundMerchants(server.sql)
  await fillSearched(server.sql, { payments, say })
}

/** Every statement that the cases lead to, as it is planned today; and that a missing index would be noticed. */
async function planFaults(server: DurableServer, cases: readonly Case[]): Promise<readonly string[]> {
  const explainer = await openExplainer(server.url)
  try {
    const limits = await limitsOf(server)
    const faultsOf = async ({ query }: Case, limit: number): Promise<readonly string[]> => {
      const { cursor, ...filters } = query
      const search = await readPaymentSearch(filters, (code) => merchantIdOf(server, code))
      const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString('utf8')
      const work = (tx: Tx) => searchPayments(tx, { ...search, after, limit })
      const found = await explainer.faultsOf(work, limits)
      return found.map((fault) => `${new URLSearchParams(query).toString()}: ${fault}`)
    }
    const leads = cases.filter(({ filters }) => LEADS.has(filters))
    const faults: string[] = []
    for (const each of cases) faults.push(...(await faultsOf(each, PAGE_ROWS)))
    for (const each of leads) faults.push(...(await faultsOf(each, EXPORT_PAGE_ROWS)))
    for (const index of NEEDED_INDEXES) {
      const missed = await explainer.without(index, () =>
        anyFault(leads, (each) => faultsOf(each, PAGE_ROWS)),
      )
      if (!missed) faults.push(`no plan is found wrong without ${index}`)
    }
    return faults
  } finally {
    await explainer.close()
  }
}

const LEADS: ReadonlySet<string> = new Set(['createdFrom', 'idPayment', 'reference', 'idCustomer'])
/** A page and the one more that says whether there is another. */
const PAGE_ROWS = 51
const EXPORT_PAGE_ROWS = 1_000

async function limitsOf({ sql }: DurableServer): Promise<PlanLimits> {
  const month = await sqlNumber(
    sql,
    "select count(*) from payments where created_at > (select max(created_at) - interval '31 days' from payments)",
  )
  return { sortedRowsMax: SORTED_ROWS_MAX, filteredRowsMax: Math.round(MONTHS_MAX * month) }
}

async function anyFault(
  cases: readonly Case[],
  faultsOf: (each: Case) => Promise<readonly string[]>,
): Promise<boolean> {
  for (const each of cases) if ((await faultsOf(each)).length > 0) return true
  return false
}

async function merchantIdOf({ sql }: DurableServer, code: string): Promise<string> {
  return String(await sqlNumber(sql, 'select merchant_id from merchants where merchant_code = $1', [code]))
}

async function askAll(
  desk: Desk,
  cases: readonly Case[],
  rounds: number,
): Promise<{ readonly groups: readonly Asked[]; readonly all: Asked }> {
  const times = new Map<string, number[]>()
  for (let round = 0; round < rounds; round += 1)
    for (const { filters, query } of cases) {
      const path = `/operator/payments?${new URLSearchParams({ ...query, limit: '50' }).toString()}`
      const { status, text, ms } = await desk.ask(path)
      if (status !== 200) throw new LoadFailed(`${path} answered ${status}: ${text}`)
      times.set(filters, [...(times.get(filters) ?? []), ms])
    }
  return {
    groups: [...times].map(([filters, each]) => askedOf(filters, each)),
    all: askedOf('all of them', [...times.values()].flat()),
  }
}

function askedOf(filters: string, times: readonly number[]): Asked {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { filters, requests: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) }
}

async function askHome(desk: Desk): Promise<Asked> {
  const times: number[] = []
  for (let round = 0; round < HOME_TRIES; round += 1) {
    const { status, text, ms } = await desk.screen('/')
    if (status !== 200 || !text.includes('Merchant balances'))
      throw new LoadFailed(`home answered ${status}: ${text.slice(0, 500)}`)
    // The first one makes the connections.
    if (round > 0) times.push(ms)
  }
  return askedOf('home', times)
}

const SAMPLE_MS = 200

/** Month after month, the latest first, until so many rows have come: an export is one month at most. */
async function exportRows(desk: Desk, { sql }: DurableServer): Promise<Exported> {
  const stop = new AbortController()
  const samples = sample(desk, stop.signal)
  const startMs = performance.now()
  let toMs =
    1 + (await sqlNumber(sql, 'select (extract(epoch from max(created_at)) * 1000)::bigint from payments'))
  const firstMs = await sqlNumber(
    sql,
    'select (extract(epoch from min(created_at)) * 1000)::bigint from payments',
  )
  let rows = 0
  while (rows < EXPORT_ROWS && toMs > firstMs) {
    const fromMs = toMs - 31 * 86_400_000
    const span = { createdFrom: new Date(fromMs).toISOString(), createdTo: new Date(toMs).toISOString() }
    const { lines } = await desk.drain(`/operator/payments/export?${new URLSearchParams(span).toString()}`)
    rows += lines - 1
    toMs = fromMs
  }
  const seconds = (performance.now() - startMs) / 1_000
  stop.abort()
  const held = await samples
  const third = Math.max(1, Math.floor(held.length / 3))
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  return { rows, seconds, firstThirdMib: mean(held.slice(0, third)), lastThirdMib: mean(held.slice(-third)) }
}

async function sample({ gateway }: Desk, signal: AbortSignal): Promise<readonly number[]> {
  const samples: number[] = []
  while (!signal.aborted) {
    samples.push(residentMib(gateway.program.pid))
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined)
  }
  return samples
}

export const SEARCH_HEAD = ['asked by', 'requests', 'p50 ms', 'p95 ms', 'max ms'] as const

export const askedRow = ({ filters, requests, p50, p95, max }: Asked): readonly string[] => [
  filters,
  figure(requests).replace(/\.0$/, ''),
  ...[p50, p95, max].map(figure),
]

function show(say: (line: string) => void, { searches, all, home, exported }: SearchFigures): void {
  say(`\n${terminalTable([...SEARCH_HEAD], [...searches, all, home].map(askedRow))}`)
  const { rows, seconds, firstThirdMib, lastThirdMib } = exported
  say(
    `\nExport: ${figure(rows)} rows in ${figure(seconds)} s; the gateway held ${figure(firstThirdMib)} MiB in the first third, ${figure(lastThirdMib)} in the last.`,
  )
}

function problemsOf(
  { searches, home, exported }: SearchFigures,
  faults: readonly string[],
): readonly string[] {
  const slow = searches.filter(({ p95 }) => p95 >= P95_MAX_MS)
  return [
    ...faults,
    ...slow.map(({ filters, p95 }) => `${filters}: p95 ${figure(p95)} ms`),
    ...(home.p95 >= HOME_P95_MAX_MS ? [`home: p95 ${figure(home.p95)} ms`] : []),
    ...(exported.lastThirdMib > GROWTH_MAX * exported.firstThirdMib
      ? ['the export takes more and more memory']
      : []),
  ]
}
