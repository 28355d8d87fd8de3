import { type GatewayProcess, startGateway, startWorker } from './gateway.ts'
import type { Program } from './programs.ts'
import type { DurableServer } from './server.ts'

/** The processes of a cell. */
export interface Cell {
  readonly api: GatewayProcess
  readonly worker: Program
  stop(): Promise<void>
}

/** First what answers merchants; `onApi` is told its port. */
export async function startCell(
  server: DurableServer,
  letter: string,
  onApi?: (port: number) => void,
): Promise<Cell> {
  const settings = { TOLLGATE_CELL: letter }
  const api = await startGateway(server, { name: `cell ${letter}`, settings })
  onApi?.(api.port)
  const worker = await startWorker(server, settings)
  return {
    api,
    worker,
    async stop() {
      await Promise.all([api.stop(), worker.stop()])
    },
  }
}
