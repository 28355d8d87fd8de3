import { XMLValidator } from 'fast-xml-parser'
import { XmlProblem } from './failure.ts'

/** Throws XmlProblem for what is no well-formed XML, and for every document type declaration. */
export function requireWellFormed(text: string): void {
  const doctype = /<!(?:DOCTYPE|ENTITY)/i.exec(text)
  if (doctype !== null) throw new XmlProblem('DOCUMENT_TYPE', doctype[0], lineAt(text, doctype.index))
  // The parser takes malformed XML in silence. The library wants its validator to be had as a package of its own; this is it.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const verdict = XMLValidator.validate(text)
  if (verdict !== true) throw new XmlProblem('MALFORMED', verdict.err.msg, `line ${verdict.err.line}`)
}

const lineAt = (text: string, index: number): string => `line ${text.slice(0, index).split('\n').length}`
