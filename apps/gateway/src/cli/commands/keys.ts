import type { Printed, SigningKeyListSchema, SigningKeyRotatedSchema } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { get, type OperatorOptions, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'

const work = () => import('../actions/keys.ts')

const list = clientCommand({
  command: 'list',
  says: 'list all signing keys, the newest first',
  permission: 'merchants.read',
  asks: () => get('/operator/signing-keys'),
  shows: ({ data }: Printed<typeof SigningKeyListSchema>, pen) =>
    pen.table(
      ['KEY', 'STATUS', 'MADE', 'SIGNS FROM', 'REPLACED'],
      data.map(({ kid, status, createdAt, signsFrom, replacedAt }) => [
        kid,
        status,
        pen.momentOf(createdAt),
        pen.momentOf(signsFrom),
        pen.momentOf(replacedAt) ?? '',
      ]),
      'No signing keys.',
    ),
})

interface RotateOptions extends OperatorOptions {
  readonly now?: boolean
  readonly local?: true
}

const rotate = clientCommand({
  command: 'rotate',
  says: 'publish a new key, which signs new tokens after 3 minutes; existing tokens stay valid until they expire',
  options: [
    {
      flags: '--now',
      says: 'sign with it at once, if a key leaked; verifiers that cache the published keys may refuse new tokens for a minute',
    },
    {
      flags: '--local',
      says: 'with database and master key, without an operator: if no gateway is running or can start',
    },
  ],
  permission: 'merchants.change',
  instead: (_typed, { local, now = false }: RotateOptions, shell) =>
    local === true ? work().then(({ rotateLocally }) => rotateLocally(shell, now)) : undefined,
  asks: (_typed, { now }) => post('/operator/signing-keys/!rotate', { signsNow: now }),
  // The id is data: it alone goes to standard output.
  shows: ({ kid, signsFrom }: Printed<typeof SigningKeyRotatedSchema>, pen, _typed, { now }) => ({
    text: kid,
    notes: [
      now === true
        ? 'New tokens are signed with this key. Verifiers that cache the published keys may refuse them for a minute.'
        : `This key is published and signs new tokens from ${pen.momentOf(signsFrom)}.`,
      'Tokens of the previous key stay valid until they expire.',
    ],
  }),
})

/** The keys that sign auth tokens, and the change of the master key. */
export function addKeyCommands(program: Command, shell: Shell): void {
  const keys = program.command('keys').description('keys that sign auth tokens; changing the master key')
  for (const command of [list, rotate]) command.addTo(keys, shell)
  keys
    .command('rewrap')
    .description('encrypt the root key with the new master key, once all processes have both')
    .action(shell.act(async () => (await work()).rewrap(shell)))
}
