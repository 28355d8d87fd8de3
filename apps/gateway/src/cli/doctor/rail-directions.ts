import type { Direction } from '../../modules/catalogue/index.ts'
import { railsFor } from '../../rooms/rails.ts'
import type { House } from '../house.ts'
import type { Shell } from '../shell.ts'

/** Which directions each rail of the installation carries, by its code. */
export async function railDirections(
  house: Pick<House, 'config' | 'secrets'>,
  shell: Shell,
): Promise<ReadonlyMap<string, readonly Direction[]>> {
  // Nothing is sent, and what a rail can do does not depend on its secret, which may not be at hand.
  const secrets = { ...house.secrets, digest: () => Buffer.alloc(SECRET_BYTES) }
  const rails = railsFor({ ...house, secrets, clock: shell.clock }, NO_ACCOUNTS)
  try {
    return new Map([...rails.byCode].map(([code, { capabilities }]) => [code, capabilities.directions]))
  } finally {
    await rails.close()
  }
}

const SECRET_BYTES = 32

/** What a rail can do does not depend on the house's accounts. */
const NO_ACCOUNTS = {
  defaultOf(): never {
    throw new Error('a list of rails asks for no account')
  },
}
