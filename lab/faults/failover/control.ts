import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../rig/random.ts'
import { check } from '../check/check.ts'
import type { Finding } from '../check/facts.ts'
import { CLIENTS } from '../driver/driver.ts'
import { startDeafRelay } from '../setup/deaf-relay.ts'
import { pairOf, type ServerPair, startServerPair } from '../setup/server-pair.ts'
import { openStage } from '../setup/stage.ts'
import { hearAll } from '../setup/witnesses.ts'

// Gateways that must lose payments. Where the checks say nothing of it, they are worth nothing.

export const CONTROLS = ['async-standby', 'deaf-gateway'] as const
/**
 * async-standby: commits do not wait for the standby. deaf-gateway: they do, the waits are cancelled, and the gateway does not
 * hear PostgreSQL's warning.
 */
export type Control = (typeof CONTROLS)[number]

const CALM_MS = 3_000
const APART_MS = 3_000
const CANCEL_EVERY_MS = 50
const CANCEL = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`

/** A failover to a standby that had heard nothing for some seconds. What the checks say of payments that are lost. */
export async function runControl(control: Control, seed: number): Promise<readonly Finding[]> {
  const random = createRandom(seed)
  const stage = await openStage(random.fork(), control === 'async-standby' ? startAsynchronous : startDeaf)
  try {
    const pair = pairOf(stage.server)
    await stage.renewTokens()
    stage.driver.start(CLIENTS)
    await sleep(CALM_MS)
    pair.link.refuse(true)
    pair.link.cutAll()
    const cancelling = setInterval(() => void pair.sql(CANCEL).catch(() => undefined), CANCEL_EVERY_MS)
    await sleep(APART_MS)
    clearInterval(cancelling)
    await pair.killPrimary()
    await pair.promoteStandby()
    await stage.driver.stop()
    stage.history.discard()
    return check(await hearAll(stage)).filter(({ invariant }) => invariant === 'I10')
  } finally {
    await stage.close()
  }
}

const startAsynchronous = (): Promise<ServerPair> => startServerPair(false)

async function startDeaf(): Promise<ServerPair> {
  const pair = await startServerPair()
  const relay = await startDeafRelay(pair.url)
  const stop = async (): Promise<void> => {
    await relay.stop()
    await pair.stop()
  }
  return { ...pair, url: relay.url, stop }
}
