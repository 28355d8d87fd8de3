import { type Logger, pino } from 'pino'

/** Structured log. Only fields that a caller names are written: never a whole request, error object, URL or header. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & {
  child(fields: Record<string, string>): Log
}

export interface LogOptions {
  readonly level: string
  /** Where the lines go; standard error by default, so that a command's data alone is on standard output. */
  readonly destination?: NodeJS.WritableStream
}

const SECRET_PATHS = [
  'secret',
  'token',
  'authorization',
  'signature',
  'password',
  'accountNumber',
  'accountName',
  'emailAddress',
  'url',
  'body',
]

/** JSON lines, one event a line. The redaction is the second net: the first is that callers log chosen fields only. */
export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)], censor: '[redacted]' },
      serializers: { err: safeError },
    },
    options.destination ?? process.stderr,
  )
}

const ERROR_TEXT_MAX = 256

/** An error's class, SQLSTATE or system code and stack frames: never its properties, which may hold a statement's values. */
function safeError(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .join('\n')
  return { type: error.name, message: error.message.slice(0, ERROR_TEXT_MAX), ...code, frames }
}
