import { SIMULATOR_KEY_ID, SIMULATOR_RAIL_CODE, simulatorSecret } from '../keys/simulator-keys.ts'
import type { BankAccountDirectory } from '../modules/bank-accounts/index.ts'
import { createOutboundClient, type TargetPolicy } from '../platform/outbound/index.ts'
import { ownUrl } from '../programs/simulator.ts'
import { createBankTransferRail } from '../rails/bank-transfer/index.ts'
import { createEvmRail, EVM_CODE } from '../rails/evm/index.ts'
import { createOpenRail } from '../rails/open/index.ts'
import type { PayoutDesk, Rail } from '../rails/rail.ts'
import { createSandboxRail } from '../rails/sandbox/index.ts'
import { readChains } from './chain-settings.ts'
import { readOpenRails } from './open-rails.ts'
import type { Parts } from './parts.ts'

/** The rails of an installation, by their codes. */
interface Rails {
  readonly byCode: ReadonlyMap<string, Rail>
  /** Cuts what is under way to institutions. */
  close(): Promise<void>
}

/** What rails ask of rooms. */
interface RailDoors {
  readonly accounts: Pick<BankAccountDirectory, 'defaultOf'>
  readonly chainPayouts: PayoutDesk
}

type RailParts = Pick<Parts, 'config' | 'clock' | 'secrets'> & Partial<Pick<Parts, 'log'>>

/** Adapters are the operator's own and may well be in a private network; customers and merchants cannot name them. */
export const ADAPTER_POLICY: TargetPolicy = { httpsOnly: false, portsAllowed: 'any', allowPrivate: true }

/** The rails of this installation: one line each. Those of the sandbox exist in the sandbox only. Throws ConfigError. */
export function railsFor(parts: RailParts, { accounts, chainPayouts }: RailDoors): Rails {
  const { config, clock, log } = parts
  const outbound = createOutboundClient({ policy: ADAPTER_POLICY })
  const transfers = createBankTransferRail({ accountFor: accounts.defaultOf })
  const chainOfMethod = new Map(
    readChains(config).flatMap(({ methods, paid }) => methods.map((method) => [method, paid])),
  )
  const rails: Rail[] = [
    transfers,
    createEvmRail({ chainFor: (methodCode) => chainOfMethod.get(methodCode), payouts: chainPayouts }),
    ...(config.isLive ? [] : sandboxRails(parts, { transfers, outbound })),
    ...readOpenRails(config, [transfers.code, EVM_CODE, 'sandbox', SIMULATOR_RAIL_CODE]).map((settings) =>
      createOpenRail({ ...settings, outbound, clock, log }),
    ),
  ]
  return { byCode: new Map(rails.map((rail) => [rail.code, rail])), close: () => outbound.close() }
}

/** The sandbox's institution, and the rail that talks to the bank simulator. */
function sandboxRails(
  { config, clock, secrets, log }: RailParts,
  {
    transfers,
    outbound,
  }: { readonly transfers: Rail; readonly outbound: ReturnType<typeof createOutboundClient> },
): readonly Rail[] {
  const simulator = createOpenRail({
    code: SIMULATOR_RAIL_CODE,
    keyId: SIMULATOR_KEY_ID,
    secret: simulatorSecret(secrets),
    baseUrl: ownUrl(config.hosts.SIMULATOR, config.TOLLGATE_SIMULATOR_PORT),
    customerUrl: config.publicSimulatorUrl,
    directions: ['PAYIN', 'PAYOUT', 'TOPUP'],
    flows: ['REDIRECT'],
    outbound,
    clock,
    log,
  })
  return [createSandboxRail({ simulatorUrl: config.publicSimulatorUrl, transfers, simulator }), simulator]
}
