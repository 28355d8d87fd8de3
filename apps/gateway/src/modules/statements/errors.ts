/** Something that cannot be done with statements: one sentence, and what class of problem it is. */
export class StatementProblem extends Error {
  override readonly name: string = 'StatementProblem'
  readonly kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

  constructor(message: string, kind: 'NOT_FOUND' | 'CONFLICT' | 'INVALID' = 'INVALID') {
    super(message)
    this.kind = kind
  }
}

/** A file that cannot be taken. Nothing of it was stored. `where` is a path or a line of the file. */
export class FileProblem extends StatementProblem {
  override readonly name = 'FileProblem'
  readonly where: string | undefined

  constructor(what: string, where?: string) {
    super(where === undefined ? what : `${where}: ${what}`)
    this.where = where
  }
}
