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

const PATH_HASH_LENGTH = 16

/** Builds the assets; takes a while, so once at the start. */
export function buildAssets(): Assets {
  return {
    stylesheet: toAsset('css', 'text/css; charset=utf-8', buildStylesheet()),
    script: toAsset('js', 'text/javascript; charset=utf-8', buildScript()),
  }
}

function toAsset(extension: string, contentType: string, text: string): Asset {
  const body = Buffer.from(text)
  const digest = createHash('sha384').update(body).digest()
  return {
    path: `/assets/console.${digest.toString('hex').slice(0, PATH_HASH_LENGTH)}.${extension}`,
    contentType,
    integrity: `sha384-${digest.toString('base64')}`,
    body,
    gzip: gzipSync(body, { level: zlib.Z_BEST_COMPRESSION }),
    br: brotliCompressSync(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }),
  }
}
