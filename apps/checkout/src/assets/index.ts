import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { buildScript, buildStylesheet } from './bundle.ts'

/** A file for the browser, as it goes over the wire. */
export interface Asset {
  /** Carries the hash of the content, so it may be cached for ever. */
  readonly path: string
  readonly contentType: string
  /** For the `integrity` attribute: `sha384-…`. */
  readonly integrity: string
  readonly body: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
}

/** All that a screen loads. */
export interface Assets {
  readonly stylesheet: Asset
  readonly script: Asset
}

/** One line of the list of all that runs in a customer's browser. */
export interface InventoryRow {
  readonly path: string
  readonly integrity: string
  readonly purpose: string
}

/** Where the assets are served. */
export const ASSETS_PATH = '/assets/'

const PATH_HASH_LENGTH = 16

/** Builds the assets; takes a while, so once at the start. */
export function assets(): Assets {
  return {
    stylesheet: toAsset('checkout', 'css', buildStylesheet()),
    script: toAsset('checkout', 'js', buildScript()),
  }
}

/** What runs or applies in the browser, with its hash and why it is there. Nothing else may. */
export function inventoryOf({ stylesheet, script }: Assets): readonly InventoryRow[] {
  return [
    { path: stylesheet.path, integrity: stylesheet.integrity, purpose: 'How every screen looks.' },
    {
      path: script.path,
      integrity: script.integrity,
      purpose:
        'Comfort: searching banks, checking an IBAN while it is typed, copying, the time left, following the payment.',
    },
  ]
}

const CONTENT_TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

function toAsset(name: string, extension: keyof typeof CONTENT_TYPES, text: string): Asset {
  const body = Buffer.from(text)
  const digest = createHash('sha384').update(body).digest()
  return {
    path: `${ASSETS_PATH}${name}.${digest.toString('hex').slice(0, PATH_HASH_LENGTH)}.${extension}`,
    contentType: CONTENT_TYPES[extension],
    integrity: `sha384-${digest.toString('base64')}`,
    body,
    gzip: gzipSync(body, { level: zlib.Z_BEST_COMPRESSION }),
    br: brotliCompressSync(body),
  }
}
