import { createKeyring, createTokenAdministration } from '../../modules/tokens/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { randomIds } from '../../platform/ids.ts'
import { inHouse } from '../house.ts'
import { requireRightKey } from '../right-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, table } from '../text.ts'

/** `tollgate keys list`. */
export function list(shell: Shell): Promise<Report> {
  return inHouse(shell, async (house) => {
    const keys = await createTokenAdministration(house).listKeys()
    return {
      json: keys.map(({ kid, status, createdAt, replacedAt }) => ({
        kid,
        status,
        createdAt,
        replacedAt: replacedAt ?? null,
      })),
      text: table(
        ['KEY', 'STATUS', 'SINCE', 'REPLACED'],
        keys.map(({ kid, status, createdAt, replacedAt }) => [
          kid,
          status,
          moment(createdAt),
          replacedAt === undefined ? '' : moment(replacedAt),
        ]),
        'There is no signing key yet: the first start of the gateway makes one.',
      ),
    }
  })
}

/** `tollgate keys rotate`. */
export function rotate(shell: Shell): Promise<Report> {
  return inHouse(shell, async (house) => {
    await requireRightKey(house)
    const { clock } = shell
    const changes = watchConfiguration({ ...house, clock })
    const kid = await createKeyring({ ...house, clock, ids: randomIds, changes }).rotate()
    return {
      json: { kid },
      text: kid,
      notes: ['New tokens are signed by this key. Those of the key before stay valid until they expire.'],
    }
  })
}
