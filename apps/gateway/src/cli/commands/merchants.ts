import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import type { Shell } from '../shell.ts'
import { code as codeOf, oneOf, origin, wholeNumber } from '../values.ts'

const RATE_MAX = 100_000

const work = () => import('../actions/merchants.ts')

/** Merchants and their credentials. Returns the command, so that what was agreed with them can be added. */
export function addMerchantCommands(program: Command, shell: Shell): Command {
  const merchants = program.command('merchants').description('merchants, their credentials and terms')
  addMerchants(merchants, shell)
  addCredentials(merchants, shell)
  addSwitches(merchants, shell)
  addLook(merchants, shell)
  return merchants
}

function addMerchants(merchants: Command, shell: Shell): void {
  merchants
    .command('create <code>')
    .description('make a merchant; next come add-key and enable-method')
    .option('--name <name>', 'what customers see; default: the code')
    .action(
      shell.act(async (code: string, options: { name?: string }) =>
        (await work()).create(shell, code, options.name ?? code),
      ),
    )
  merchants
    .command('list')
    .description('list all merchants')
    .action(shell.act(async () => (await work()).list(shell)))
  merchants
    .command('show <code>')
    .description('show a merchant with its credentials, methods and callback keys')
    .action(shell.act(async (code: string) => (await work()).show(shell, code)))
  merchants
    .command('disable <code>')
    .description('let the merchant do nothing any more; what is under way goes on')
    .action(shell.act(async (code: string) => (await work()).change(shell, code, { status: 'DISABLED' })))
  merchants
    .command('enable <code>')
    .description('let a disabled merchant work again')
    .action(shell.act(async (code: string) => (await work()).change(shell, code, { status: 'ACTIVE' })))
}

function addCredentials(merchants: Command, shell: Shell): void {
  merchants
    .command('add-key <code> <public-key.pem>')
    .description('register an RSA public key of the merchant (PEM, 2048 bits or more; - is standard input)')
    .action(shell.act(async (code: string, file: string) => (await work()).addKey(shell, code, file)))
  merchants
    .command('remove-key <code> <keyId>')
    .description('remove a public key; tokens that were issued under it end')
    .action(shell.act(async (code: string, keyId: string) => (await work()).removeKey(shell, code, keyId)))
  merchants
    .command('add-secret <code>')
    .description('make a secret for the deprecated login; it is shown this once')
    .action(shell.act(async (code: string) => (await work()).addSecret(shell, code)))
  merchants
    .command('remove-secret <code> <secretId>')
    .description('remove a secret; tokens that were issued under it end')
    .action(
      shell.act(async (code: string, secretId: string) => (await work()).removeSecret(shell, code, secretId)),
    )
  merchants
    .command('revoke-tokens <code>')
    .description('revoke every token that the merchant holds now')
    .action(shell.act(async (code: string) => (await work()).revokeTokens(shell, code)))
  merchants
    .command('rotate-callback-key <code>')
    .description('sign callbacks by a new key; the one before signs beside it until the next rotation')
    .action(shell.act(async (code: string) => (await work()).rotateCallbackKey(shell, code)))
  merchants
    .command('rotate-callback-secret <code>')
    .description(
      'sign callbacks by a new shared secret (v1) as well; the one before signs until the next rotation',
    )
    .action(shell.act(async (code: string) => (await work()).rotateCallbackSecret(shell, code)))
  merchants
    .command('remove-callback-secret <code>')
    .description('stop signing callbacks by shared secrets (v1)')
    .action(shell.act(async (code: string) => (await work()).removeCallbackSecret(shell, code)))
}

function addSwitches(merchants: Command, shell: Shell): void {
  merchants
    .command('set-rate-limit <code> <perSecond>')
    .description('change how many requests a second are admitted')
    .action(
      shell.act(async (code: string, perSecond: string) =>
        (await work()).change(shell, code, {
          rateLimitPerSecond: wholeNumber('<perSecond>', 1, RATE_MAX)(perSecond),
        }),
      ),
    )
  merchants
    .command('set-origins <code> [origin...]')
    .description('say where callback and return URLs may lead; none means anywhere')
    .option('--callbacks', 'of callback URLs alone; none means nowhere')
    .option('--returns', 'of return URLs alone; none means nowhere')
    .action(
      shell.act(async (code: string, origins: readonly string[], options: OriginOptions) => {
        const list = [...new Set(origins.map(origin))]
        const isAll = options.callbacks !== true && options.returns !== true
        return (await work()).change(shell, code, {
          ...(isAll && { allowedOrigins: list, callbackOrigins: null, returnOrigins: null }),
          ...(options.callbacks === true && { callbackOrigins: list }),
          ...(options.returns === true && { returnOrigins: list }),
        })
      }),
    )
  merchants
    .command('set-segments <code> [segment...]')
    .description('grant the merchant these segments and no others; none means none')
    .option('--all', 'grant all segments, also those to come')
    .action(
      shell.act(async (code: string, segments: readonly string[], options: { all?: true }) => {
        if (options.all === true && segments.length > 0)
          throw new CommandFailure('USAGE', 'Name segments or --all, not both.')
        const list = [...new Set(segments.map(codeOf))]
        return (await work()).change(shell, code, { segments: options.all === true ? null : list })
      }),
    )
  merchants
    .command('require-money <code> <on|off>')
    .description('require the money in the merchant’s tokens for the payment page')
    .action(
      shell.act(async (code: string, state: string) =>
        (await work()).change(shell, code, {
          requireMoneyInTokens: oneOf('The last argument', ['on', 'off'])(state) === 'on',
        }),
      ),
    )
  merchants
    .command('set-browser-origins <code> [origin...]')
    .description(
      'say from where browsers may read a payin with its PAYIN_INFO token; none means from nowhere',
    )
    .action(
      shell.act(async (code: string, origins: readonly string[]) =>
        (await work()).change(shell, code, { browserOrigins: [...new Set(origins.map(origin))] }),
      ),
    )
  merchants
    .command('secret-login <code> <on|off>')
    .description('admit or refuse the deprecated login by secret')
    .action(
      shell.act(async (code: string, state: string) =>
        (await work()).change(shell, code, {
          secretEnabled: oneOf('The last argument', ['on', 'off'])(state) === 'on',
        }),
      ),
    )
}

interface OriginOptions {
  readonly callbacks?: true
  readonly returns?: true
}

function addLook(merchants: Command, shell: Shell): void {
  merchants
    .command('set-channel <code>')
    .description('change what customers see of the merchant; what is not named stays')
    .option('--name <name>', 'the name of the shop')
    .option('--color <#rrggbb>', 'of buttons and links on the payment page')
    .option('--support-url <url>', 'where customers find help')
    .option('--support-email <address>', 'where customers write for help')
    .action(
      shell.act(async (code: string, options: ChannelOptions) =>
        (await work()).change(shell, code, {
          ...(options.name !== undefined && { channelName: options.name }),
          ...(options.color !== undefined && { primaryColor: options.color }),
          ...(options.supportUrl !== undefined && { supportUrl: options.supportUrl }),
          ...(options.supportEmail !== undefined && { supportEmail: options.supportEmail }),
        }),
      ),
    )
  merchants
    .command('set-logo <code> [file]')
    .description(
      'show this picture of the merchant on the payment page: PNG, JPEG or WebP to 32 KiB, SVG to 8 KiB',
    )
    .option('--remove', 'show none')
    .action(
      shell.act(async (code: string, file: string | undefined, options: { remove?: true }) =>
        (await import('../actions/merchant-logos.ts')).setLogo(shell, code, {
          file,
          isRemoval: options.remove === true,
        }),
      ),
    )
}

interface ChannelOptions {
  readonly name?: string
  readonly color?: string
  readonly supportUrl?: string
  readonly supportEmail?: string
}
