import { readFileSync } from 'node:fs'
import type { ShopOptions } from './shop.ts'

/**
 * What the shop is told by its environment: SHOP_MERCHANT_FILE, the merchant.json in `demo/` of the gateway's data directory;
 * SHOP_API_URL, the gateway, where it is not that file's; SHOP_HOST and SHOP_PORT, where it listens; SHOP_URL, where customers find it.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
): ShopOptions & { readonly host: string; readonly port: number } {
  const { SHOP_HOST: host = '127.0.0.1', SHOP_PORT = '8085', SHOP_MERCHANT_FILE: file = '' } = environment
  if (!/^[1-9]\d{0,4}$/.test(SHOP_PORT)) throw new Error(`SHOP_PORT is no port: ${SHOP_PORT}.`)
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
    port: Number(SHOP_PORT),
    url: environment['SHOP_URL'] ?? `http://localhost:${SHOP_PORT}`,
    merchantCode: textOf('merchantCode'),
    apiUrl: environment['SHOP_API_URL'] ?? textOf('apiUrl'),
    paymentAppUrl: textOf('checkoutUrl'),
    privateKey: readFileSync(textOf('privateKeyFile'), 'utf8'),
  }
}
