import { OPERATOR_ROLES, type OperatorRole } from '@tollgate/contract/words'
import {
  createOperatorService,
  listUnmaskings,
  type OperatorAccount,
  type OperatorKey,
  type OperatorService,
  permissionsOf,
} from '../../modules/operators/index.ts'
import { randomIds } from '../../platform/ids.ts'
import { type House, inHouse, requireKeys } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'
import { oneOf } from '../values.ts'

const SHOWN_ONCE =
  'It is not shown again: only its hash is stored. Keep it in a file that nobody else may read.'

function inOperators(
  shell: Shell,
  work: (operators: OperatorService, house: House) => Promise<Report>,
): Promise<Report> {
  return inHouse(shell, (house) => work(createOperatorService({ ...house, ids: randomIds }), house))
}

const rolesFrom = (texts: readonly string[]): readonly OperatorRole[] =>
  texts.map(oneOf('A role', OPERATOR_ROLES))

/** `tollgate operators create`. The key is data: it alone goes to standard output. */
export function create(
  shell: Shell,
  wanted: { readonly code: string; readonly name: string; readonly roles: readonly string[] },
): Promise<Report> {
  const roles = rolesFrom(wanted.roles)
  return inOperators(shell, async (operators, house) => {
    requireKeys(house)
    const { operator, key } = await operators.create({ ...wanted, roles })
    return {
      json: { ...present(operator), keyId: key.keyId, key: key.key },
      text: key.key,
      notes: [`This is ${key.keyId} of ${operator.code} (${operator.roles.join(', ')}). ${SHOWN_ONCE}`],
    }
  })
}

/** `tollgate operators list`. */
export function list(shell: Shell): Promise<Report> {
  return inOperators(shell, async (operators) => {
    const found = await operators.list()
    return {
      json: found.map((operator) => ({ ...present(operator), keys: operator.keys })),
      text: table(
        ['CODE', 'NAME', 'STATUS', 'ROLES', 'KEYS'],
        found.map(({ code, name, status, roles, keys }) => [
          code,
          name,
          status,
          roles.join(' '),
          String(keys),
        ]),
        'There is no operator yet. `tollgate operators create <code> --role <role>` makes one.',
      ),
    }
  })
}

/** `tollgate operators show`. */
export function show(shell: Shell, code: string): Promise<Report> {
  return inOperators(shell, async (operators) => {
    const { operator, keys } = await operators.show(code)
    const permissions = permissionsOf(operator)
    return {
      json: { ...present(operator), permissions, keys: keys.map(presentKey) },
      text: [describe(operator), keyTable(operator.code, keys)].join('\n\n'),
    }
  })
}

/** `disable` and `enable`. */
export function setStatus(shell: Shell, code: string, status: OperatorAccount['status']): Promise<Report> {
  return inOperators(shell, async (operators) => changed(await operators.setStatus(code, status)))
}

/** `tollgate operators set-roles`. */
export function setRoles(shell: Shell, code: string, texts: readonly string[]): Promise<Report> {
  const roles = rolesFrom(texts)
  return inOperators(shell, async (operators) => changed(await operators.setRoles(code, roles)))
}

const changed = (operator: OperatorAccount): Report => ({
  json: present(operator),
  text: describe(operator),
})

/** `tollgate operators add-key`. The key is data: it alone goes to standard output. */
export function addKey(shell: Shell, code: string, days: number | undefined): Promise<Report> {
  return inOperators(shell, async (operators, house) => {
    requireKeys(house)
    const { key, ...stored } = await operators.addKey(code, days)
    return {
      json: { ...presentKey(stored), key },
      text: key,
      notes: [`This is ${stored.keyId} of ${code}. ${SHOWN_ONCE}`],
    }
  })
}

/** `tollgate operators remove-key`. */
export function removeKey(shell: Shell, code: string, keyId: string): Promise<Report> {
  return inOperators(shell, async (operators) => {
    await operators.removeKey(code, keyId)
    return { json: { keyId, removed: true }, text: `Removed ${keyId}.` }
  })
}

/** `tollgate operators whoami`. */
export function whoami(shell: Shell, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'self.read',
    work: (_house, operator) => {
      const { code, name, roles } = operator
      const permissions = permissionsOf(operator)
      return Promise.resolve({
        json: { operatorCode: code, name, roles, permissions },
        text: pairs([
          ['Operator', code],
          ['Name', name],
          ['Roles', roles.join(' ')],
          ['Permissions', permissions.join(' ')],
        ]),
      })
    },
  })
}

/** What leaves the room: no hashes, no inner id. */
function present({ code, name, status, roles, createdAt }: OperatorAccount): Record<string, unknown> {
  return { operatorCode: code, name, status, roles, createdAt }
}

function presentKey({ keyId, createdAt, expiresAt }: OperatorKey): Record<string, unknown> {
  return { keyId, createdAt, expiresAt: expiresAt ?? null }
}

function describe(operator: OperatorAccount): string {
  return pairs([
    ['Operator', operator.code],
    ['Name', operator.name],
    ['Status', operator.status],
    ['Roles', operator.roles.join(' ')],
    ['Permissions', permissionsOf(operator).join(' ')],
    ['Since', moment(operator.createdAt)],
  ])
}

function keyTable(code: string, keys: readonly OperatorKey[]): string {
  return table(
    ['KEY', 'SINCE', 'UNTIL'],
    keys.map(({ keyId, createdAt, expiresAt }) => [
      keyId,
      moment(createdAt),
      expiresAt === undefined ? 'it is removed' : moment(expiresAt),
    ]),
    `No key: \`tollgate operators add-key ${code}\` makes one.`,
  )
}

/** `tollgate operators unmaskings`. */
export function listUnmasked(shell: Shell, limit: number, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'unmaskings.read',
    work: async ({ db }) => {
      const found = await listUnmaskings(db, { before: undefined, limit })
      return {
        json: found,
        text: table(
          ['TIME', 'OPERATOR', 'READ', 'WHICH'],
          found.map(({ seenAt, operatorCode, subject, merchantCode, kind, idPayment, lineId }) => [
            moment(seenAt),
            operatorCode,
            subject,
            lineId ?? `${kind ?? ''} ${idPayment ?? ''} of ${merchantCode ?? ''}`,
          ]),
          'No unmaskings.',
        ),
      }
    },
  })
}
