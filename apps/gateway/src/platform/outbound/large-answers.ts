import { Agent } from 'undici'

/** One POST of JSON to a server that the operator has chosen, and whose answer may be large. */
interface LargeQuestion {
  readonly url: string
  readonly body: string
  /** For everything together. */
  readonly deadlineMs: number
  /** Of the answer; beyond it nothing is read. */
  readonly bytesMax: number
  readonly signal: AbortSignal
}

/** What came: a whole body, or that it was larger than was read. */
type LargeAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'failed'; readonly message: string }

/**
 * Asks servers that the operator names in settings, over connections that are kept. Unlike the client for receivers and adapters, it goes to any
 * address, and waits for an answer of megabytes.
 */
export interface LargeAnswerClient {
  /** Trouble of the network is a result, never an error. */
  ask(question: LargeQuestion): Promise<LargeAnswer>
  /** Cuts what is under way. */
  close(): Promise<void>
}

export function createLargeAnswerClient(): LargeAnswerClient {
  const agent = new Agent()
  return {
    async ask({ url, body, deadlineMs, bytesMax, signal: given }) {
      const signal = AbortSignal.any([given, AbortSignal.timeout(deadlineMs)])
      const { origin, pathname, search } = new URL(url)
      try {
        const answer = await agent.request({
          origin,
          path: `${pathname}${search}`,
          method: 'POST',
          body,
          signal,
          headers: { 'content-type': 'application/json' },
        })
        const chunks: Buffer[] = []
        let sizeBytes = 0
        for await (const chunk of answer.body) {
          if (!Buffer.isBuffer(chunk)) continue
          chunks.push(chunk)
          sizeBytes += chunk.length
          if (sizeBytes > bytesMax) return { kind: 'tooLarge' }
        }
        return { kind: 'answered', status: answer.statusCode, text: Buffer.concat(chunks).toString('utf8') }
      } catch (error) {
        return { kind: 'failed', message: messageOf(error) }
      }
    },
    close: () => agent.destroy(),
  }
}

/** What the system calls it; a message of the driver may have the whole address in it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed'
  if (error.name === 'TimeoutError') return 'it took too long'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
