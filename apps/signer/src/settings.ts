import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fractionDigits, parsePlainAmount, toMinorUnits } from '@tollgate/money'
import { EVM_COIN, isEvmAddress } from '@tollgate/payment-codes'
import { decodeSecret, SECRET_BYTES_MIN } from '@tollgate/rail-protocol'
import { ConfigError } from '@tollgate/runtime/settings'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import type { ChainRules, TokenLimit } from './rules.ts'

export const Amount = Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$' })
export const File = Type.String({ minLength: 1, maxLength: 1000 })
const TokenSchema = Type.Object(
  {
    token: Type.String(),
    decimals: Type.Integer({ minimum: 0, maximum: 18 }),
    perTransaction: Amount,
    perDay: Amount,
  },
  { additionalProperties: false },
)
const ChainSchema = Type.Object(
  {
    chainId: Type.Integer({ minimum: 1, maximum: 4_503_599_627_370_476 }),
    maxFeePerGasGwei: Amount,
    gasLimitMax: Type.Optional(Type.Integer({ minimum: 21_000, maximum: 30_000_000 })),
    tokens: Type.Array(TokenSchema, { minItems: 1, maxItems: 50 }),
    payees: Type.Optional(Type.Array(Type.String(), { maxItems: 10_000 })),
  },
  { additionalProperties: false },
)
const SettingsSchema = Type.Object(
  {
    socket: File,
    keyFile: File,
    secretFile: File,
    recordFile: File,
    chains: Type.Array(ChainSchema, { minItems: 1, maxItems: 20 }),
  },
  { additionalProperties: false },
)
const settingsSchema = Compile(SettingsSchema)

/** What the signer runs with. */
interface SignerSettings {
  /** Where it listens: a Unix socket. */
  readonly socket: string
  readonly recordFile: string
  /** `0x` and 64 digits. */
  readonly privateKey: string
  readonly secret: Buffer
  readonly chains: readonly ChainRules[]
}

/** What kernels take. */
const SOCKET_BYTES_MAX = 103
export const GAS_LIMIT_MAX = 200_000
export const GWEI_DECIMALS = 9
/** Read or written by others than the owner. */
const OTHERS_BITS = 0o077

/** Reads the file, and the files it names: paths are relative to it. Throws ConfigError, whose sentence names the field and never what is in it. */
export function readSignerSettings(file: string): SignerSettings {
  const given = parseSettings(file, settingsSchema)
  const at = (path: string): string => resolve(dirname(file), path)
  requireOnce(
    given.chains.map(({ chainId }) => String(chainId)),
    (id) => `the chain ${id} is there twice.`,
  )
  const socket = at(given.socket)
  if (Buffer.byteLength(socket) > SOCKET_BYTES_MAX)
    throw new ConfigError(
      `socket: ${socket} is longer than the ${SOCKET_BYTES_MAX} bytes that a Unix socket may have.`,
    )
  return {
    socket,
    recordFile: at(given.recordFile),
    privateKey: readKey(at(given.keyFile)),
    secret: readSecret(at(given.secretFile)),
    chains: given.chains.map((chain, index) => toRules(chain, `chains[${index}]`)),
  }
}

/** A file of settings by its schema. Throws ConfigError, whose sentence names file and field. */
export function parseSettings<Settings>(
  file: string,
  schema: {
    Check(value: unknown): value is Settings
    Errors(value: unknown): readonly [isRight: boolean, errors: readonly SchemaError[]]
  },
): Settings {
  if (!existsSync(file)) throw new ConfigError(`There is no file ${file}.`)
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError(
      `${file} is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    )
  }
  if (schema.Check(given)) return given
  const [, [first]] = schema.Errors(given)
  throw new ConfigError(`${file}: ${sentence(first)}.`)
}

interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly message: string
}

/** `/chains/0/tokens` is `chains[0].tokens`. */
function sentence(error: SchemaError | undefined): string {
  if (error === undefined) return 'it is not valid'
  const { instancePath, keyword, message } = error
  const place = instancePath
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '')
  return `${place === '' ? 'it' : place} ${keyword === 'boolean' ? 'is not a setting' : message}`
}

function toRules(chain: Static<typeof ChainSchema>, place: string): ChainRules {
  const tokens = chain.tokens.map((token, index) => toLimit(token, `${place}.tokens[${index}]`))
  requireOnce(
    tokens.map(({ token }) => token),
    (token) => `${place}.tokens has ${token} twice.`,
  )
  return {
    chainId: String(chain.chainId),
    maxFeePerGas: unitsOf(chain.maxFeePerGasGwei, GWEI_DECIMALS, `${place}.maxFeePerGasGwei`),
    gasLimitMax: BigInt(chain.gasLimitMax ?? GAS_LIMIT_MAX),
    tokens,
    payees:
      chain.payees &&
      new Set(chain.payees.map((payee, index) => addressIn(payee, `${place}.payees[${index}]`))),
  }
}

function toLimit({ token, decimals, ...amounts }: Static<typeof TokenSchema>, place: string): TokenLimit {
  const perTransaction = unitsOf(amounts.perTransaction, decimals, `${place}.perTransaction`)
  const perDay = unitsOf(amounts.perDay, decimals, `${place}.perDay`)
  if (perDay < perTransaction) throw new ConfigError(`${place}.perDay is less than perTransaction.`)
  return { token: tokenIn(token, `${place}.token`), decimals, perTransaction, perDay }
}

/** In the smallest units. Throws ConfigError. */
export function unitsOf(text: string, decimals: number, place: string): bigint {
  const amount = parsePlainAmount(text)
  if (fractionDigits(amount) > decimals) throw new ConfigError(`${place} has more than ${decimals} decimals.`)
  return toMinorUnits(amount, decimals)
}

/** In lower case. Throws ConfigError. */
export function addressIn(text: string, place: string): string {
  if (isEvmAddress(text)) return text.toLowerCase()
  throw new ConfigError(
    `${place} must be 0x and 40 hexadecimal digits, and where it has capitals, the right ones (EIP-55). Copy it anew.`,
  )
}

/** The contract of a token in lower case, or the chain's own coin. Throws ConfigError. */
export const tokenIn = (text: string, place: string): string =>
  text === EVM_COIN ? EVM_COIN : addressIn(text, place)

function readKey(file: string): string {
  const text = privateTextOf(file, 'keyFile')
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new ConfigError(
    'keyFile must hold a private key: 0x and 64 hexadecimal digits, as `tollgate signer new-key` makes.',
  )
}

function readSecret(file: string): Buffer {
  const text = privateTextOf(file, 'secretFile')
  const secret = decodeSecret(text)
  if (secret !== undefined) return secret
  throw new ConfigError(
    `secretFile must hold at least ${SECRET_BYTES_MIN} bytes in base64, as \`openssl rand -base64 ${SECRET_BYTES_MIN}\` makes.`,
  )
}

/** What is in a file that only its owner may read. Throws ConfigError. */
export function privateTextOf(file: string, setting: string): string {
  if (!existsSync(file)) throw new ConfigError(`${setting} names ${file}, which does not exist.`)
  if ((statSync(file).mode & OTHERS_BITS) !== 0)
    throw new ConfigError(`${setting} names ${file}, which others may read: chmod 600 it.`)
  return readFileSync(file, 'utf8').trim()
}

/** Throws ConfigError for what is there twice. */
export function requireOnce(texts: readonly string[], sentenceOf: (text: string) => string): void {
  const twice = texts.find((text, index) => texts.indexOf(text) !== index)
  if (twice !== undefined) throw new ConfigError(sentenceOf(twice))
}
