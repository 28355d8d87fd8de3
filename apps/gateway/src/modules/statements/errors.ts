/** WAITS: something else waits for a second operator first. */
type ProblemKind = 'NOT_FOUND' | 'CONFLICT' | 'WAITS' | 'INVALID'

/** Something that cannot be done with statements: one sentence, and what class of problem it is. */
export class StatementProblem extends Error {
  override readonly name: string = 'StatementProblem'
  readonly kind: ProblemKind

  /** The field of an order that is wrong. */
  readonly field: string

  constructor(message: string, kind: ProblemKind = 'INVALID', field = 'decision') {
    super(message)
    this.kind = kind
    this.field = field
  }
}

/** What is wrong is often told with the words of the file, and they may be as long as the file. */
const MESSAGE_CHARACTERS_MAX = 500
const shortened = (message: string): string =>
  message.length > MESSAGE_CHARACTERS_MAX ? `${message.slice(0, MESSAGE_CHARACTERS_MAX)}…` : message

/**
 * A file that cannot be taken. Nothing of it was stored. `where` is a path or a line of the file. The message has at most
 * 500 characters of what it is told.
 */
export class FileProblem extends StatementProblem {
  override readonly name = 'FileProblem'
  readonly where: string | undefined

  constructor(what: string, where?: string) {
    super(shortened(where === undefined ? what : `${where}: ${what}`))
    this.where = where
  }
}
