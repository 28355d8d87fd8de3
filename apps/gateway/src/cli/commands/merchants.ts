import type {
  MerchantLogoRemovedSchema,
  MerchantLogoSchema,
  OperatorMerchantDetailSchema,
  OperatorMerchantListSchema,
  OperatorMerchantSchema,
  Printed,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type OptionRow, type Pen } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { get, type OperatorCall, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { code as codeOf, oneOf, origin, wholeNumber } from '../values.ts'
import { credentialCommands } from './merchant-credentials.ts'
import { methodTable } from './terms.ts'

type Merchant = Printed<typeof OperatorMerchantSchema>
type Detail = Printed<typeof OperatorMerchantDetailSchema>

const RATE_MAX = 100_000
const NAME_CHARACTERS_MAX = 140
const CODE = /^[A-Za-z0-9_-]{1,64}$/
/** Stands for everybody, where a fee is set. */
const HOUSE = 'house'

const create = clientCommand({
  command: 'create <code>',
  says: 'create a merchant; continue with add-key and enable-method',
  options: [{ flags: '--name <name>', says: 'name that customers see; default: the code' }],
  permission: 'merchants.change',
  asks: ({ code }, { name }: OperatorOptions & { name?: string }) => {
    requireNew(code, name)
    return post('/operator/merchants', { merchantCode: code, name })
  },
  shows: ({ merchantCode: code, callbackOrigins }: Merchant) => ({
    text: `Created the merchant ${code}.`,
    notes: [
      `Next: \`tollgate merchants add-key ${code} <public-key.pem>\` and \`tollgate merchants enable-method ${code} all\`.`,
      ...(callbackOrigins?.length === 0
        ? [
            `Its callback and return URLs are refused until \`tollgate merchants set-origins ${code} <origin>\`, and segments until \`tollgate merchants set-segments ${code} <segment>\`.`,
          ]
        : []),
    ],
  }),
})

function requireNew(code: string, name: string | undefined): void {
  if (!CODE.test(code) || code.toLowerCase() === HOUSE)
    throw new CommandFailure(
      'USAGE',
      `A merchant code has 1 to 64 letters, digits, hyphens or underscores and is not \`house\`; this is ${JSON.stringify(code)}.`,
    )
  if (name !== undefined && (name.trim() === '' || name.length > NAME_CHARACTERS_MAX))
    throw new CommandFailure('USAGE', `--name must have 1 to ${NAME_CHARACTERS_MAX} characters.`)
}

const list = clientCommand({
  command: 'list',
  says: 'list all merchants',
  permission: 'merchants.read',
  asks: () => get('/operator/merchants'),
  shows: ({ data }: Printed<typeof OperatorMerchantListSchema>, pen) =>
    pen.table(
      ['CODE', 'NAME', 'STATUS', 'KEYS', 'SECRETS', 'RATE'],
      data.map(({ merchantCode, channel, status, keys, secrets, rateLimitPerSecond }) => [
        merchantCode,
        channel.name,
        status,
        String(keys.length),
        String(secrets),
        `${rateLimitPerSecond}/s`,
      ]),
      'No merchants. `tollgate merchants create <code>` creates one.',
    ),
})

const show = clientCommand({
  command: 'show <code>',
  says: 'show a merchant with its credentials, methods and callback keys',
  permission: 'merchants.read',
  asks: ({ code }) => get(pathOf`/operator/merchants/${code}`),
  shows: (merchant: Detail, pen) =>
    [
      describeMerchant(merchant, pen, merchant.callbackPublicKeys),
      credentialTable(merchant, pen),
      methodTable(merchant, pen),
    ].join('\n\n'),
})

const credentialTable = ({ merchantCode, credentials }: Detail, pen: Pen): string =>
  pen.table(
    ['CREDENTIAL', 'ID', 'SINCE', 'STATUS', 'SHA-256'],
    credentials.map(({ type, id, createdAt, fingerprint, isHalf }) => [
      type,
      id,
      pen.momentOf(createdAt),
      isHalf ? (type === 'KEY' ? 'waits for confirmation' : 'payouts wait') : 'active',
      fingerprint ?? '',
    ]),
    `No credentials: \`tollgate merchants add-key ${merchantCode} <public-key.pem>\` adds one.`,
  )

const statuses = (
  [
    ['disable', 'refuse the merchant’s requests; payments in progress continue'],
    ['enable', 'undo disable'],
  ] as const
).map(([action, says]) =>
  clientCommand({
    command: `${action} <code>`,
    says,
    permission: 'merchants.change',
    asks: (typed) => post(`${pathOf`/operator/merchants/${typed.code}`}/!${action}`),
    shows: (merchant: Merchant, pen) => describeMerchant(merchant, pen),
  }),
)

const changing = {
  permission: 'merchants.change',
  shows: (merchant: Merchant, pen: Pen) => describeMerchant(merchant, pen),
} as const

const changeOf = (code: string, body: Readonly<Record<string, unknown>>): OperatorCall =>
  post(pathOf`/operator/merchants/${code}/!change`, body)

const setRateLimit = clientCommand({
  ...changing,
  command: 'set-rate-limit <code> <perSecond>',
  says: 'set the rate limit, in requests per second',
  asks: ({ code, perSecond }) =>
    changeOf(code, { rateLimitPerSecond: wholeNumber('<perSecond>', 1, RATE_MAX)(perSecond) }),
})

interface OriginOptions extends OperatorOptions {
  readonly callbacks?: true
  readonly returns?: true
}

const originsIn = (typed: readonly string[] | undefined): readonly string[] => [
  ...new Set((typed ?? []).map(origin)),
]

const setOrigins = clientCommand({
  ...changing,
  command: 'set-origins <code> [origin...]',
  says: 'set the permitted origins of callback and return URLs; none: any origin',
  options: [
    { flags: '--callbacks', says: 'only for callback URLs; none permits none' },
    { flags: '--returns', says: 'only for return URLs; none permits none' },
  ],
  asks: (typed, options: OriginOptions) => {
    const origins = originsIn(typed['origin...'])
    const [callbacks, returns] = [options.callbacks === true, options.returns === true]
    if (!callbacks && !returns)
      return changeOf(typed.code, { allowedOrigins: origins, callbackOrigins: null, returnOrigins: null })
    return changeOf(typed.code, {
      ...(callbacks && { callbackOrigins: origins }),
      ...(returns && { returnOrigins: origins }),
    })
  },
})

const setBrowserOrigins = clientCommand({
  ...changing,
  command: 'set-browser-origins <code> [origin...]',
  says: 'set the origins from which browsers may read a payin with a PAYIN_INFO token; none permits none',
  asks: (typed) => changeOf(typed.code, { browserOrigins: originsIn(typed['origin...']) }),
})

const setSegments = clientCommand({
  ...changing,
  command: 'set-segments <code> [segment...]',
  says: 'grant the merchant exactly these segments',
  options: [{ flags: '--all', says: 'grant all segments, including future ones' }],
  asks: (typed, options: OperatorOptions & { all?: true }) => {
    const all = options.all === true
    const segments = typed['segment...'] ?? []
    if (all && segments.length > 0) throw new CommandFailure('USAGE', 'Give either segments or --all.')
    return changeOf(typed.code, { segments: all ? null : [...new Set(segments.map(codeOf))] })
  },
})

const isOn = (text: string): boolean => oneOf('The last argument', ['on', 'off'])(text) === 'on'

const requireMoney = clientCommand({
  ...changing,
  command: 'require-money <code> <on|off>',
  says: 'require the merchant’s tokens for the payment page to carry the money',
  asks: (typed) => changeOf(typed.code, { requireMoneyInTokens: isOn(typed['on|off']) }),
})

const secretLogin = clientCommand({
  ...changing,
  command: 'secret-login <code> <on|off>',
  says: 'admit or refuse the deprecated login by secret',
  asks: (typed) => changeOf(typed.code, { secretEnabled: isOn(typed['on|off']) }),
})

interface ChannelOptions extends OperatorOptions {
  readonly name?: string
  readonly color?: string
  readonly supportUrl?: string
  readonly supportEmail?: string
}

const CHANNEL: readonly OptionRow[] = [
  { flags: '--name <name>', says: 'name of the shop' },
  { flags: '--color <#rrggbb>', says: `color of buttons and links on the payment page; '' for none` },
  { flags: '--support-url <url>', says: `page with help for customers; '' for none` },
  { flags: '--support-email <address>', says: `e-mail address for customers; '' for none` },
]

const orNone = (text: string | undefined): string | null | undefined => (text === '' ? null : text)

const setChannel = clientCommand({
  ...changing,
  command: 'set-channel <code>',
  says: 'change what customers see of the merchant; omitted values stay',
  options: CHANNEL,
  asks: (typed, { name, color, supportUrl, supportEmail }: ChannelOptions) => {
    const given = {
      name,
      primaryColor: orNone(color),
      supportUrl: orNone(supportUrl),
      supportEmail: orNone(supportEmail),
    }
    if (Object.values(given).every((value) => value === undefined))
      throw new CommandFailure(
        'USAGE',
        'Nothing to change: give --name, --color, --support-url or --support-email.',
      )
    return changeOf(typed.code, given)
  },
})

const setLogo = clientCommand({
  command: 'set-logo <code> [file]',
  says: 'set the merchant’s logo on the payment page: PNG, JPEG or WebP up to 32 KiB, SVG up to 8 KiB',
  options: [{ flags: '--remove', says: 'remove the logo' }],
  permission: 'merchants.change',
  asks: async ({ code, file }, { remove }: OperatorOptions & { remove?: true }, shell) => {
    if ((file === undefined) !== (remove === true))
      throw new CommandFailure('USAGE', 'Give either a file or --remove.')
    const path = pathOf`/operator/merchants/${code}/logo`
    if (file === undefined) return { method: 'DELETE', path }
    return { method: 'PUT', path, file: await readFileOrInput(shell, file) }
  },
  shows: (answer: Printed<typeof MerchantLogoSchema> | Printed<typeof MerchantLogoRemovedSchema>) =>
    'removed' in answer
      ? `Removed the logo of ${answer.merchantCode}.`
      : `The logo of ${answer.merchantCode} is ${answer.logoUrl} (${answer.mediaType}, ${answer.width} × ${answer.height}).`,
})

const listed = (origins: readonly string[] | undefined, every: string): string =>
  origins === undefined ? every : origins.length === 0 ? 'none' : origins.join(' ')

function describeMerchant(merchant: Merchant, pen: Pen, callbackKeys?: readonly string[]): string {
  const { channel, logo, allowedOrigins, browserOrigins, callbackSecrets, tokensNotBefore } = merchant
  return pen.pairs([
    ['Merchant', merchant.merchantCode],
    ['Name', channel.name],
    ['Logo', logo && `${logo.width} × ${logo.height}, SHA-256 ${logo.hash}`],
    ['Colour', channel.primaryColor],
    ['Help', channel.supportUrl ?? channel.supportEmail],
    ['Status', merchant.status],
    ['Rate limit', `${merchant.rateLimitPerSecond} requests a second`],
    ['Login by secret', merchant.secretEnabled ? 'on' : 'off'],
    ['Origins', allowedOrigins.length === 0 ? 'any' : allowedOrigins.join(' ')],
    ['Browser origins', browserOrigins.length === 0 ? undefined : browserOrigins.join(' ')],
    ['Callback origins', listed(merchant.callbackOrigins, 'any')],
    ['Return origins', listed(merchant.returnOrigins, 'any')],
    ['Segments', listed(merchant.segments, 'all')],
    ['Money in tokens', merchant.requireMoneyInTokens ? 'required for the payment page' : 'optional'],
    ['Tokens revoked', tokensNotBefore && `those from before ${pen.momentOf(tokensNotBefore)}`],
    ['Callback keys', callbackKeys?.join(' ')],
    ['Callback secrets', callbackSecrets === 0 ? undefined : String(callbackSecrets)],
  ])
}

/** Merchants and their credentials. Returns the command, so that what was agreed with them can be added. */
export function addMerchantCommands(program: Command, shell: Shell): Command {
  const merchants = program.command('merchants').description('merchants, their credentials and terms')
  const commands = [
    create,
    list,
    show,
    ...statuses,
    ...credentialCommands,
    setRateLimit,
    setOrigins,
    setSegments,
    requireMoney,
    setBrowserOrigins,
    secretLogin,
    setChannel,
    setLogo,
  ]
  for (const command of commands) command.addTo(merchants, shell)
  return merchants
}
