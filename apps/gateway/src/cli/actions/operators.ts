import { OPERATOR_ROLES, type OperatorRole } from '@tollgate/contract/words'
import {
  createOperatorService,
  invitationLink,
  invite,
  type OperatorAccount,
} from '../../modules/operators/index.ts'
import { CommandFailure } from '../failure.ts'
import { requireKeys, withInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'
import { oneOf } from '../values.ts'

const SHOWN_ONCE =
  'It is not shown again: only its hash is stored. Keep it in a file that only its owner can read.'

const rolesFrom = (texts: readonly string[]): readonly OperatorRole[] =>
  texts.map(oneOf('A role', OPERATOR_ROLES))

/** `tollgate operators create`. The key is data: it alone goes to standard output. */
export function create(
  shell: Shell,
  wanted: { readonly code: string; readonly name: string; readonly roles: readonly string[] },
): Promise<Report> {
  const roles = rolesFrom(wanted.roles)
  return withInstallation(shell, async (installation) => {
    requireKeys(installation)
    const { operator, key } = await createOperatorService(installation).create({ ...wanted, roles })
    return {
      json: { ...present(operator), keyId: key.keyId, key: key.key },
      text: key.key,
      notes: [`This is ${key.keyId} of ${operator.code} (${operator.roles.join(', ')}). ${SHOWN_ONCE}`],
    }
  })
}

/** `tollgate operators invite --local`: for who has no credential yet, nor anybody else. What the API would answer. */
export async function inviteLocally(shell: Shell, code: string): Promise<unknown> {
  const { publicConsoleUrl } = await shell.config()
  if (publicConsoleUrl === undefined)
    throw new CommandFailure(
      'USAGE',
      'There are no passkeys in live without TOLLGATE_PUBLIC_CONSOLE_URL: set it.',
    )
  return withInstallation(shell, async (installation) => {
    requireKeys(installation)
    const invitation = await invite(installation, { code })
    return {
      ...invitation,
      link: invitationLink(publicConsoleUrl, invitation.secret),
      expireAt: invitation.expireAt.toISOString(),
    }
  })
}

/** `tollgate operators disable --local`: while no gateway runs, or nobody has a key that works. What the API would answer. */
export function disableLocally(shell: Shell, code: string): Promise<unknown> {
  return withInstallation(shell, async (installation) =>
    present(await createOperatorService(installation).setStatus(code, 'DISABLED')),
  )
}

/** What leaves the room: no hashes, no inner id. */
function present({ code, name, status, roles, createdAt }: OperatorAccount): Record<string, unknown> {
  return { operatorCode: code, name, status, roles, createdAt: createdAt.toISOString() }
}
