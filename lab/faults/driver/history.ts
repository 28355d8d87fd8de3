import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from '../check/facts.ts'

/** What the driver did and saw: one line when a request leaves and one when it has ended, in their order. */
export interface History {
  readonly calls: readonly Call[]
  /** Of the lines. */
  readonly file: string
  begin(call: Begun): Call
  end(call: Call, ended: Ended): void
  close(): void
  /** Removes the file: nobody needs it when nothing was found. */
  discard(): void
}

type Begun = Pick<Call, 'name' | 'operation' | 'client' | 'api' | 'money'>
export type Ended = Pick<Call, 'httpStatus' | 'status'> & {
  readonly outcome: NonNullable<Call['outcome']>
  readonly money?: Call['money']
}

/** The one clock of all witnesses but the database: it never goes back. */
export const nowMs = (): number => performance.timeOrigin + performance.now()

/** A history that is kept, and written to a file in a new folder. */
export function createHistory(): History {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-faults-'))
  const file = join(folder, 'history.ndjson')
  const output = openSync(file, 'a')
  const calls: Call[] = []
  const write = (event: string, call: Call): void => void writeSync(output, `${lineOf(event, call)}\n`)
  return {
    calls,
    file,
    begin(begun) {
      const call: Call = {
        ...begun,
        invokedAtMs: nowMs(),
        endedAtMs: undefined,
        outcome: undefined,
        httpStatus: undefined,
        status: undefined,
      }
      calls.push(call)
      write('invoke', call)
      return call
    },
    end(call, ended) {
      Object.assign(call, ended, { endedAtMs: nowMs() })
      write(ended.outcome, call)
    },
    close: () => closeSync(output),
    discard: () => rmSync(folder, { recursive: true }),
  }
}

/** A line of the file, and of a finding. */
export function lineOf(event: string, call: Call): string {
  const { name, operation, client, api, money, httpStatus, status, invokedAtMs, endedAtMs } = call
  const isOver = event !== 'invoke'
  return JSON.stringify({
    at: new Date(isOver ? (endedAtMs ?? invokedAtMs) : invokedAtMs).toISOString(),
    event,
    operation,
    ...name,
    client,
    api,
    ...money,
    ...(isOver && { httpStatus, status }),
  })
}
