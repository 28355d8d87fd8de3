import { type Bench, loadGateway } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { createPayins } from '../scenarios.ts'

/** The share of saturation at which latencies are looked at. */
export const STEADY_SHARE = 0.8

/** Requests come at a fixed rate, whatever becomes of those before, and latencies count from when each was due. */
export function steadyCreate(bench: Bench, createPerSecond: number): Contender {
  const ratePerSecond = Math.round(createPerSecond * STEADY_SHARE)
  const templates = [createPayins(bench.token)]
  return {
    name: 'createPayinSteady',
    title: `create payin at 80 %: ${ratePerSecond}/s`,
    measure: () => loadGateway(bench, bench.gateway, templates, { ratePerSecond }),
  }
}
