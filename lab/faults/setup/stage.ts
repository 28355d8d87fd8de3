import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultProxy, faultProxy, freePort } from '@tollgate/testkit'
import { type Demo, issueToken, prepareInstallation } from '../../rig/gateway.ts'
import { copyMerchants } from '../../rig/merchants.ts'
import { closeAtSignal, type Settings } from '../../rig/programs.ts'
import type { Random } from '../../rig/random.ts'
import { type DurableServer, startDurableServer } from '../../rig/server.ts'
import { createDriver, type Driver } from '../driver/driver.ts'
import { createHistory, type History } from '../driver/history.ts'
import { APPROVED_FROM, createPlans, PERSONAL_DATA, type Plans } from '../driver/plans.ts'
import { createWire, type Wire } from '../driver/wire.ts'
import { type Bank, startBank } from './bank.ts'
import { createDatabaseFaults, type DatabaseFaults } from './database.ts'
import { createKills, type Kills } from './kills.ts'
import { type ApiMember, type Member, startApi, startWorkerMember } from './member.ts'
import { createNotes, type Notes } from './notes.ts'
import { type Receivers, startReceivers } from './receivers.ts'

/** The specification's 120 s, made short: everything that is due comes due while somebody waits for it. */
export const CALLBACK_INTERVAL_SECONDS = 2
export const CALLBACK_TIMEOUT_SECONDS = 1

/** Everything that a run lets break, and everybody who watches. */
export interface Stage {
  readonly server: DurableServer
  /** Between the processes of each role and the database. */
  readonly proxies: Readonly<Record<'api' | 'worker', FaultProxy>>
  readonly apis: readonly [ApiMember, ApiMember]
  readonly workers: readonly [Member, Member]
  readonly bank: Bank
  readonly receivers: Receivers
  readonly database: DatabaseFaults
  readonly kills: Kills
  readonly notes: Notes
  readonly history: History
  readonly driver: Driver
  readonly plans: Plans
  readonly wire: Wire
  /** What no log may have: tokens, the master key, what customers are called. */
  secrets(): readonly string[]
  /** New tokens for everybody. */
  renewTokens(): Promise<void>
  say(line: string): void
  /** Is stopped when the stage is closed, before everything that was there earlier. */
  atEnd(stop: () => Promise<void>): void
  close(): Promise<void>
}

const startServer = (): Promise<DurableServer> => startDurableServer(undefined)

/**
 * Starts it all: the database, two processes of the API, two workers, the bank, the receivers; and pays in some money. The gateway is
 * of the sources in `root`, if they are not these.
 */
export async function openStage(random: Random, start = startServer, root?: string): Promise<Stage> {
  const stops: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  closeAtSignal(close)
  try {
    const atEnd = (stop: () => Promise<void>): void => void stops.push(stop)
    const server = await start()
    atEnd(() => server.stop())
    return await build(server, random, { close, atEnd, root })
  } catch (error) {
    await close()
    throw error
  }
}

interface Ends {
  readonly close: () => Promise<void>
  readonly atEnd: (stop: () => Promise<void>) => void
  readonly root: string | undefined
}

async function build(server: DurableServer, random: Random, ends: Ends): Promise<Stage> {
  const { close, atEnd, root } = ends
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  const demo = await prepareInstallation(server, root)
  const masterKey = readFileSync(join(server.dataDir, 'master.key'), 'utf8').trim()
  const installation = await openInstallation(server, ends)
  const { apis, bank, receivers } = installation
  const history = createHistory()
  atEnd(async () => history.close())
  const crowd = await openCrowd(server, demo, apis[0].port)
  const wire = createWire({ history, apis, tokenOf: crowd.tokenOf })
  const plans = createPlans({ funded: crowd.funded, poor: crowd.poor }, receivers)
  const driver = createDriver({ wire, plans, bank, random: random.fork(), say })
  await fund(crowd.funded, plans, driver)
  return {
    server,
    ...installation,
    history,
    driver,
    plans,
    wire,
    say,
    atEnd,
    close,
    notes: createNotes(),
    database: createDatabaseFaults(server, installation.kills),
    renewTokens: crowd.renew,
    secrets: () => [...crowd.tokens(), masterKey, ...PERSONAL_DATA],
  }
}

type Installation = Pick<Stage, 'proxies' | 'apis' | 'workers' | 'bank' | 'receivers' | 'kills'>

async function openInstallation(server: DurableServer, { atEnd, root }: Ends): Promise<Installation> {
  const receivers = await startReceivers()
  atEnd(() => receivers.stop())
  const life = { after: (clean: () => void | Promise<void>) => atEnd(async () => clean()) }
  const proxies = { api: await faultProxy(life, server.url), worker: await faultProxy(life, server.url) }
  const kills = createKills()
  const bankPort = await freePort()
  const common = settingsOf(bankPort)
  const start = <Started extends Member>(starting: Promise<Started>): Promise<Started> =>
    starting.then((member) => {
      atEnd(() => member.stop())
      return member
    })
  const through = (proxy: FaultProxy): Settings => ({ ...common, TOLLGATE_DATABASE_URL: proxy.url })
  const api = { server, kills, root, settings: through(proxies.api) }
  const worker = { server, kills, root, settings: through(proxies.worker) }
  const apis = await Promise.all([start(startApi(1, api)), start(startApi(2, api))])
  const bank = await startBank({
    dataDir: server.dataDir,
    databaseUrl: server.url,
    port: bankPort,
    apiPort: apis[0].port,
  })
  atEnd(() => bank.stop())
  const workers = await Promise.all([start(startWorkerMember(worker)), start(startWorkerMember(worker))])
  return { proxies, apis, workers, bank, receivers, kills }
}

function settingsOf(bankPort: number): Settings {
  return {
    TOLLGATE_SIMULATOR_PORT: String(bankPort),
    TOLLGATE_PUBLIC_SIMULATOR_URL: `http://127.0.0.1:${bankPort}`,
    TOLLGATE_CALLBACK_INTERVAL_SECONDS: String(CALLBACK_INTERVAL_SECONDS),
    TOLLGATE_CALLBACK_TIMEOUT_SECONDS: String(CALLBACK_TIMEOUT_SECONDS),
  }
}

const FUNDED_MERCHANTS = 6
const TOPUPS_EACH = 5
const OPERATIONS = ['payins', 'payouts', 'topups'].flatMap((path) => [`POST /${path}/.*`, `GET /${path}/.*`])

const PAYOUT_RULES = `insert into payout_rules (merchant_id, currency_code, amount_from, new_beneficiary)
  select merchant_id, 'EUR', $1, false from merchants where merchant_code = any($2::text[])`

interface Crowd {
  readonly funded: readonly [string, ...string[]]
  readonly poor: string
  tokenOf(merchantCode: string): string
  tokens(): Iterable<string>
  renew(): Promise<void>
}

async function openCrowd(server: DurableServer, demo: Demo, apiPort: number): Promise<Crowd> {
  const merchants = await copyMerchants(server.sql, demo, FUNDED_MERCHANTS + 1)
  await server.sql(PAYOUT_RULES, [APPROVED_FROM, merchants.map(({ merchantCode }) => merchantCode)])
  const [poor, first, ...others] = merchants.map(({ merchantCode }) => merchantCode)
  if (poor === undefined || first === undefined) throw new Error('there are no merchants')
  const tokens = new Map<string, string>()
  const renew = async (): Promise<void> => {
    for (const merchant of merchants)
      tokens.set(merchant.merchantCode, await issueToken(apiPort, merchant, OPERATIONS))
  }
  await renew()
  return {
    funded: [first, ...others],
    poor,
    tokenOf: (merchantCode) => tokens.get(merchantCode) ?? '',
    tokens: () => tokens.values(),
    renew,
  }
}

/** Top-ups that everybody can see, so that each balance has a history that adds up. */
async function fund(merchants: readonly string[], plans: Plans, driver: Driver): Promise<void> {
  for (const merchantCode of merchants)
    for (let count = 0; count < TOPUPS_EACH; count += 1) await driver.settle(plans.funds(merchantCode))
}
