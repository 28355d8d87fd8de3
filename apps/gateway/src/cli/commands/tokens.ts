import type { Printed, TokenRevokedSchema } from '@tollgate/contract'
import { TOKEN_ACTIONS } from '@tollgate/contract/words'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { textOrInput } from '../files.ts'
import { post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { code, gather, httpUrl, idPayment, oneOf, wholeNumber } from '../values.ts'

const VALIDITY_SECONDS_MAX = 2_592_000

interface CreateOptions {
  action?: string
  id?: string
  operation?: readonly string[]
  validity?: number
  amount?: string
  currency?: string
  merchant?: string
  privateKeyFile?: string
  apiUrl?: string
}

const revoke = clientCommand({
  command: 'revoke <token>',
  says: 'revoke one token; - is standard input',
  permission: 'merchants.change',
  asks: async ({ token }, _options, shell) =>
    post('/operator/tokens/!revoke', {
      token: await textOrInput(shell, token.replace(/^Bearer +/i, ''), 'a token'),
    }),
  shows: ({ merchantCode, jti, expired }: Printed<typeof TokenRevokedSchema>) =>
    expired
      ? `The token ${jti} of ${merchantCode} has expired already.`
      : `Revoked the token ${jti} of ${merchantCode}.`,
})

/** Auth tokens. */
export function addTokenCommands(program: Command, shell: Shell): void {
  const tokens = program.command('token').description('auth tokens')
  tokens
    .command('create')
    .description('request a token as a merchant’s server does, and print it')
    .option(
      '--action <action>',
      `one of ${TOKEN_ACTIONS.join(', ')}; needs --id`,
      oneOf('--action', TOKEN_ACTIONS),
    )
    .option('--id <id>', 'payment of the action', idPayment)
    .option('--operation <operation>', "for example 'POST /payins/.*'; may be repeated", gather)
    .option(
      '--validity <seconds>',
      'lifetime; default: 3600',
      wholeNumber('--validity', 1, VALIDITY_SECONDS_MAX),
    )
    .option('--amount <amount>', 'limit the token to exactly this amount; needs --currency')
    .option('--currency <currency>', 'currency of --amount', code)
    .option('--merchant <code>', 'merchant; default: the sandbox’s demo merchant')
    .option(
      '--private-key-file <file>',
      'RSA private key (PEM) of the merchant; default: the demo merchant’s',
    )
    .option('--api-url <url>', 'address of the API; default: that of this installation', httpUrl('--api-url'))
    .action(
      shell.act(async (options: CreateOptions) =>
        (await import('../actions/token-create.ts')).create(shell, options),
      ),
    )
  tokens
    .command('explain <token>')
    .description('explain a token and what it permits; - is standard input')
    .action(
      shell.act(async (token: string) =>
        (await import('../actions/token-explain.ts')).explainToken(shell, token),
      ),
    )
  revoke.addTo(tokens, shell)
}
