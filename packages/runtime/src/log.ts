import { type DestinationStream, type Logger, pino } from 'pino'

/** Structured log. Only fields that a caller names are written: never a whole request, error object, URL or header. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & {
  child(fields: Record<string, string>, options?: { readonly redact: typeof FLAT_REDACTION }): Log
}

export interface LogOptions {
  readonly level: string
  /** Where the lines go; standard error by default, so that a command's data alone is on standard output. */
  readonly destination?: DestinationStream
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

const CENSOR = '[redacted]'
const FLAT_REDACTION = { paths: SECRET_PATHS, censor: CENSOR }

/**
 * For lines whose fields are texts and numbers, named one by one where the line is written: the second net then looks at the
 * fields, and not for objects within them, which costs twice what the line itself does.
 */
export const flatLog = (log: Log): Log => log.child({}, { redact: FLAT_REDACTION })

/** Lines leave together: under load a write for each is a tenth of what a request costs. A killed process loses those of the last moment. */
const GATHER_MS = 50
const GATHER_BYTES = 8_192

interface Lines extends DestinationStream {
  flush(done: () => void): void
}

let standard: Lines | undefined

/** Where the lines go when nothing else is said: written while the process goes on, and at the latest when it ends by itself. */
function standardError(): Lines {
  standard ??= gathered(pino.destination({ fd: 2, sync: false, minLength: GATHER_BYTES }))
  return standard
}

/** The destination's own `periodicFlush` would also write nothing, twenty times a second, in each idle process. */
function gathered(destination: ReturnType<typeof pino.destination>): Lines {
  let unwrittenBytes = 0
  let isTimed = false
  const flushLater = (): void => {
    if (isTimed) return
    isTimed = true
    setTimeout(() => {
      isTimed = false
      if (unwrittenBytes === 0) return
      destination.flush()
      // While something is being written, that does nothing: what came meanwhile has another turn.
      flushLater()
    }, GATHER_MS).unref()
  }
  destination.on('write', (bytes: number) => {
    unwrittenBytes -= bytes
  })
  return {
    write(line) {
      unwrittenBytes += Buffer.byteLength(line)
      destination.write(line)
      flushLater()
    },
    // The first time, what is being written; then, what has come since.
    flush: (done) => destination.flush(() => destination.flush(done)),
  }
}

/** A reader that takes no more lines keeps no process. */
const WRITING_MS_MAX = 5_000

/** Resolves when the lines on standard error are written: those of a process that ends itself before that may come in another order. */
export function linesWritten(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, WRITING_MS_MAX).unref()
    if (standard === undefined) resolve()
    else standard.flush(resolve)
  })
}

/** JSON lines, one event a line. The redaction is the second net: the first is that callers log chosen fields only. */
export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)], censor: CENSOR },
      serializers: { err: safeError },
    },
    options.destination ?? standardError(),
  )
}

const ERROR_TEXT_MAX = 256

/** An error's class, SQLSTATE or system code, stack frames and the reason of a connection: never its properties, which may hold a statement's values. */
function safeError(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const cause = causeOf(error.cause)
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .join('\n')
  return {
    type: error.name,
    message: error.message.slice(0, ERROR_TEXT_MAX),
    ...code,
    ...(cause !== undefined && { cause }),
    frames,
  }
}

/**
 * What the system said, such as `connect ECONNREFUSED 10.0.0.7:5432`, or the SQLSTATE. Of a name with several addresses, each has an
 * error of its own, of which the first will do.
 */
function causeOf(cause: unknown): string | undefined {
  const errors: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  const [error] = errors
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return 'syscall' in error ? error.message.slice(0, ERROR_TEXT_MAX) : String(error.code)
}
