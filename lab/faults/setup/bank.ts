import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '@tollgate/runtime/log'
import { at } from '@tollgate/testkit'
import { readSecrets } from '../../../apps/gateway/src/keys/open-secrets.ts'
import {
  SIMULATOR_KEY_ID,
  SIMULATOR_RAIL_CODE,
  simulatorAdminKey,
  simulatorSecret,
} from '../../../apps/gateway/src/keys/simulator-keys.ts'
import { readMasterKeys } from '../../../apps/gateway/src/platform/master-key.ts'
import { startProgram, untilAnswers } from '../../rig/programs.ts'
import type { Movement } from '../check/facts.ts'

const MAIN = 'apps/bank-simulator/src/main.ts'
const READY_TIMEOUT_MS = 30_000
/** Work that was taken up while the database went away is taken up again after half a minute, which may happen several times. */
const APPROVE_TIMEOUT_MS = 240_000
const APPROVE_PAUSE_MS = 250
const REQUEST_TIMEOUT_MS = 10_000

/** How the bank behaves; its README has the moods. */
export interface Mood {
  readonly mood: string
  readonly every?: number
  readonly delayMs?: number
}

/** The bank simulator, a process with books of its own. Nobody kills it: its log is the bank's truth. */
export interface Bank {
  readonly url: string
  setMood(mood: Mood): Promise<void>
  /** A customer approves at the page. The bank may not know the payment yet: then again, for four minutes at most. */
  approve(pageUrl: string): Promise<void>
  /** Everything that moved. */
  movements(): Promise<readonly Movement[]>
  stop(): Promise<void>
}

interface BankOptions {
  /** Of the installation whose keys it shares. */
  readonly dataDir: string
  readonly databaseUrl: string
  readonly port: number
  /** Of the API that is told of what happens. */
  readonly apiPort: number
}

/** Starts the bank beside an installation. */
export async function startBank({ dataDir, databaseUrl, port, apiPort }: BankOptions): Promise<Bank> {
  const masterKeys = readMasterKeys({ dataDir })
  const secrets = await readSecrets({ databaseUrl, masterKeys, log: createLog({ level: 'silent' }) })
  const folder = join(dataDir, 'simulator')
  mkdirSync(folder, { recursive: true })
  const program = startProgram({
    name: 'the bank simulator',
    parts: [MAIN],
    settings: {
      SIMULATOR_PORT: String(port),
      SIMULATOR_DATA_DIR: folder,
      SIMULATOR_KEY_ID,
      SIMULATOR_SECRET: simulatorSecret(secrets).toString('base64'),
      SIMULATOR_ADMIN_KEY: simulatorAdminKey(secrets),
      SIMULATOR_GATEWAY_URL: `http://127.0.0.1:${apiPort}`,
      SIMULATOR_RAIL_CODE,
    },
  })
  await untilAnswers(program, { port, path: '/style.css', timeoutMs: READY_TIMEOUT_MS })
  const url = `http://127.0.0.1:${port}`
  const headers = {
    authorization: `Bearer ${simulatorAdminKey(secrets)}`,
    'content-type': 'application/json',
  }
  return {
    url,
    async setMood(mood) {
      const body = JSON.stringify(mood)
      await ask(`${url}/admin/mood`, { method: 'PUT', headers, body })
    },
    approve,
    async movements() {
      const text = await ask(`${url}/admin/log`, { headers })
      const lines = text.split('\n').filter((line) => line !== '')
      return lines.map((line) => movementIn(JSON.parse(line)))
    },
    stop: () => program.stop(),
  }
}

async function ask(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  const text = await response.text()
  if (response.ok) return text
  throw new Error(`${url}: ${response.status} ${text}`)
}

async function approve(pageUrl: string): Promise<void> {
  const deadlineMs = performance.now() + APPROVE_TIMEOUT_MS
  for (;;) {
    const response = await fetch(`${pageUrl}/approve`, {
      method: 'POST',
      body: new URLSearchParams({ userName: 'Ada Lovelace' }),
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (response.status === 303) return
    if (performance.now() > deadlineMs) throw new Error(`${pageUrl}: still ${response.status}`)
    await sleep(APPROVE_PAUSE_MS)
  }
}

function movementIn(line: unknown): Movement {
  const text = (...path: readonly string[]): string => String(at(line, ...path))
  return {
    reference: text('reference'),
    kind: text('kind'),
    money: { amount: text('money', 'amount'), currencyCode: text('money', 'currencyCode') },
  }
}
