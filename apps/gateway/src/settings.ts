import { CALLBACK_INTERVAL_SECONDS } from './modules/callbacks/model.ts'

// Read at every start and by every command, so nothing is loaded for it: a schema language would cost more than the rest.

/** What a text gives: its value, or the rule that it breaks and what was found instead. */
export type Reading<Value> =
  | { readonly value: Value }
  | { readonly rule: string; readonly found: string | number }

/** A setting that need not be set. The description is its documentation. */
interface Optional<Value> {
  readonly description: string
  readonly read: (text: string) => Reading<Value>
}

/** A setting that always has a value. */
interface Setting<Value> extends Optional<Value> {
  readonly default: Value
}

interface Range {
  readonly default: number
  readonly minimum: number
  readonly maximum: number
  readonly description: string
}

function wholeNumber({ default: fallback, minimum, maximum, description }: Range): Setting<number> {
  const read = (text: string): Reading<number> => {
    const found = Number(text)
    if (!Number.isInteger(found)) return { rule: 'must be a whole number', found: text }
    if (found < minimum) return { rule: `must be at least ${minimum}`, found }
    if (found > maximum) return { rule: `must be at most ${maximum}`, found }
    return { value: found }
  }
  return { default: fallback, description, read }
}

const port = (fallback: number, description: string): Setting<number> =>
  wholeNumber({ default: fallback, minimum: 0, maximum: 65_535, description })
const days = (fallback: number, description: string): Setting<number> =>
  wholeNumber({ default: fallback, minimum: 0, maximum: 36_500, description })

const anyText = (fallback: string, description: string): Setting<string> => ({
  default: fallback,
  description,
  read: (value) => ({ value }),
})
const optionalText = (description: string): Optional<string> => ({
  description,
  read: (value) => ({ value }),
})

/** Addresses of a kind, and what is said when one is none. */
interface AddressKind {
  readonly pattern: RegExp
  readonly rule: string
}
const WEB: AddressKind = {
  pattern: /^https?:\/\/[^\s/?#]+[^\s?#]*$/,
  rule: 'must be an http or https address without query, such as https://pay.example',
}
export const POSTGRES: AddressKind = {
  pattern: /^postgres(ql)?:\/\/\S+$/,
  rule: 'must be a PostgreSQL address, such as postgres://user:password@host:5432/database',
}
export const REDIS: AddressKind = {
  pattern: /^rediss?:\/\/\S+$/,
  rule: 'must be a Redis address, such as redis://user:password@host:6379/0',
}

const address = ({ pattern, rule }: AddressKind, description: string): Optional<string> => ({
  description,
  read: (value) => (pattern.test(value) ? { value } : { rule, found: value }),
})

function choice<Choice extends string>(
  choices: readonly Choice[],
  fallback: NoInfer<Choice>,
  description: string,
): Setting<Choice> {
  const read = (found: string): Reading<Choice> => {
    const value = choices.find((known) => known === found)
    return value === undefined ? { rule: `must be one of ${choices.join(', ')}`, found } : { value }
  }
  return { default: fallback, description, read }
}

function optionalChoice<Choice extends string>(
  choices: readonly Choice[],
  description: string,
): Optional<Choice> {
  const read = (found: string): Reading<Choice> => {
    const value = choices.find((known) => known === found)
    return value === undefined ? { rule: `must be one of ${choices.join(', ')}`, found } : { value }
  }
  return { description, read }
}

/** One value for each currency: pairs that look like this. What they are is read where they are used. */
const onePerCurrency =
  (pair: RegExp, rule: string) =>
  (description: string): Setting<string> => ({
    default: '',
    description,
    read: (found) => {
      const pairs = found.split(',').map((each) => each.trim())
      const codes = pairs.map((each) => each.replace(/=.*$/s, ''))
      const isRight = pairs.every((each) => pair.test(each)) && new Set(codes).size === codes.length
      return isRight ? { value: pairs.join(',') } : { rule, found }
    },
  })

const amounts = onePerCurrency(
  /^[A-Z0-9]{3,10}=\d{1,18}(?:\.\d{1,18})?$/,
  'must hold one amount per currency, such as EUR=500,CZK=10000',
)

const TIME_OF_CURRENCY = /^[A-Z0-9]{3,10}=(?:[01]\d|2[0-3]):[0-5]\d$/

/** Times of a day by currency. When they are due is read where files are made. */
const timesOfDay = (description: string): Setting<string> => ({
  default: '',
  description,
  read: (found) => {
    const pairs = found.split(',').map((pair) => pair.trim())
    const isRight = pairs.every((pair) => TIME_OF_CURRENCY.test(pair))
    return isRight
      ? { value: pairs.join(',') }
      : { rule: 'must hold times of a day by currency, such as EUR=08:30,EUR=13:00,CZK=10:00', found }
  },
})

const cutOffs = onePerCurrency(
  TIME_OF_CURRENCY,
  'must hold one time of a day per currency, such as EUR=15:30,CZK=11:00',
)

const timeZone = (description: string): Setting<string> => ({
  default: 'UTC',
  description,
  read(found) {
    try {
      return { value: new Intl.DateTimeFormat('en', { timeZone: found }).resolvedOptions().timeZone }
    } catch {
      return { rule: 'must be the name of a time zone, such as Europe/Prague', found }
    }
  },
})

const yesOrNo = (description: string): Optional<boolean> => ({
  description,
  read: (found) =>
    found === 'true' || found === 'false'
      ? { value: found === 'true' }
      : { rule: 'must be true or false', found },
})

/** Those of references, without look-alikes. */
export const CELL = /^[A-HJKMNP-TV-Z]$/
/** The console reads it, and says what else is wrong with it. */
const CONSOLE_CELLS = /^[A-HJKMNP-TV-Z]=https?:\/\/\S+(?: +[A-HJKMNP-TV-Z]=https?:\/\/\S+)*$/

/** Every setting there is. The description is the documentation, the default is the default. */
export const SETTINGS = {
  TOLLGATE_ENVIRONMENT: choice(
    ['sandbox', 'live'],
    'sandbox',
    'sandbox moves no real money and decides outcomes by magic e-mail addresses; live refuses sandbox defaults.',
  ),
  TOLLGATE_CELL: {
    description: `Letter of this installation where several share the merchants (docs/cells.md): references of payins begin with it. It stays.`,
    read: (text) =>
      CELL.test(text)
        ? { value: text }
        : { rule: 'must be one capital letter other than I, L, O and U', found: text },
  } satisfies Optional<string>,
  TOLLGATE_HOST: anyText('127.0.0.1', 'Address the servers listen on, unless one has its own.'),
  TOLLGATE_API_HOST: optionalText('Address the API listens on. Default: TOLLGATE_HOST.'),
  TOLLGATE_OPERATOR_HOST: optionalText('Address the operator API listens on. Default: TOLLGATE_HOST.'),
  TOLLGATE_METRICS_HOST: optionalText('Address the metrics are served on. Default: TOLLGATE_HOST.'),
  TOLLGATE_CHECKOUT_HOST: optionalText('Address the hosted payment page listens on. Default: TOLLGATE_HOST.'),
  TOLLGATE_CONSOLE_HOST: optionalText('Address the operators’ console listens on. Default: TOLLGATE_HOST.'),
  TOLLGATE_SIMULATOR_HOST: optionalText(
    'Address the sandbox’s bank simulator listens on. Default: TOLLGATE_HOST.',
  ),
  TOLLGATE_API_PORT: port(8080, 'Port of the API.'),
  TOLLGATE_CHECKOUT_PORT: port(8081, 'Port of the hosted payment page; 0 starts none.'),
  TOLLGATE_CONSOLE_PORT: port(8082, 'Port of the operators’ console; 0 starts none.'),
  TOLLGATE_SIMULATOR_PORT: port(8083, 'Port of the sandbox’s bank simulator; 0 starts none.'),
  TOLLGATE_OPERATOR_PORT: port(8084, 'Port of the operator API, apart from the merchants’ API.'),
  TOLLGATE_SHOP_PORT: port(
    8085,
    'Port of the sandbox’s shop, where you try the payment page as a customer; 0 starts none.',
  ),
  TOLLGATE_METRICS_PORT: port(9464, 'Port of the Prometheus metrics, apart from the API.'),
  TOLLGATE_DATA_DIR: anyText(
    '.tollgate',
    'Folder of the embedded database, the master key and the demo merchant.',
  ),
  TOLLGATE_DATABASE_URL: address(
    POSTGRES,
    'Your own PostgreSQL (15 or newer). Without it an embedded one is started.',
  ),
  TOLLGATE_MIGRATE_DATABASE_URL: address(
    POSTGRES,
    'The same database for `tollgate migrate` and `npm start`, with the user that owns the schema. The user of TOLLGATE_DATABASE_URL is then granted what the gateway needs, and cannot change the books. Default: TOLLGATE_DATABASE_URL.',
  ),
  TOLLGATE_DATABASE_POOL_MAX: wholeNumber({
    default: 10,
    minimum: 2,
    maximum: 500,
    description: 'Database connections per process.',
  }),
  TOLLGATE_REDIS_URL: address(
    REDIS,
    'Redis (6.2 or newer) or Valkey in which all processes count the rate limit together. Without it each counts by itself.',
  ),
  TOLLGATE_PUBLIC_API_URL: address(
    WEB,
    'Address of the API as merchants see it. Default: http://localhost and the port.',
  ),
  TOLLGATE_PUBLIC_CHECKOUT_URL: address(WEB, 'Address of the hosted payment page as customers see it.'),
  TOLLGATE_PUBLIC_OPERATOR_URL: address(
    WEB,
    'Address of the operator API as operators see it, and where commands ask it. Default: http://localhost, or TOLLGATE_OPERATOR_HOST, and the port.',
  ),
  TOLLGATE_PUBLIC_CONSOLE_URL: address(
    WEB,
    'Address of the operators’ console as they see it: their passkeys work there and nowhere else. Default: http://localhost and the port in sandbox; in live there are no passkeys without it.',
  ),
  TOLLGATE_CONSOLE_CELLS: {
    description:
      'Where there are several cells (docs/cells.md): the consoles of all, so that each shows them all: A=https://ops-a.example.com B=https://ops-b.example.com, under one domain. TOLLGATE_PUBLIC_CONSOLE_URL is among them.',
    read: (text) =>
      CONSOLE_CELLS.test(text)
        ? { value: text }
        : {
            rule: 'must be letters of cells and addresses of their consoles, such as A=https://ops-a.example.com B=https://ops-b.example.com',
            found: text,
          },
  } satisfies Optional<string>,
  TOLLGATE_PUBLIC_SIMULATOR_URL: address(WEB, 'Address of the bank simulator as customers see it.'),
  TOLLGATE_MASTER_KEY_FILE: optionalText(
    'File with 32 bytes in base64, the key without which nothing sealed opens. Default: made in the data directory.',
  ),
  TOLLGATE_PREVIOUS_MASTER_KEY_FILE: optionalText(
    'While the master key is being changed: the file of the one before. `tollgate keys rewrap` ends that.',
  ),
  TOLLGATE_OPEN_RAILS_FILE: optionalText(
    'JSON file with the institutions that are reached through adapters of the open rail protocol; docs/guides/rail-author.md has its form.',
  ),
  TOLLGATE_PAYEE_CHECKS_FILE: optionalText(
    'JSON file with the adapter that is asked, before a payout in EUR leaves, whether the name and the account of its payee belong together; docs/guides/bank-transfers.md has its form. Default: nobody is asked.',
  ),
  TOLLGATE_BANK_CHANNELS_FILE: optionalText(
    'JSON file with the channels over which files are exchanged with banks (SFTP); docs/guides/bank-channels.md has its form.',
  ),
  TOLLGATE_CHAINS_FILE: optionalText(
    'JSON file with the chains on which customers pay in coins and tokens; docs/guides/stablecoins.md has its form.',
  ),
  TOLLGATE_CELLS_FILE: optionalText(
    'JSON file that lists the cells, for `tollgate cells` (docs/cells.md). No gateway reads it.',
  ),
  TOLLGATE_OPERATOR_KEY_FILE: optionalText(
    'File with the key of the operator who types, for commands that operators do by name.',
  ),
  TOLLGATE_PAYOUT_FILES_DIR: optionalText(
    'Folder into which files of payouts are laid for the bank. Default: they are only fetched.',
  ),
  TOLLGATE_PAYOUT_FILES_AT: timesOfDay(
    'Times of a day at which files of payouts are made without an operator, such as EUR=08:30,EUR=13:00,CZK=10:00: before your bank’s cut-off times. On days on which banks work, and for instant transfers on the others, too; what was missed is made up for within two hours. Default: operators make them.',
  ),
  TOLLGATE_PAYOUT_CUT_OFF: cutOffs(
    'Until when your bank takes files of payouts that move money on the same day, such as EUR=15:30,CZK=11:00. A file that is made later asks for the next day on which banks work. Default: the day of the file.',
  ),
  TOLLGATE_PAYOUT_FILES_ZONE: timeZone('Time zone of these times, such as Europe/Prague.'),
  TOLLGATE_STATEMENTS_DIR: optionalText(
    'Folder that is watched for statements of banks; what was taken moves to done/ in it.',
  ),
  TOLLGATE_STATEMENTS_DIR_IS_CHANNEL: yesOrNo(
    'Whether only an authenticated channel of a bank writes into TOLLGATE_STATEMENTS_DIR. Otherwise its files wait for an operator where a second person is needed. Default: false.',
  ),
  TOLLGATE_PAYOUT_REPORTS_DIR: optionalText(
    'Folder that is watched for status reports of banks (pain.002); what was taken moves to done/ in it.',
  ),
  TOLLGATE_PAYOUT_REPORTS_DIR_IS_CHANNEL: yesOrNo(
    'Whether only an authenticated channel of a bank writes into TOLLGATE_PAYOUT_REPORTS_DIR. Otherwise its files wait for an operator where a second person is needed. Default: false.',
  ),
  TOLLGATE_SECOND_PERSON: optionalChoice(
    ['on', 'off'],
    'Whether uploaded statements and status reports, ACCEPT, COVER and NOTE, and merchants’ keys that pay out need a second operator. Default: on in live, off in sandbox.',
  ),
  TOLLGATE_SECOND_PERSON_FROM: amounts(
    'Amounts from which that holds, such as EUR=500,CZK=10000; what one operator did alone within a day counts with it. A currency that is not named: from zero.',
  ),
  TOLLGATE_SECOND_PERSON_HOURS: wholeNumber({
    default: 72,
    minimum: 1,
    maximum: 8_760,
    description: 'How long what needs a second operator waits for one; then it expires.',
  }),
  TOLLGATE_OPERATOR_SESSION_IDLE_MINUTES: wholeNumber({
    default: 30,
    minimum: 5,
    maximum: 1_440,
    description: 'After so long without a request an operator’s session ends.',
  }),
  TOLLGATE_OPERATOR_SESSION_HOURS: wholeNumber({
    default: 12,
    minimum: 1,
    maximum: 168,
    description: 'After so long an operator’s session ends, however much it is used.',
  }),
  TOLLGATE_OIDC_ISSUER: address(
    WEB,
    'Provider of identities (OpenID Connect) by which operators may sign in to the console. It is asked at this address and /.well-known/openid-configuration. Without it there is none.',
  ),
  TOLLGATE_OIDC_CLIENT_ID: optionalText('What the provider of identities calls this gateway.'),
  TOLLGATE_OIDC_CLIENT_SECRET_FILE: optionalText(
    'File with the secret that the provider of identities has given this gateway.',
  ),
  TOLLGATE_OIDC_SCOPE: {
    default: 'openid',
    description: 'What is asked of the provider of identities; more than openid where the claim needs it.',
    read: (found) =>
      /^[!-~]+(?: [!-~]+)*$/.test(found) && found.split(' ').includes('openid')
        ? { value: found }
        : { rule: 'must be words with spaces between them, one of which is openid', found },
  } satisfies Setting<string>,
  TOLLGATE_OIDC_CLAIM: {
    description:
      'What an account must have in its id_token to sign in, such as groups=payments: the value, or a list with it. Default: any account that is linked.',
    read: (found) =>
      /^[\w.:/-]{1,200}=[^\p{Cc}]{1,200}$/u.test(found)
        ? { value: found }
        : { rule: 'must be a name and a value, such as groups=payments', found },
  } satisfies Optional<string>,
  TOLLGATE_OIDC_NAME: {
    default: 'your company account',
    description: 'What the console writes on its button behind “Continue with”.',
    read: (found) =>
      /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,40}$/u.test(found)
        ? { value: found }
        : { rule: 'must have 1 to 40 characters', found },
  } satisfies Setting<string>,
  TOLLGATE_CALLBACK_INTERVAL_SECONDS: wholeNumber({
    default: CALLBACK_INTERVAL_SECONDS,
    minimum: 1,
    maximum: 86_400,
    description: 'From the start of one callback attempt to the start of the next (specification 8: 120).',
  }),
  TOLLGATE_CALLBACK_TIMEOUT_SECONDS: wholeNumber({
    default: 10,
    minimum: 1,
    maximum: 60,
    description: 'Total time a callback attempt may take.',
  }),
  TOLLGATE_CALLBACK_ALLOW_PRIVATE: yesOrNo(
    'Whether callbacks may go to loopback and private addresses. Default: true in sandbox, false in live.',
  ),
  TOLLGATE_CALLBACK_ALLOW_CIDR: anyText(
    '',
    'Comma-separated address ranges that callbacks may reach all the same.',
  ),
  TOLLGATE_TIMESTAMP_TOLERANCE_SECONDS: wholeNumber({
    default: 300,
    minimum: 1,
    maximum: 86_400,
    description: 'How far `timestamp` of a signed token request may be from now.',
  }),
  TOLLGATE_ADDRESS_RATE_PER_SECOND: wholeNumber({
    default: 500,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Requests per second from one address that are not authenticated.',
  }),
  TOLLGATE_CUSTOMERS_RATE_FACTOR: wholeNumber({
    default: 10,
    minimum: 1,
    maximum: 1000,
    description:
      'How many times a merchant’s own rate limit its customers’ tokens have together for creates, options and lists.',
  }),
  TOLLGATE_TRUST_PROXY: anyText(
    '',
    'Comma-separated addresses or ranges of proxies whose X-Forwarded-For is believed; for the operator API also of consoles on other machines.',
  ),
  TOLLGATE_BATCH_ROWS_MAX: wholeNumber({
    default: 128,
    minimum: 1,
    maximum: 1000,
    description: 'Most payments that share one round trip to the database.',
  }),
  TOLLGATE_BATCHES_IN_FLIGHT_MAX: wholeNumber({
    default: 2,
    minimum: 1,
    maximum: 16,
    description: 'Most round trips of one kind at the same time.',
  }),
  TOLLGATE_RETENTION_DELIVERIES_DAYS: days(
    90,
    'How long callbacks and their attempts are kept after they are over; 0 is for ever.',
  ),
  TOLLGATE_RETENTION_INQUIRIES_DAYS: days(
    90,
    'How long answers of institutions about ended payments are kept; 0 is for ever.',
  ),
  TOLLGATE_RETENTION_PERSONAL_DATA_DAYS: days(
    0,
    'How long after the end of a payment its personal data is kept; 0 is for ever.',
  ),
  TOLLGATE_RETENTION_DOCUMENTS_DAYS: days(
    90,
    'How long the bytes of payout files, of reports about them and of confirmed documents are kept after their end; 0 is for ever.',
  ),
  TOLLGATE_LOG_LEVEL: choice(
    ['debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'Least severe level that is logged.',
  ),
  TOLLGATE_DRAIN_SECONDS: wholeNumber({
    default: 30,
    minimum: 1,
    maximum: 600,
    description: 'How long a stopping process waits for requests and callbacks under way.',
  }),
} as const

type Known = typeof SETTINGS
type ValueOf<Of> = Of extends Optional<infer Value> ? Value : never
type Always = { readonly default: unknown }

/** All settings as they were read. */
export type Settings = {
  readonly [Name in keyof Known as Known[Name] extends Always ? Name : never]: ValueOf<Known[Name]>
} & {
  readonly [Name in keyof Known as Known[Name] extends Always ? never : Name]?: ValueOf<Known[Name]>
}
