import type { Direction } from '../../modules/catalogue/index.ts'
import type { Rail } from '../../rails/rail.ts'
import { railsFor } from '../../rooms/rails.ts'
import { type House, inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { table } from '../text.ts'

/** `tollgate rails list`. */
export function list(shell: Shell): Promise<Report> {
  return inHouse(shell, async (house) => {
    const rails = railsFor({ ...house, clock: shell.clock }, NO_ACCOUNTS)
    try {
      const all = [...rails.byCode.values()]
      return { json: all.map(present), text: railTable(all) }
    } finally {
      await rails.close()
    }
  })
}

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
  current(): never {
    throw new Error('a list of rails asks for no account')
  },
}

const notifies = (rail: Rail): boolean => rail.readNotification !== undefined

function present(rail: Rail): Record<string, unknown> {
  const { directions, flows, cancels, handsOverByFile } = rail.capabilities
  return {
    code: rail.code,
    directions,
    flows,
    cancels,
    notifies: notifies(rail),
    handsOverByFile: handsOverByFile === true,
  }
}

function railTable(rails: readonly Rail[]): string {
  return table(
    ['RAIL', 'DIRECTIONS', 'FLOWS', 'CANCELS', 'NOTIFIES', 'PAYS OUT BY'],
    rails.map((rail) => {
      const { directions, flows, cancels, handsOverByFile } = rail.capabilities
      const paysOut = directions.includes('PAYOUT')
      return [
        rail.code,
        directions.join(' '),
        flows.join(' '),
        cancels ? 'yes' : 'no',
        notifies(rail) ? 'yes' : 'no',
        paysOut ? (handsOverByFile === true ? 'file' : 'request') : '',
      ]
    }),
    'There is no rail.',
  )
}
