import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createGateway, type Gateway } from '@tollgate/sdk'
import { freePort, waitUntil } from '@tollgate/testkit'
import { cleanEnvironment, ROOT, type Settings, startProgram } from '../rig/programs.ts'
import type { DurableServer } from '../rig/server.ts'

const READY_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 60_000
const run = promisify(execFile)

/** `npm start`: the gateway with its payment page and the bank simulator. */
export interface Sandbox {
  readonly url: string
  readonly paymentUrl: string
  readonly keyFile: string
  /** The merchant's client, beside the shop's. */
  readonly merchant: Gateway
  /** Gives the bank's statement of our account in EUR, with one booking, to the gateway. */
  importStatement(booking: { readonly amount: string; readonly reference: string }): Promise<void>
  stop(): Promise<void>
}

export async function startSandbox(server: DurableServer): Promise<Sandbox> {
  const settings = await settingsFor(server)
  const program = startProgram({ name: 'npm start', parts: ['apps/gateway/src/main.ts'], settings })
  const isReady = (): boolean => program.output().includes('Tollgate is ready') || program.hasEnded()
  await waitUntil(isReady, { timeoutMs: READY_TIMEOUT_MS, what: 'the gateway to be ready' })
  if (program.hasEnded()) throw new Error(`the gateway ended: ${program.output()}`)
  const keyFile = join(server.dataDir, 'demo/private-key.pem')
  const url = `http://127.0.0.1:${settings['TOLLGATE_API_PORT'] ?? ''}`
  const privateKey = readFileSync(keyFile, 'utf8')
  return {
    url,
    keyFile,
    merchant: createGateway({ baseUrl: url, merchantCode: 'DEMO', privateKey }),
    paymentUrl: `http://localhost:${settings['TOLLGATE_CHECKOUT_PORT'] ?? ''}`,
    importStatement: async (booking) => {
      const file = join(server.dataDir, 'statement.sta')
      writeFileSync(file, statementOf(booking))
      const operator = ['--operator-key-file', join(server.dataDir, 'demo/operator-ada.key')]
      await run(
        process.execPath,
        ['apps/gateway/bin/tollgate.mjs', 'statements', 'import', file, ...operator],
        { cwd: ROOT, env: { ...cleanEnvironment(), ...settings }, timeout: COMMAND_TIMEOUT_MS },
      )
    },
    stop: () => program.stop(),
  }
}

async function settingsFor(server: DurableServer): Promise<Settings> {
  const names = ['API', 'CHECKOUT', 'SIMULATOR', 'OPERATOR', 'METRICS']
  const portOf = async (name: string) => [`TOLLGATE_${name}_PORT`, String(await freePort())] as const
  const ports: Settings = Object.fromEntries(await Promise.all(names.map(portOf)))
  return {
    TOLLGATE_DATA_DIR: server.dataDir,
    TOLLGATE_DATABASE_URL: server.url,
    TOLLGATE_SHOP_PORT: '0',
    TOLLGATE_CONSOLE_PORT: '0',
    ...ports,
  }
}

let statements = 0

/** An MT940 of the sandbox's account. The opening balance of each is another one, so that none is taken for a repeat. */
function statementOf({ amount, reference }: { amount: string; reference: string }): string {
  statements += 1
  const day = new Date().toISOString().slice(2, 10).replaceAll('-', '')
  const cents = Math.round(Number(amount) * 100)
  const opening = statements * 1_000_000
  const text = (hundredths: number): string =>
    `${Math.trunc(hundredths / 100)},${String(hundredths % 100).padStart(2, '0')}`
  return [
    ':20:LAB',
    ':25:99999999/0000000001',
    `:28C:${statements}/1`,
    `:60F:C${day}EUR${text(opening)}`,
    `:61:${day}C${text(cents)}NTRF${statements}L//L${statements}`,
    `:86:${reference}`,
    `:62F:C${day}EUR${text(opening + cents)}`,
    '-',
    '',
  ].join('\r\n')
}
