import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { at, freePort, type TestLife } from '@tollgate/testkit'
import { cleanEnvironment, type Program, type Settings, startProgram, untilAnswers } from '../rig/programs.ts'
import { ask, textAt } from './json.ts'

const CLI = 'node_modules/@medusajs/cli/cli.js'
const READY_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 300_000
const OUTPUT_BYTES_MAX = 10_000_000
const run = promisify(execFile)
const PERSON = { email: 'ada@shop.example', password: randomBytes(16).toString('hex') }

interface ShopPlaces {
  /** Medusa's project. */
  readonly folder: string
  readonly databaseUrl: string
  /** Of the gateway, perhaps by a proxy. */
  readonly gatewayUrl: string
  readonly paymentUrl: string
  readonly keyFile: string
  readonly callbackUrl: string
  readonly returnUrl: string
}

/** Medusa in a process of its own, with one product. */
export interface Shop {
  readonly url: string
  /** SIGKILL. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Starts it again on the same database. */
  start(options?: { readonly ordersFirst?: boolean }): Promise<void>
  /** What it has said since its last start. */
  output(): string
  /** A cart with so many of the product, and a payment session of it. */
  checkOut(options: { readonly quantity: number; readonly returnUrl: string }): Promise<Cart>
  /** One more of the product in the cart, and a new payment session. */
  addOne(cart: Cart, returnUrl: string): Promise<Cart>
  /** What a storefront does when the customer comes back: `order`, or the status of the payment session. */
  complete(cart: string): Promise<string>
  /** What staff does in the admin: pays money of a payment back. */
  refund(payment: string, amount: number): Promise<unknown>
}

export interface Cart {
  readonly id: string
  readonly session: string
  /** Where the customer pays. */
  readonly redirectUrl: string
}

/** Creates Medusa's tables and its product. */
export async function openShop(life: TestLife, places: ShopPlaces): Promise<Shop> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = settingsOf(places)
  await runCommand(places.folder, settings, ['db:migrate', '--execute-safe-links'])
  await runCommand(places.folder, settings, ['user', '-e', PERSON.email, '-p', PERSON.password])
  let program: Program | undefined
  const store: { goods?: Goods } = {}
  const goods = (): Goods => store.goods ?? fail('there are no goods')
  const current = (): Program => program ?? fail('Medusa was not started')
  const headers = () => ({ 'x-publishable-api-key': goods().key })
  const post: Post = (path, body) => ask(`${url}/store${path}`, { method: 'POST', headers: headers(), body })
  const shop: Shop = {
    url,
    kill: () => current().kill(),
    stop: async () => program?.stop(),
    output: () => current().output(),
    async start({ ordersFirst = false } = {}) {
      program = startProgram({
        name: 'medusa start',
        folder: places.folder,
        parts: [CLI, 'start', '--host', '127.0.0.1', '--port', String(port)],
        settings: { ...settings, SHOP_ORDERS_FIRST: String(ordersFirst) },
      })
      await untilAnswers(program, { port, path: '/health', timeoutMs: READY_TIMEOUT_MS })
    },
    async checkOut({ quantity, returnUrl }) {
      const { region, variant } = goods()
      const items = [{ variant_id: variant, quantity }]
      const made = await post('/carts', { region_id: region, email: 'jana@shop.example', items })
      return sessionOf(post, textAt(made, 'cart', 'id'), returnUrl)
    },
    async addOne({ id }, returnUrl) {
      await post(`/carts/${id}/line-items`, { variant_id: goods().variant, quantity: 1 })
      return sessionOf(post, id, returnUrl)
    },
    complete: (cart) => completeCart(url, headers(), cart),
    async refund(payment, amount) {
      return ask(`${url}/admin/payments/${payment}/refund`, {
        method: 'POST',
        headers: await staff(url),
        body: { amount },
      })
    },
  }
  life.after(() => shop.stop())
  await shop.start()
  store.goods = await fillStore(url)
  return shop
}

type Post = (path: string, body: object) => Promise<unknown>

/** A new payment session for the cart. */
async function sessionOf(post: Post, cart: string, returnUrl: string): Promise<Cart> {
  const collection = await post('/payment-collections', { cart_id: cart })
  const id = textAt(collection, 'payment_collection', 'id')
  const made = await post(`/payment-collections/${id}/payment-sessions`, {
    provider_id: 'pp_tollgate',
    data: { return_url: `${returnUrl}/${cart}` },
  })
  const path = ['payment_collection', 'payment_sessions', 0] as const
  const redirectUrl = textAt(made, ...path, 'data', 'redirectUrl')
  return { id: cart, session: textAt(made, ...path, 'id'), redirectUrl }
}

/** Medusa answers 400 where there is nothing to order yet; the session says why. */
async function completeCart(
  url: string,
  headers: Readonly<Record<string, string>>,
  cart: string,
): Promise<string> {
  try {
    const answer = await ask(`${url}/store/carts/${cart}/complete`, { method: 'POST', headers })
    return textAt(answer, 'type')
  } catch (error) {
    if (!String(error).includes('was not authorized with the provider')) throw error
    const fields = 'id,*payment_collection.payment_sessions'
    const known = await ask(`${url}/store/carts/${cart}?fields=${fields}`, { headers })
    return textAt(known, 'cart', 'payment_collection', 'payment_sessions', 0, 'status')
  }
}

function settingsOf(places: ShopPlaces): Settings {
  return {
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    DATABASE_URL: places.databaseUrl,
    SHOP_SECRET: randomBytes(16).toString('hex'),
    SHOP_GATEWAY_URL: places.gatewayUrl,
    SHOP_PAYMENT_URL: places.paymentUrl,
    SHOP_KEY_FILE: places.keyFile,
    SHOP_CALLBACK_URL: places.callbackUrl,
    SHOP_RETURN_URL: places.returnUrl,
  }
}

async function runCommand(folder: string, settings: Settings, parts: readonly string[]): Promise<void> {
  const env = { ...cleanEnvironment(), ...settings }
  const limits = { timeout: COMMAND_TIMEOUT_MS, maxBuffer: OUTPUT_BYTES_MAX }
  await run(process.execPath, [CLI, ...parts], { cwd: folder, env, ...limits }).catch((error: unknown) => {
    throw new Error(`medusa ${parts[0] ?? ''} failed: ${String(at(error, 'stdout'))}`, { cause: error })
  })
}

const fail = (message: string): never => {
  throw new Error(message)
}

async function staff(url: string): Promise<Readonly<Record<string, string>>> {
  const answer = await ask(`${url}/auth/user/emailpass`, { method: 'POST', body: PERSON })
  return { authorization: `Bearer ${textAt(answer, 'token')}` }
}

interface Goods {
  readonly region: string
  readonly variant: string
  /** Of the storefront. */
  readonly key: string
}

/** A region that pays with Tollgate, a product at 149.90 EUR that needs no shipping, and a key for the storefront. */
async function fillStore(url: string): Promise<Goods> {
  const headers = await staff(url)
  const admin = (path: string, body: object) => ask(`${url}/admin${path}`, { method: 'POST', headers, body })
  const channels = await ask(`${url}/admin/sales-channels`, { headers })
  const channel = textAt(channels, 'sales_channels', 0, 'id')
  const region = await admin('/regions', {
    name: 'Europe',
    currency_code: 'eur',
    countries: ['cz'],
    payment_providers: ['pp_tollgate'],
  })
  const key = await admin('/api-keys', { title: 'Storefront', type: 'publishable' })
  await admin(`/api-keys/${textAt(key, 'api_key', 'id')}/sales-channels`, { add: [channel] })
  const product = await admin('/products', {
    title: 'Coffee pot',
    status: 'published',
    sales_channels: [{ id: channel }],
    options: [{ title: 'Size', values: ['One'] }],
    variants: [
      {
        title: 'One',
        options: { Size: 'One' },
        manage_inventory: false,
        prices: [{ amount: 149.9, currency_code: 'eur' }],
      },
    ],
  })
  return {
    region: textAt(region, 'region', 'id'),
    variant: textAt(product, 'product', 'variants', 0, 'id'),
    key: textAt(key, 'api_key', 'token'),
  }
}
