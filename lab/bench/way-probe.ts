// Loaded into the gateway that `npm run way` asks: at SIGUSR2 it says which functions of ours ran since the last time.

import { Session } from 'node:inspector/promises'

const OURS = /\/((?:apps|packages)\/[^/]+\/src\/.*)$/

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

async function report(): Promise<void> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  for (const { url, functions } of result) {
    const file = OURS.exec(url)?.[1]
    if (file === undefined) continue
    for (const { functionName, ranges } of functions) {
      const [whole] = ranges
      // The one at 0 is the file itself.
      if (whole !== undefined && whole.count > 0 && whole.startOffset > 0)
        process.stdout.write(`way: ${file} ${functionName}@${String(whole.startOffset)}\n`)
    }
  }
  process.stdout.write('way: end\n')
}

process.on('SIGUSR2', () => void report())
