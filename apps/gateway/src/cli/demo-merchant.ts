import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { dataDirOf } from '../programs/installation.ts'

/** What the data directory of a sandbox says of its demo merchant. */
export interface DemoFile {
  readonly merchantCode: string
  readonly privateKeyFile: string
  readonly apiUrl: string
}

/** Reads demo/merchant.json of the data directory; undefined when there is none. */
export function readDemoMerchant(config: Config): DemoFile | undefined {
  const folder = join(dataDirOf(config), 'demo')
  const file = join(folder, 'merchant.json')
  if (!existsSync(file)) return undefined
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof parsed !== 'object' || parsed === null) return undefined
  if (!('merchantCode' in parsed) || typeof parsed.merchantCode !== 'string') return undefined
  if (!('apiUrl' in parsed) || typeof parsed.apiUrl !== 'string') return undefined
  // Beside the file, also where the folder was moved after it was written.
  return {
    merchantCode: parsed.merchantCode,
    apiUrl: parsed.apiUrl,
    privateKeyFile: join(folder, 'private-key.pem'),
  }
}
