import type { Config } from '../config.ts'
import type { Rail } from '../rails/rail.ts'
import { createSandboxRail } from '../rails/sandbox/index.ts'

/** The rails of this installation: one line each. The sandbox's exists in the sandbox only. */
export function railsFor(config: Config): ReadonlyMap<string, Rail> {
  const rails: Rail[] = config.isLive ? [] : [createSandboxRail({ simulatorUrl: config.publicSimulatorUrl })]
  return new Map(rails.map((rail) => [rail.code, rail]))
}
