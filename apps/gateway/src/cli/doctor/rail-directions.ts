import type { Direction } from '../../modules/catalogue/index.ts'
import { railsFor } from '../../rooms/rails.ts'
import type { Installation } from '../installation.ts'
import type { Shell } from '../shell.ts'

/** Which directions each rail of the installation carries, by its code. */
export async function railDirections(
  installation: Pick<Installation, 'config' | 'secrets'>,
  shell: Shell,
): Promise<ReadonlyMap<string, readonly Direction[]>> {
  // Nothing is sent, and what a rail can do does not depend on its secret, which may not be at hand.
  const secrets = { ...installation.secrets, digest: () => Buffer.alloc(SECRET_BYTES) }
  const rails = railsFor({ ...installation, secrets, clock: shell.clock }, NO_DOORS)
  try {
    return new Map([...rails.byCode].map(([code, { capabilities }]) => [code, capabilities.directions]))
  } finally {
    await rails.close()
  }
}

const SECRET_BYTES = 32

const never = (): never => {
  throw new Error('a list of rails asks for no account, and sends nothing')
}

/** What a rail can do does not depend on the installation's accounts and payouts. */
const NO_DOORS = { accounts: { defaultOf: never }, chainPayouts: { take: never, tell: never } }
