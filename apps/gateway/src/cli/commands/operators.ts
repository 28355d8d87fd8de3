import type {
  OperatorAccountDetailSchema,
  OperatorAccountListSchema,
  OperatorAccountSchema,
  OperatorIdentityRemovedSchema,
  OperatorIdentitySchema,
  OperatorInvitedSchema,
  OperatorKeyAddedSchema,
  OperatorKeyRemovedSchema,
  OperatorKeySecondedSchema,
  OperatorPasskeyListSchema,
  OperatorPasskeyRemovedSchema,
  OperatorPasskeySchema,
  OperatorSelfSchema,
  OperatorSessionEndedSchema,
  OperatorSessionListSchema,
  Printed,
  UnmaskingListSchema,
} from '@tollgate/contract'
import { OPERATOR_ROLES } from '@tollgate/contract/words'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { get, type OperatorCall, type OperatorOptions, pathOf, post, put } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { gather, oneOf, wholeNumber } from '../values.ts'
import { LIMIT } from './options.ts'

const KEY_DAYS_MAX = 3650

const work = () => import('../actions/operators.ts')

type Account = Printed<typeof OperatorAccountSchema>

const list = clientCommand({
  command: 'list',
  says: 'list all operators with their roles',
  permission: 'operators.read',
  asks: () => get('/operator/operators'),
  shows: ({ data }: Printed<typeof OperatorAccountListSchema>, pen) =>
    pen.table(
      ['CODE', 'NAME', 'STATUS', 'ROLES', 'KEYS'],
      data.map(({ operatorCode, name, status, roles, keys }) => [
        operatorCode,
        name,
        status,
        roles.join(' '),
        String(keys),
      ]),
      'No operators. `tollgate operators create <code> --role <role>` creates one.',
    ),
})

const show = clientCommand({
  command: 'show <code>',
  says: 'show an operator with roles, permissions, keys and linked accounts',
  permission: 'operators.read',
  asks: (typed) => get(pathOf`/operator/operators/${typed.code}`),
  shows: (operator: Printed<typeof OperatorAccountDetailSchema>, pen) => {
    const keys = pen.table(
      ['KEY', 'SINCE', 'UNTIL', 'MADE BY'],
      operator.keys.map(({ keyId, createdAt, expiresAt, madeBy, secondedBy }) => [
        keyId,
        pen.momentOf(createdAt),
        pen.momentOf(expiresAt) ?? 'it is removed',
        madeBy === undefined ? 'command line' : `${madeBy}, ${secondedBy ?? 'second half missing'}`,
      ]),
      `No keys. \`tollgate operators add-key ${operator.operatorCode}\` creates one.`,
    )
    const identities = pen.table(
      ['LINKED ACCOUNT', 'SUBJECT', 'ISSUER', 'LAST USED', 'STATUS'],
      operator.identities.map(({ identityId, subject, issuer, lastUsedAt, isHalf }) => [
        identityId,
        subject,
        issuer,
        pen.momentOf(lastUsedAt) ?? 'never',
        isHalf ? 'waits for confirmation' : 'active',
      ]),
      '',
    )
    const described = describeOperator(operator, pen, operator.permissions)
    return [described, keys, ...(operator.identities.length === 0 ? [] : [identities])].join('\n\n')
  },
})

interface LocalOptions extends OperatorOptions {
  readonly local?: true
}

const disable = clientCommand({
  command: 'disable <code>',
  says: 'disable all keys, sessions and passkeys of another operator',
  options: [
    {
      flags: '--local',
      says: 'directly in the database, without an operator: if no gateway is running or no key works',
    },
  ],
  permission: 'operators.change',
  instead: (typed, { local }: LocalOptions, shell) =>
    local === true ? work().then(({ disableLocally }) => disableLocally(shell, typed.code)) : undefined,
  asks: (typed) => post(pathOf`/operator/operators/${typed.code}/!disable`),
  shows: (operator: Account, pen) => describeOperator(operator, pen),
})

const enable = clientCommand({
  command: 'enable <code>',
  says: 'undo disable',
  permission: 'operators.change',
  asks: (typed) => post(pathOf`/operator/operators/${typed.code}/!enable`),
  shows: (operator: Account, pen) => describeOperator(operator, pen),
})

const setRoles = clientCommand({
  command: 'set-roles <code> <role...>',
  says: 'set exactly these roles',
  permission: 'operators.change',
  asks: (typed) =>
    put(pathOf`/operator/operators/${typed.code}/roles`, {
      roles: typed['role...'].map(oneOf('A role', OPERATOR_ROLES)),
    }),
  shows: (operator: Account, pen) => describeOperator(operator, pen),
})

function describeOperator(operator: Account, pen: Pen, permissions?: readonly string[]): string {
  return pen.pairs([
    ['Operator', operator.operatorCode],
    ['Name', operator.name],
    ['Status', operator.status],
    ['Roles', operator.roles.join(' ')],
    ['Permissions', permissions?.join(' ')],
    ['Since', pen.momentOf(operator.createdAt)],
  ])
}

const addKey = clientCommand({
  command: 'add-key <code>',
  says: 'create another key, of at most two; it is shown once',
  options: [
    {
      flags: '--days <count>',
      says: 'days until it expires',
      read: wholeNumber('--days', 1, KEY_DAYS_MAX),
    },
  ],
  permission: 'operators.change',
  asks: (typed, { days }: OperatorOptions & { days?: number }): OperatorCall =>
    post(pathOf`/operator/operators/${typed.code}/keys`, { days }),
  // The key is data: it alone goes to standard output.
  shows: ({ key, keyId }: Printed<typeof OperatorKeyAddedSchema>, _pen, { code }) => ({
    text: key,
    notes: [
      `This is ${keyId} of ${code}. It is not shown again: only its hash is stored. Keep it in a file that only you can read.`,
      `For FINANCE, APPROVER and ADMIN it needs a second half from another ADMIN: \`tollgate operators second-key ${code} ${keyId}\`.`,
    ],
  }),
})

const secondKey = clientCommand({
  command: 'second-key <code> <keyId>',
  says: 'add the second half of a key that another ADMIN created; it is shown once',
  permission: 'operators.change',
  asks: (typed) => post(pathOf`/operator/operators/${typed.code}/keys/${typed.keyId}/!second`),
  shows: ({ secondHalf, keyId }: Printed<typeof OperatorKeySecondedSchema>, _pen, { code }) => ({
    text: secondHalf,
    notes: [
      `This is the second half of ${keyId} of ${code}. It is not shown again. ${code} writes a dot and this behind the key.`,
    ],
  }),
})

const removeKey = clientCommand({
  command: 'remove-key <code> <keyId>',
  says: 'revoke a key',
  permission: 'operators.change',
  asks: (typed) => ({
    method: 'DELETE',
    path: pathOf`/operator/operators/${typed.code}/keys/${typed.keyId}`,
  }),
  shows: ({ keyId }: Printed<typeof OperatorKeyRemovedSchema>) => `Removed ${keyId}.`,
})

const invite = clientCommand({
  command: 'invite <code>',
  says: 'let an operator register a passkey; the link is shown once',
  options: [
    { flags: '--local', says: 'with database and master key, without an operator: for the first passkey' },
  ],
  permission: 'operators.change',
  instead: (typed, { local }: LocalOptions, shell) =>
    local === true ? work().then(({ inviteLocally }) => inviteLocally(shell, typed.code)) : undefined,
  asks: (typed) => post('/operator/invitations', { operatorCode: typed.code }),
  // The link is data: it alone goes to standard output.
  shows: ({ link, expireAt }: Printed<typeof OperatorInvitedSchema>, pen, { code }, { local }) => ({
    text: link,
    notes: [
      `For ${code}, for one passkey, until ${pen.momentOf(expireAt)}. It is not shown again.`,
      ...(local === true
        ? []
        : [
            `For FINANCE, APPROVER and ADMIN another ADMIN confirms the passkey: \`tollgate operators confirm-passkey <passkeyId> <fingerprint>\`.`,
          ]),
    ],
  }),
})

const passkeys = clientCommand({
  command: 'passkeys <code>',
  says: 'list the passkeys of an operator',
  permission: 'operators.read',
  asks: (typed) => ({ method: 'GET', path: '/operator/passkeys', query: { operatorCode: typed.code } }),
  shows: ({ data }: Printed<typeof OperatorPasskeyListSchema>, pen, { code }) =>
    pen.table(
      ['PASSKEY', 'NAME', 'SINCE', 'LAST USED', 'STATUS'],
      data.map((each) => [
        each.passkeyId,
        each.name,
        pen.momentOf(each.createdAt),
        pen.momentOf(each.lastUsedAt) ?? 'never',
        each.isHalf ? 'waits for confirmation' : 'active',
      ]),
      `No passkeys. \`tollgate operators invite ${code}\` invites to register one.`,
    ),
})

const confirmPasskey = clientCommand({
  command: 'confirm-passkey <passkeyId> <fingerprint>',
  says: 'confirm a passkey, with the fingerprint that the operator was shown',
  permission: 'operators.change',
  asks: (typed) =>
    post(pathOf`/operator/passkeys/${typed.passkeyId}/!confirm`, { fingerprint: typed.fingerprint }),
  shows: ({ passkeyId }: Printed<typeof OperatorPasskeySchema>) => `Confirmed ${passkeyId}.`,
})

const removePasskey = clientCommand({
  command: 'remove-passkey <passkeyId>',
  says: 'remove a passkey and end its sessions',
  permission: 'operators.change',
  asks: (typed) => ({ method: 'DELETE', path: pathOf`/operator/passkeys/${typed.passkeyId}` }),
  shows: ({ passkeyId }: Printed<typeof OperatorPasskeyRemovedSchema>) => `Removed ${passkeyId}.`,
})

const confirmIdentity = clientCommand({
  command: 'confirm-identity <identityId> <fingerprint>',
  says: 'confirm a linked account, with the fingerprint that the operator was shown',
  permission: 'operators.change',
  asks: (typed) =>
    post(pathOf`/operator/identities/${typed.identityId}/!confirm`, { fingerprint: typed.fingerprint }),
  shows: ({ identityId }: Printed<typeof OperatorIdentitySchema>) => `Confirmed ${identityId}.`,
})

const removeIdentity = clientCommand({
  command: 'remove-identity <identityId>',
  says: 'remove a linked account and end its sessions',
  permission: 'operators.change',
  asks: (typed) => ({ method: 'DELETE', path: pathOf`/operator/identities/${typed.identityId}` }),
  shows: ({ identityId }: Printed<typeof OperatorIdentityRemovedSchema>) => `Removed ${identityId}.`,
})

const sessions = clientCommand({
  command: 'sessions <code>',
  says: 'list the sessions of an operator',
  permission: 'operators.read',
  asks: (typed) => ({ method: 'GET', path: '/operator/sessions', query: { operatorCode: typed.code } }),
  shows: ({ data }: Printed<typeof OperatorSessionListSchema>, pen) =>
    pen.table(
      ['SESSION', 'BY', 'SINCE', 'LAST USED', 'UNTIL'],
      data.map(({ id, keyId, passkeyId, identityId, createdAt, lastUsedAt, expireAt }) => [
        id,
        passkeyId ?? identityId ?? keyId ?? '',
        pen.momentOf(createdAt),
        pen.momentOf(lastUsedAt),
        pen.momentOf(expireAt),
      ]),
      'No sessions.',
    ),
})

const endSession = clientCommand({
  command: 'end-session <sessionId>',
  says: 'end a session',
  permission: 'operators.change',
  asks: (typed) => ({ method: 'DELETE', path: pathOf`/operator/sessions/${typed.sessionId}` }),
  shows: ({ id }: Printed<typeof OperatorSessionEndedSchema>) => `Ended ${id}.`,
})

const whoami = clientCommand({
  command: 'whoami',
  says: 'show whose key this is and its permissions',
  permission: 'self.read',
  isByName: true,
  asks: () => get('/operator/me'),
  shows: ({ operatorCode, name, roles, permissions }: Printed<typeof OperatorSelfSchema>, pen) =>
    pen.pairs([
      ['Operator', operatorCode],
      ['Name', name],
      ['Roles', roles.join(' ')],
      ['Permissions', permissions.join(' ')],
    ]),
})

const unmaskings = clientCommand({
  command: 'unmaskings',
  says: 'list who has read names and accounts in full, the newest first',
  options: [LIMIT],
  permission: 'unmaskings.read',
  isByName: true,
  asks: (_typed, { limit }: OperatorOptions & { readonly limit: number }) => ({
    method: 'GET',
    path: '/operator/unmaskings',
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof UnmaskingListSchema>, pen) =>
    pen.table(
      ['TIME', 'OPERATOR', 'READ', 'WHICH'],
      data.map(
        ({
          seenAt,
          operatorCode,
          subject,
          lineId,
          notificationNo,
          reportId,
          documentId,
          fileId,
          ...payment
        }) => [
          pen.momentOf(seenAt),
          operatorCode,
          subject,
          lineId ??
            notificationNo ??
            reportId ??
            documentId ??
            fileId ??
            `${payment.kind ?? ''} ${payment.idPayment ?? ''} of ${payment.merchantCode ?? ''}`,
        ],
      ),
      'No unmaskings.',
    ),
})

/** The people who operate the gateway, and their keys. */
export function addOperatorCommands(program: Command, shell: Shell): void {
  const operators = program
    .command('operators')
    .description('the people who operate the gateway, and their keys')
  addLocal(operators, shell)
  for (const command of [
    list,
    show,
    disable,
    enable,
    setRoles,
    addKey,
    secondKey,
    removeKey,
    invite,
    passkeys,
    confirmPasskey,
    removePasskey,
    confirmIdentity,
    removeIdentity,
    sessions,
    endSession,
    unmaskings,
    whoami,
  ])
    command.addTo(operators, shell)
}

interface NewOperatorOptions {
  readonly name?: string
  readonly role: readonly string[]
}

/** What needs the database and the master key, and no operator: the first one. */
function addLocal(operators: Command, shell: Shell): void {
  operators
    .command('create <code>')
    .description('create an operator; the key is shown once')
    .option('--name <name>', 'name of the person; default: the code')
    .requiredOption('--role <role>', 'role; may be repeated', gather)
    .action(
      shell.act(async (code: string, options: NewOperatorOptions) =>
        (await work()).create(shell, { code, name: options.name ?? code, roles: options.role }),
      ),
    )
}
