import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { WallClock } from '@tollgate/runtime'
import { createCache } from './cache.ts'
import type { Shop } from './records.ts'
import type { ShownLogo } from './screens/view.ts'

// Logos of shops. Browsers load them from this page alone, and this page from the gateway alone, whatever address a shop
// has been given: nobody else hears of a customer.

/** A picture as the gateway gave it. */
interface Picture {
  readonly mediaType: string
  readonly content: Buffer
}

export interface Logos {
  /** Where a browser finds the shop's logo; undefined where the gateway holds none. */
  addressOf(shop: Shop): ShownLogo | undefined
  /** The picture behind such an address; undefined for any other, and where it cannot be had. */
  find(file: string): Promise<Picture | undefined>
}

interface LogosOptions {
  readonly apiUrl: string
  /** The same in all processes of the page: each knows the addresses that the others have given. */
  readonly secret: Uint8Array
  readonly clock: WallClock
  /** With which addresses begin, where there are several cells. */
  readonly cell?: string | undefined
}

/** Where browsers find them. */
export const LOGOS_PATH = '/logo/'
const KEY_BYTES = 32
const MARK_LENGTH = 22
const TIMEOUT_MS = 5_000
const REMEMBERED_MS = 3_600_000
/** At most 4 MiB. */
const REMEMBERED_MAX = 128
const BYTES_MAX = 32_768
const MEDIA_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']

export function createLogos({ apiUrl, secret, clock, cell = '' }: LogosOptions): Logos {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tollgate checkout logos', KEY_BYTES))
  // Only what this page has named is asked for: a stranger's guesses never reach the gateway.
  const markOf = (hash: string): string =>
    createHmac('sha256', key).update(hash).digest('base64url').slice(0, MARK_LENGTH)
  const pictures = createCache<Picture | undefined>({
    lifeMs: REMEMBERED_MS,
    sizeMax: REMEMBERED_MAX,
    nowMs: () => clock.nowMs(),
    isKept: (picture) => picture !== undefined,
  })
  return {
    addressOf({ logoUrl, logoWidth: width, logoHeight: height }) {
      const hash = /\/brand-logos\/([0-9a-f]{64})$/.exec(logoUrl ?? '')?.[1]
      if (hash === undefined || width === undefined || height === undefined) return undefined
      return { src: `${LOGOS_PATH}${cell}${hash}.${markOf(hash)}`, width, height }
    },
    async find(file) {
      const [, hash, mark] = /^[A-Z]?([0-9a-f]{64})\.([\w-]{22})$/.exec(file) ?? []
      if (hash === undefined || mark === undefined) return undefined
      if (!timingSafeEqual(Buffer.from(mark), Buffer.from(markOf(hash)))) return undefined
      return pictures.get(hash, () => load(apiUrl, hash))
    },
  }
}

/** What the gateway has under the hash, if it is that. */
async function load(apiUrl: string, hash: string): Promise<Picture | undefined> {
  try {
    const response = await fetch(`${apiUrl}/brand-logos/${hash}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const mediaType = response.headers.get('content-type') ?? ''
    if (response.status !== 200 || !MEDIA_TYPES.includes(mediaType)) {
      await response.body?.cancel()
      return undefined
    }
    const content = await contentOf(response)
    const isSame = content !== undefined && createHash('sha256').update(content).digest('hex') === hash
    return isSame ? { mediaType, content } : undefined
  } catch {
    return undefined
  }
}

/** Undefined for more than a logo may have. */
async function contentOf({ body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
