/** In which way a document cannot be read. */
export type XmlProblemKind = 'DOCUMENT_TYPE' | 'MALFORMED' | 'TOO_MUCH'

const SENTENCES: Readonly<Record<XmlProblemKind, (detail: string, where: string) => string>> = {
  DOCUMENT_TYPE: () => 'It declares a document type, which no bank needs, and which is not taken.',
  MALFORMED: (said, where) => `It is not well-formed XML: ${where}: ${said}`,
  TOO_MUCH: (what, where) => `It holds ${what} (${where}), more than is read.`,
}

/** A parser repeats what it stumbled over, be it the whole document. */
const DETAIL_CHARACTERS_MAX = 200
const shortened = (detail: string): string =>
  detail.length > DETAIL_CHARACTERS_MAX ? `${detail.slice(0, DETAIL_CHARACTERS_MAX)}…` : detail

/**
 * A document that cannot be read. The message is one sentence about it; who has words of their own makes them of its
 * parts.
 */
export class XmlProblem extends Error {
  override readonly name = 'XmlProblem'
  readonly kind: XmlProblemKind
  /**
   * What the parser says (MALFORMED), what there is too much of, or how the declaration begins: at most 200 characters of it.
   */
  readonly detail: string
  /** `line 3`. */
  readonly where: string

  constructor(kind: XmlProblemKind, detail: string, where: string) {
    super(SENTENCES[kind](shortened(detail), where))
    this.kind = kind
    this.detail = shortened(detail)
    this.where = where
  }
}
