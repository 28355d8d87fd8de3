import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a merchant's server may do with a callback, good and bad. */
export type Answer =
  /** An ordinary answer, after `delayMs`. */
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly delayMs?: number
    }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection without an answer. */
  | { readonly kind: 'close' }
  /** Starts a good answer, then sends one byte per `intervalMs` and never ends. */
  | { readonly kind: 'drip'; readonly status?: number; readonly intervalMs: number }
  /** A good answer with a body of this many bytes. */
  | { readonly kind: 'hugeBody'; readonly status?: number; readonly bytes: number }
  /** Sends the caller elsewhere. */
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 }

const CHUNK = Buffer.alloc(65_536, 'x')

/** Answers as told. Ends when the answer is complete or the client has gone. */
export async function giveAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  switch (answer.kind) {
    case 'reply':
      await sleep(answer.delayMs ?? 0)
      response.writeHead(answer.status, answer.headers).end(answer.body)
      return
    case 'hang':
      return
    case 'close':
      response.destroy()
      return
    case 'drip':
      return drip(response.writeHead(answer.status ?? 200), answer.intervalMs)
    case 'hugeBody':
      return pour(response.writeHead(answer.status ?? 200), answer.bytes)
    case 'redirect':
      response.writeHead(answer.status ?? 302, { location: answer.location }).end()
  }
}

async function drip(response: ServerResponse, intervalMs: number): Promise<void> {
  while (!response.destroyed) {
    response.write('.')
    await sleep(intervalMs)
  }
}

async function pour(response: ServerResponse, bytes: number): Promise<void> {
  let left = bytes
  const gone = once(response, 'close')
  while (left > 0 && !response.destroyed) {
    const part = CHUNK.subarray(0, Math.min(left, CHUNK.length))
    left -= part.length
    if (!response.write(part)) await Promise.race([once(response, 'drain'), gone])
  }
  response.end()
}
