import { dirname, resolve } from 'node:path'
import { HDKey } from '@scure/bip32'
import { ConfigError } from '@tollgate/runtime/settings'
import { Type } from 'typebox'
import { Compile } from 'typebox/schema'
import {
  Amount,
  addressIn,
  File,
  GAS_LIMIT_MAX,
  GWEI_DECIMALS,
  parseSettings,
  privateTextOf,
  requireOnce,
  tokenIn,
  unitsOf,
} from './settings.ts'

const settingsSchema = Compile(
  Type.Object(
    {
      keyFile: File,
      chains: Type.Array(
        Type.Object(
          {
            chainId: Type.Integer({ minimum: 1, maximum: 4_503_599_627_370_476 }),
            treasury: Type.String(),
            maxFeePerGasGwei: Amount,
            gasLimitMax: Type.Optional(Type.Integer({ minimum: 21_000, maximum: 30_000_000 })),
            tokens: Type.Array(Type.String(), { minItems: 1, maxItems: 50 }),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: 20 },
      ),
    },
    { additionalProperties: false },
  ),
)

/** What may be signed on a chain. Addresses in lower case. */
export interface SweepRules {
  readonly chainId: string
  /** The only address that coins go to. */
  readonly treasury: string
  /** In wei. */
  readonly maxFeePerGas: bigint
  readonly gasLimitMax: bigint
  readonly tokens: ReadonlySet<string>
}

/** The private key of the account that the addresses of payments are below, and what may be signed with it. */
export interface SweepSettings {
  readonly account: HDKey
  readonly chains: readonly SweepRules[]
}

/** Reads the file, and that of the key. Throws ConfigError, whose sentence names the field and never what is in it. */
export function readSweepSettings(file: string): SweepSettings {
  const given = parseSettings(file, settingsSchema)
  requireOnce(
    given.chains.map(({ chainId }) => String(chainId)),
    (id) => `the chain ${id} is there twice.`,
  )
  return {
    account: readAccount(resolve(dirname(file), given.keyFile)),
    chains: given.chains.map((chain, index) => {
      const place = `chains[${index}]`
      return {
        chainId: String(chain.chainId),
        treasury: addressIn(chain.treasury, `${place}.treasury`),
        maxFeePerGas: unitsOf(chain.maxFeePerGasGwei, GWEI_DECIMALS, `${place}.maxFeePerGasGwei`),
        gasLimitMax: BigInt(chain.gasLimitMax ?? GAS_LIMIT_MAX),
        tokens: new Set(chain.tokens.map((token, at) => tokenIn(token, `${place}.tokens[${at}]`))),
      }
    }),
  }
}

function readAccount(file: string): HDKey {
  const text = privateTextOf(file, 'keyFile')
  try {
    const account = HDKey.fromExtendedKey(text)
    if (account.privateKey !== null) return account
  } catch {
    // Said below, without what is in the file.
  }
  throw new ConfigError('keyFile must hold the extended private key of the account: it begins with xprv.')
}
