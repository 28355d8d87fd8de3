// Lets kinds of faults strike the gateway of the tree that this file lies in, and tells whoever forked it what was found.
// Started as: trial.ts <kinds, joined by commas> <seed> <seconds after which it need not be quiet>
import { COMMON } from '../arguments.ts'
import type { Finding } from '../check/facts.ts'
import { InvariantBroken, runFaults } from '../run.ts'
import { kindsNamed, needsStandby } from './loads.ts'

/** Short: a mutant that needs longer to be seen needs another load. */
const PHASE_SECONDS = 8

const [names = '', seed, quietSecondsMax] = process.argv.slice(2)
const kinds = kindsNamed(names)
const form = kinds.some(needsStandby) ? 'failover' : 'short'

/** Whoever forked it has gone: what was started here must end. */
const onOrphaned = (): void => void process.emit('SIGTERM', 'SIGTERM')
process.once('disconnect', onOrphaned)

const findings = await findingsOf()
process.off('disconnect', onOrphaned)
process.send?.(findings, () => process.exit())

async function findingsOf(): Promise<readonly Finding[]> {
  try {
    const extent = {
      ...COMMON,
      phaseSeconds: PHASE_SECONDS,
      killPhaseSeconds: PHASE_SECONDS,
      quietSecondsMax: Number(quietSecondsMax),
    }
    await runFaults({ form, extent, kinds, seed: undefined, write: false }, Number(seed))
    return []
  } catch (error) {
    if (error instanceof InvariantBroken) return error.findings
    throw error
  }
}
