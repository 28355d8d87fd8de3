import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomIds } from '@tollgate/runtime'
import { type Config, ConfigError } from '../config.ts'
import { seedSandboxBankAccounts } from '../modules/bank-accounts/index.ts'
import { createCatalogueSettings, seedSandboxCatalogue } from '../modules/catalogue/index.ts'
import {
  createMerchantService,
  type Merchant,
  MerchantProblem,
  type MerchantService,
  secretIdOf,
} from '../modules/merchants/index.ts'
import { seedSandboxRates } from '../modules/rates/index.ts'
import { seedSandboxSettlements } from '../modules/settlements/index.ts'
import type { Database } from '../platform/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import { writePrivately } from '../platform/whole-file.ts'
import { dataDirOf } from '../programs/installation.ts'
import { prepareDemoOperators } from './operators.ts'

export const DEMO_MERCHANT_CODE = 'DEMO'

/** What demo/merchant.json holds: enough for a first payment. */
export interface DemoMerchant {
  readonly merchantCode: string
  readonly secret: string
  readonly privateKeyFile: string
  readonly apiUrl: string
  readonly checkoutUrl: string
  readonly simulatorUrl: string
}

/**
 * Makes the sandbox ready: the catalogue, a merchant DEMO with every method, a key pair and a secret, and two operators
 * with a key each, all written to `demo/` in the data directory. What is there already stays; addresses are brought up to date.
 */
export async function prepareSandbox(deps: {
  readonly config: Config
  readonly db: Database
  readonly secrets: Secrets
}): Promise<DemoMerchant> {
  const { config, db, secrets } = deps
  await seedSandboxCatalogue(db)
  await seedSandboxBankAccounts(db)
  await seedSandboxRates(db)
  const merchants = createMerchantService({ db, secrets, ids: randomIds })
  const merchant = (await findDemoMerchant(merchants)) ?? (await makeDemoMerchant(deps, merchants))
  const folder = join(dataDirOf(config), 'demo')
  const kept = readCredentials(folder)
  const isKept = kept !== undefined && areRegistered(merchant, secrets, kept)
  if (!isKept && merchant.cell !== undefined)
    throw new ConfigError(
      `The merchant ${DEMO_MERCHANT_CODE} is in cell ${merchant.cell}: copy the folder demo/ of that cell’s data directory to ${folder}.`,
    )
  const credentials = isKept ? kept : await makeCredentials(merchants, folder)
  const demo: DemoMerchant = {
    merchantCode: DEMO_MERCHANT_CODE,
    ...credentials,
    apiUrl: config.publicApiUrl,
    checkoutUrl: config.publicCheckoutUrl,
    simulatorUrl: config.publicSimulatorUrl,
  }
  await prepareDemoOperators({ db, secrets, folder })
  writePrivately(join(folder, 'merchant.json'), `${JSON.stringify(demo, null, 2)}\n`)
  return demo
}

/** What is taken from it later stays taken: only a new merchant gets all methods, and is settled every day. */
async function makeDemoMerchant(
  deps: { readonly db: Database; readonly secrets: Secrets },
  merchants: MerchantService,
): Promise<Merchant> {
  const merchant = await merchants.create(DEMO_MERCHANT_CODE, 'Demo Shop')
  await createCatalogueSettings(deps).enableAllMethods(merchant.merchantId)
  await seedSandboxSettlements(deps, merchant.merchantId)
  return merchant
}

async function findDemoMerchant(merchants: MerchantService): Promise<Merchant | undefined> {
  try {
    return (await merchants.show(DEMO_MERCHANT_CODE)).merchant
  } catch (error) {
    if (error instanceof MerchantProblem && error.kind === 'NOT_FOUND') return undefined
    throw error
  }
}

type Credentials = Pick<DemoMerchant, 'secret' | 'privateKeyFile'>

function readCredentials(folder: string): Credentials | undefined {
  const file = join(folder, 'merchant.json')
  const privateKeyFile = join(folder, 'private-key.pem')
  if (!existsSync(file) || !existsSync(privateKeyFile)) return undefined
  const parsed = parse(readFileSync(file, 'utf8'))
  if (typeof parsed !== 'object' || parsed === null || !('secret' in parsed)) return undefined
  return typeof parsed.secret === 'string' ? { secret: parsed.secret, privateKeyFile } : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** False when the files are of another database, or an operator has removed a credential. */
function areRegistered(merchant: Merchant, secrets: Secrets, kept: Credentials): boolean {
  return (
    secretIdOf(secrets, merchant, kept.secret) !== undefined &&
    merchant.keys.some((key) => isPairOf(key.publicKey, kept))
  )
}

function isPairOf(publicKey: KeyObject, { privateKeyFile }: Credentials): boolean {
  try {
    return createPublicKey(readFileSync(privateKeyFile, 'utf8')).equals(publicKey)
  } catch {
    return false
  }
}

const DEMO_KEY_BITS = 2048

/** New credentials, in place of any the merchant had whose private half is not here. */
async function makeCredentials(merchants: MerchantService, folder: string): Promise<Credentials> {
  const { credentials } = await merchants.show(DEMO_MERCHANT_CODE)
  for (const credential of credentials) {
    if (credential.type === 'KEY') await merchants.removeKey(DEMO_MERCHANT_CODE, credential.id)
    else await merchants.removeSecret(DEMO_MERCHANT_CODE, credential.id)
  }
  const pair = generateKeyPairSync('rsa', {
    modulusLength: DEMO_KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  await merchants.addKey(DEMO_MERCHANT_CODE, pair.publicKey)
  const { secret } = await merchants.addSecret(DEMO_MERCHANT_CODE)
  mkdirSync(folder, { recursive: true })
  const privateKeyFile = join(folder, 'private-key.pem')
  writePrivately(privateKeyFile, pair.privateKey)
  return { secret, privateKeyFile }
}
