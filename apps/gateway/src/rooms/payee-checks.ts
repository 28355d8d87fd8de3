import { dirname, resolve } from 'node:path'
import { deriveKeys } from '@tollgate/rail-protocol'
import { Type } from 'typebox'
import { type Config, ConfigError } from '../config.ts'
import { createPaymentService } from '../modules/payments/index.ts'
import { createPayeeChecks } from '../modules/payout-files/index.ts'
import { createOutboundClient, type OutboundClient } from '../platform/outbound/index.ts'
import { BANK_TRANSFER_CODE } from '../rails/bank-transfer/index.ts'
import { isPrivateToWire } from './open-rails.ts'
import type { Parts } from './parts.ts'
import { ADAPTER_POLICY } from './rails.ts'
import { readSettingsFile, readSharedSecret } from './settings-file.ts'

// Whom the gateway asks about payees: one JSON file, which TOLLGATE_PAYEE_CHECKS_FILE names.

const SETTING = 'TOLLGATE_PAYEE_CHECKS_FILE'

const PayeeChecksSchema = Type.Object(
  {
    keyId: Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' }),
    secretFile: Type.String({ minLength: 1 }),
    baseUrl: Type.String({ pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$' }),
  },
  { additionalProperties: false },
)

type Setting = Pick<Config, 'TOLLGATE_PAYEE_CHECKS_FILE' | 'isLive'>

interface PayeeCheckSettings {
  readonly keyId: string
  readonly secret: Buffer
  readonly baseUrl: string
}

/** The adapter of the file; undefined without the setting. Throws ConfigError, whose sentence names file and field. */
export function readPayeeChecks(config: Setting): PayeeCheckSettings | undefined {
  const file = config.TOLLGATE_PAYEE_CHECKS_FILE
  if (file === undefined) return undefined
  const { keyId, secretFile, baseUrl } = parse(file)
  // Names and account numbers travel there.
  if (!URL.canParse(baseUrl) || (config.isLive && !isPrivateToWire(new URL(baseUrl))))
    throw new ConfigError(
      `${SETTING}: baseUrl must be an ${config.isLive ? 'https' : 'http or https'} address${config.isLive ? ' in live' : ''}.`,
    )
  const secret = readSharedSecret(resolve(dirname(file), secretFile), `${SETTING}: secretFile`)
  return { keyId, baseUrl, secret }
}

/** The file with the secret that is shared with the adapter. Throws ConfigError. */
export const payeeCheckSecretFiles = ({
  TOLLGATE_PAYEE_CHECKS_FILE: file,
}: Pick<Setting, 'TOLLGATE_PAYEE_CHECKS_FILE'>): readonly string[] =>
  file === undefined ? [] : [resolve(dirname(file), parse(file).secretFile)]

const parse = (file: string) =>
  readSettingsFile({ setting: SETTING, file, schema: PayeeChecksSchema, entry: 'payee checks' })

/** What asks about payees while the workers run. */
interface PayeeCheckWorker {
  start(): void
  stop(): Promise<void>
}

/** Puts together what asks about payees; undefined where nobody is to be asked. */
export function buildPayeeChecks(parts: Parts): PayeeCheckWorker | undefined {
  const { config, clock, workerDb: db } = parts
  const settings = readPayeeChecks(config)
  if (settings === undefined) return undefined
  const { keyId, secret, baseUrl } = settings
  const outbound: OutboundClient = createOutboundClient({ policy: ADAPTER_POLICY })
  const checks = createPayeeChecks({
    ...parts,
    db,
    rail: BANK_TRANSFER_CODE,
    checker: { keyId, keys: deriveKeys(secret), baseUrl, outbound, clock },
    payments: createPaymentService({
      ...parts,
      db,
      batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
      batchesInFlightMax: 1,
    }),
  })
  return {
    start: () => checks.start(),
    async stop() {
      await checks.stop()
      await outbound.close()
    },
  }
}
