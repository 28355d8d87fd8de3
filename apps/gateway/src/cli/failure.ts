/** What the exit code says. Documented in docs/cli.md. */
export const EXIT_CODES = {
  OK: 0,
  /** The command ran and found a fault, or failed itself. */
  FAULT: 1,
  USAGE: 2,
  CREDENTIALS: 3,
  NOT_FOUND: 4,
  CONFLICT: 5,
  REFUSED: 6,
  RATE_LIMIT: 7,
  UNREACHABLE: 8,
  SERVER: 9,
  /** Given up because somebody asked for it by a signal. */
  INTERRUPTED: 130,
} as const

export type FailureKind = Exclude<keyof typeof EXIT_CODES, 'OK'>

/** A command that cannot do what was asked. The message is one clear sentence that says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly kind: FailureKind
  /** What follows it, a line each: every field or line that is wrong. */
  readonly lines: readonly string[]

  constructor(kind: FailureKind, message: string, lines: readonly string[] = []) {
    super(message)
    this.kind = kind
    this.lines = lines
  }
}
