// `npm run way`: the files and functions of ours that a payin passes from the request to its 201, counted by V8 in a gateway
// that is warm. There are no workers in it: what they do begins after the answer.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  API_VERSION,
  type GatewayProcess,
  issueToken,
  prepareInstallation,
  startGateway,
} from '../rig/gateway.ts'
import { callHttp, closeAtSignal } from '../rig/programs.ts'
import { startDurableServer } from '../rig/server.ts'
import { PAYIN_BODY } from './scenarios.ts'

const CREATES_BEFORE = 50
/** What only happened to run at the same moment is not there each time. */
const CREATES_COUNTED = 10
/** Until the sandbox has written down the request before, which it does a quarter of a second later. */
const PAUSE_MS = 600
const POLL_MS = 10
/** Who reads how a payment is created opens no more than these. */
const FILES_MAX = 40

async function findWay(): Promise<ReadonlySet<string>> {
  const stops: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  closeAtSignal(close)
  try {
    const server = await startDurableServer(undefined)
    stops.push(() => server.stop())
    const demo = await prepareInstallation(server)
    const gateway = await startGateway(server, { flags: ['--import', './lab/bench/way-probe.ts'] })
    stops.push(() => gateway.stop())
    const token = await issueToken(gateway.port, demo)
    for (let index = 0; index < CREATES_BEFORE; index += 1)
      await create(gateway, token, `BEFORE-${String(index)}`)
    await functionsRun(gateway)
    let way: ReadonlySet<string> | undefined
    for (let index = 0; index < CREATES_COUNTED; index += 1) {
      await sleep(PAUSE_MS)
      await functionsRun(gateway)
      await create(gateway, token, `COUNTED-${String(index)}`)
      const run = await functionsRun(gateway)
      way = way === undefined ? run : way.intersection(run)
    }
    return way ?? new Set()
  } finally {
    await close()
  }
}

async function create({ port }: GatewayProcess, token: string, id: string): Promise<void> {
  const { status, text } = await callHttp({
    port,
    method: 'POST',
    path: `/payins/${id}`,
    headers: {
      'X-API-Version': API_VERSION,
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(PAYIN_BODY),
  })
  if (status !== 201) throw new Error(`a create was answered with ${String(status)}: ${text}`)
}

/** The functions that ran since the last call, as `file name@offset`. */
async function functionsRun({ program }: GatewayProcess): Promise<ReadonlySet<string>> {
  const before = program.output().length
  process.kill(program.pid, 'SIGUSR2')
  const said = (): string => program.output().slice(before)
  while (!said().includes('way: end\n')) await sleep(POLL_MS)
  return new Set([...said().matchAll(/^way: (\S+ \S*@\d+)$/gm)].map(([, each = '']) => each))
}

const way = await findWay()
const byFile = Map.groupBy([...way].sort(), (each) => each.slice(0, each.indexOf(' ')))
for (const [file, functions] of byFile) {
  const names = functions.map((each) => each.slice(file.length + 1, each.lastIndexOf('@')))
  process.stdout.write(
    `${file} (${String(functions.length)}): ${names.filter((name) => name !== '').join(' ')}\n`,
  )
}
process.stdout.write(`${String(byFile.size)} files, ${String(way.size)} functions\n`)
if (byFile.size > FILES_MAX) {
  process.stderr.write(
    `These are more than ${String(FILES_MAX)}: join what belongs together, and leave out what a create does not need.\n`,
  )
  process.exitCode = 1
}
