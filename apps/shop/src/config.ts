import { readFileSync } from 'node:fs'
import type { ShopOptions } from './shop.ts'

interface ShopConfig extends ShopOptions {
  readonly host: string
  readonly port: number
}

/**
 * What the shop is told by its environment: SHOP_MERCHANT_FILE, the merchant.json in `demo/` of the gateway's data directory;
 * SHOP_HOST and SHOP_PORT, where it listens; SHOP_URL, where customers find it.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): ShopConfig {
  const { SHOP_HOST: host = '127.0.0.1', SHOP_PORT = '8085', SHOP_MERCHANT_FILE: file = '' } = environment
  const port = Number(SHOP_PORT)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`SHOP_PORT is no port: ${SHOP_PORT}.`)
  if (file === '')
    throw new Error('SHOP_MERCHANT_FILE is missing: demo/merchant.json of the gateway’s data directory.')
  const merchant: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const textOf = (name: string): string => {
    const value: unknown =
      typeof merchant === 'object' && merchant !== null ? Reflect.get(merchant, name) : undefined
    if (typeof value !== 'string') throw new Error(`${file} has no ${name}.`)
    return value
  }
  return {
    host,
    port,
    url: environment['SHOP_URL'] ?? `http://localhost:${port}`,
    merchantCode: textOf('merchantCode'),
    apiUrl: textOf('apiUrl'),
    paymentAppUrl: textOf('checkoutUrl'),
    privateKey: readFileSync(textOf('privateKeyFile'), 'utf8'),
  }
}
