import { type Static, Type } from 'typebox'

const Port = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: fallback, description })
export const URL_PATTERN = '^https?://[^\\s/?#]+[^\\s?#]*$'
export const DATABASE_URL_PATTERN = '^postgres(ql)?://\\S+$'
export const REDIS_URL_PATTERN = '^rediss?://\\S+$'
const Url = (description: string) => Type.Optional(Type.String({ pattern: URL_PATTERN, description }))
const Seconds = (fallback: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: fallback, minimum, maximum, description })
const Days = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 0, maximum: 36_500, description })

/** Every setting there is. The description is the documentation, the default is the default. */
export const ConfigSchema = Type.Object({
  TOLLGATE_ENVIRONMENT: Type.Union([Type.Literal('sandbox'), Type.Literal('live')], {
    default: 'sandbox',
    description:
      'sandbox moves no real money and decides outcomes by magic e-mail addresses; live refuses sandbox defaults.',
  }),
  TOLLGATE_HOST: Type.String({ default: '127.0.0.1', description: 'Address the servers listen on.' }),
  TOLLGATE_API_PORT: Port(8080, 'Port of the API.'),
  TOLLGATE_CHECKOUT_PORT: Port(8081, 'Port of the hosted payment page; 0 starts none.'),
  TOLLGATE_CONSOLE_PORT: Port(8082, 'Port of the operators’ console.'),
  TOLLGATE_SIMULATOR_PORT: Port(8083, 'Port of the sandbox’s bank simulator; 0 starts none.'),
  TOLLGATE_OPERATOR_PORT: Port(8084, 'Port of the operator API, apart from the merchants’ API.'),
  TOLLGATE_METRICS_PORT: Port(9464, 'Port of the Prometheus metrics, apart from the API.'),
  TOLLGATE_DATA_DIR: Type.String({
    minLength: 1,
    default: '.tollgate',
    description: 'Folder of the embedded database, the master key and the demo merchant.',
  }),
  TOLLGATE_DATABASE_URL: Type.Optional(
    Type.String({
      pattern: DATABASE_URL_PATTERN,
      description: 'Your own PostgreSQL (15 or newer). Without it an embedded one is started.',
    }),
  ),
  TOLLGATE_DATABASE_POOL_MAX: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 500,
    description: 'Database connections per process.',
  }),
  TOLLGATE_REDIS_URL: Type.Optional(
    Type.String({
      pattern: REDIS_URL_PATTERN,
      description:
        'Redis (6.2 or newer) or Valkey in which all processes count the rate limit together. Without it each counts by itself.',
    }),
  ),
  TOLLGATE_PUBLIC_API_URL: Url(
    'Address of the API as merchants see it. Default: http://localhost and the port.',
  ),
  TOLLGATE_PUBLIC_CHECKOUT_URL: Url('Address of the hosted payment page as customers see it.'),
  TOLLGATE_PUBLIC_OPERATOR_URL: Url(
    'Address of the operator API as operators see it. Default: http://localhost and the port.',
  ),
  TOLLGATE_PUBLIC_SIMULATOR_URL: Url('Address of the bank simulator as customers see it.'),
  TOLLGATE_MASTER_KEY_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File with 32 bytes in base64 that all other keys derive from. Default: made in the data directory.',
    }),
  ),
  TOLLGATE_OPEN_RAILS_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'JSON file with the institutions that are reached through adapters of the open rail protocol; docs/guides/rail-author.md has its form.',
    }),
  ),
  TOLLGATE_OPERATOR_KEY_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File with the key of the operator who types, for commands that operators do by name.',
    }),
  ),
  TOLLGATE_PAYOUT_FILES_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder into which files of payouts are laid for the bank. Default: they are only fetched.',
    }),
  ),
  TOLLGATE_STATEMENTS_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Folder that is watched for statements of banks; what was taken moves to done/ in it.',
    }),
  ),
  TOLLGATE_CALLBACK_INTERVAL_SECONDS: Seconds(
    120,
    1,
    86_400,
    'From the start of one callback attempt to the start of the next (specification 8: 120).',
  ),
  TOLLGATE_CALLBACK_TIMEOUT_SECONDS: Seconds(10, 1, 60, 'Total time a callback attempt may take.'),
  TOLLGATE_CALLBACK_ALLOW_PRIVATE: Type.Optional(
    Type.Boolean({
      description:
        'Whether callbacks may go to loopback and private addresses. Default: true in sandbox, false in live.',
    }),
  ),
  TOLLGATE_CALLBACK_ALLOW_CIDR: Type.String({
    default: '',
    description: 'Comma-separated address ranges that callbacks may reach all the same.',
  }),
  TOLLGATE_TIMESTAMP_TOLERANCE_SECONDS: Seconds(
    300,
    1,
    86_400,
    'How far `timestamp` of a signed token request may be from now.',
  ),
  TOLLGATE_ADDRESS_RATE_PER_SECOND: Type.Integer({
    default: 500,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Requests per second from one address that are not authenticated.',
  }),
  TOLLGATE_TRUST_PROXY: Type.String({
    default: '',
    description: 'Comma-separated addresses or ranges of proxies whose X-Forwarded-For is believed.',
  }),
  TOLLGATE_BATCH_ROWS_MAX: Type.Integer({
    default: 128,
    minimum: 1,
    maximum: 1000,
    description: 'Most payments that share one round trip to the database.',
  }),
  TOLLGATE_BATCHES_IN_FLIGHT_MAX: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 16,
    description: 'Most round trips of one kind at the same time.',
  }),
  TOLLGATE_RETENTION_DELIVERIES_DAYS: Days(
    90,
    'How long callbacks and their attempts are kept after they are over; 0 is for ever.',
  ),
  TOLLGATE_RETENTION_INQUIRIES_DAYS: Days(
    90,
    'How long answers of institutions about ended payments are kept; 0 is for ever.',
  ),
  TOLLGATE_RETENTION_PERSONAL_DATA_DAYS: Days(
    0,
    'How long after the end of a payment its personal data is kept; 0 is for ever.',
  ),
  TOLLGATE_LOG_LEVEL: Type.Union(
    ['debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    {
      default: 'info',
      description: 'Least severe level that is logged.',
    },
  ),
  TOLLGATE_DRAIN_SECONDS: Seconds(
    30,
    1,
    600,
    'How long a stopping process waits for requests and callbacks under way.',
  ),
})

export type Settings = Readonly<Static<typeof ConfigSchema>>
