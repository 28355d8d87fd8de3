// One request with a limit on its time and on the size of what comes back.

const TIMEOUT_MS = 10_000
const BODY_BYTES_MAX = 1024 * 1024

/** What a server answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

/** A server did not answer. The message says why, as the end of a sentence. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Sends a request and reads the answer. Follows no redirect. Throws NoAnswer. */
export async function exchange(
  url: string,
  request: {
    readonly method: string
    readonly headers?: HeadersInit
    readonly body?: string | Uint8Array<ArrayBuffer>
  },
  timeoutMs = TIMEOUT_MS,
): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { ...request, redirect: 'manual', signal })
    const body = await readLimited(response)
    return { status: response.status, headers: response.headers, body }
  } catch (error) {
    throw new NoAnswer(reasonOf(error, timeoutMs))
  }
}

/** What is more than the limit is left unread. */
async function readLimited({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) break
  }
  return Buffer.concat(chunks)
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if (error.name === 'TimeoutError') return `no answer in ${timeoutMs / 1000} s`
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return 'code' in cause ? String(cause.code) : cause.message
}
