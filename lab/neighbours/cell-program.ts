// A cell and its merchant in a process of its own, so that all of it can be kept on one core. It does what it is told by messages.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, accountFor, sumOf, untilDue } from '../rig/accounts.ts'
import {
  type GatewayProcess,
  issueToken,
  prepareInstallation,
  startGateway,
  startWorker,
} from '../rig/gateway.ts'
import { cpuOf, cpuOfFamily } from '../rig/kernel.ts'
import { closeAtSignal, type Program } from '../rig/programs.ts'
import { startDurableServer } from '../rig/server.ts'
import { postmasterPid, processesOf, signalProcess } from '../rig/server-processes.ts'
import { openShops, type Shops } from '../rig/shops.ts'
import type { FromCell, ToCell, Window } from './messages.ts'

const CLIENTS = 16
/** Some 60 payments a second: a core has time left, so that waiting for it is not what is measured. */
const PACE_MS = 250
const CALM_MS = 300

const [letter = ''] = process.argv.slice(2)
const server = await startDurableServer(undefined)
closeAtSignal(() => server.stop())
const demo = await prepareInstallation(server)
let processes = await start()
const token = await issueToken(processes.api.port, demo)
const opened: Shops[] = []
let shops: Shops | undefined

process.on('message', (message: ToCell) => {
  answer(message).then(tell, (error: unknown) => {
    process.stderr.write(`cell ${letter}: ${error instanceof Error ? String(error.stack) : String(error)}\n`)
    process.exit(1)
  })
})
process.once('disconnect', () => void server.stop().finally(() => process.exit(0)))
tell({ kind: 'DONE' })

function tell(message: FromCell): void {
  process.send?.(message)
}

interface Processes {
  readonly api: GatewayProcess
  readonly worker: Program
}

async function start(): Promise<Processes> {
  const settings = { TOLLGATE_CELL: letter }
  return {
    api: await startGateway(server, { name: `cell ${letter}`, settings }),
    worker: await startWorker(server, settings),
  }
}

async function answer(message: ToCell): Promise<FromCell> {
  switch (message.kind) {
    case 'WORK':
      await work()
      return { kind: 'DONE' }
    case 'REST':
      await rest()
      return { kind: 'DONE' }
    case 'MEASURE':
      return { kind: 'MEASURED', window: await measure(message.seconds) }
    case 'KILL':
      await kill()
      return { kind: 'DONE' }
    case 'REVIVE':
      await revive()
      return { kind: 'DONE' }
    case 'END':
      return { kind: 'ENDED', account: await end() }
  }
}

async function work(): Promise<void> {
  shops = await openShops({
    merchantCodes: [demo.merchantCode],
    clients: CLIENTS,
    port: processes.api.port,
    tokenOf: () => token,
  })
  shops.pace(PACE_MS)
  opened.push(shops)
  await sleep(CALM_MS)
}

async function rest(): Promise<void> {
  await shops?.stop()
  await untilDue(server.sql, 0)
  shops = undefined
}

async function measure(seconds: number): Promise<Window> {
  const before = { lives: livesOf(), cpu: cpu(), answers: answers().length }
  await sleep(seconds * 1000)
  return {
    lives: livesOf() - before.lives,
    cpuMicroseconds: cpu() - before.cpu,
    tookMs: answers()
      .slice(before.answers)
      .map(({ tookMs }) => tookMs),
  }
}

const livesOf = (): number => opened.reduce((sum, { told }) => sum + told.size, 0)
const answers = () => opened.flatMap((each) => each.answersTo(demo.merchantCode))
const cpu = (): number =>
  cpuOf(processes.api.program.pid) + cpuOf(processes.worker.pid) + cpuOfFamily(postmasterPid(server.dataDir))

async function kill(): Promise<void> {
  for (const pid of await processesOf(server.dataDir, server.sql)) signalProcess(pid, 'SIGKILL')
  await Promise.all([processes.api.program.kill(), processes.worker.kill()])
}

async function revive(): Promise<void> {
  await server.restart()
  processes = await start()
  shops?.route(demo.merchantCode, processes.api.port)
}

async function end(): Promise<Account> {
  await rest()
  const accounts: Account[] = []
  for (const each of opened) accounts.push(await accountFor(each, { [demo.merchantCode]: server.sql }))
  await Promise.all([processes.api.stop(), processes.worker.stop()])
  return sumOf(accounts)
}
