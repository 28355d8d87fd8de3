import { startGateway } from '../../rig/gateway.ts'
import { type Spread, spreadOf } from '../../rig/statistics.ts'
import type { Bench } from '../bench.ts'

/** Seconds from the start of the API process, the database being up, to its first good answer. */
export async function measureStarts(bench: Bench): Promise<Spread> {
  const seconds: number[] = []
  for (let round = 0; round < bench.options.rounds; round += 1) {
    const startMs = performance.now()
    const gateway = await startGateway(bench.server)
    seconds.push((performance.now() - startMs) / 1000)
    await gateway.stop()
  }
  return spreadOf(seconds)
}
