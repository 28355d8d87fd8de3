import { SaxesParser } from 'saxes'
import { XmlProblem } from './failure.ts'

/** The bounds of a document: they keep a hostile one as cheap as an honest one of its size. */
export interface XmlLimits {
  /** Levels of elements within each other. */
  readonly depthMax: number
  readonly elementsMax: number
  /** Of all elements together. */
  readonly attributesMax: number
  readonly attributesPerElementMax: number
  /** Of one text, one value of an attribute, or one name, in characters. */
  readonly textCharactersMax: number
}

/** Far beyond any message of a bank: 20,000 bookings in full have about a million elements. */
export const XML_LIMITS: XmlLimits = {
  depthMax: 40,
  elementsMax: 2_000_000,
  attributesMax: 1_000_000,
  attributesPerElementMax: 64,
  textCharactersMax: 1_048_576,
}

/** What is found in a document, in its order. Texts and values have their entities resolved. */
interface XmlEvents {
  /** The name is as it is written, with its prefix. */
  open(name: string, attributes: readonly XmlAttribute[]): void
  text(text: string): void
  close(): void
}

export interface XmlAttribute {
  readonly name: string
  readonly value: string
}

const DOCTYPE = /<!(?:DOCTYPE|ENTITY)/i

/**
 * Reads a document once from its beginning to its end, in time that grows with its length only. A document type declaration is
 * refused, and there are no entities but the five of XML and characters by number. Throws XmlProblem.
 */
export function scanXml(text: string, events: XmlEvents, limits: XmlLimits): void {
  const doctype = DOCTYPE.exec(text)
  if (doctype !== null) throw new XmlProblem('DOCUMENT_TYPE', doctype[0], lineAt(text, doctype.index))
  const parser = new SaxesParser()
  const tooMuch = (what: string): never => {
    throw new XmlProblem('TOO_MUCH', what, `line ${parser.line}`)
  }
  const checkLength = (found: string): void => {
    if (found.length > limits.textCharactersMax)
      tooMuch(`a text of more than ${limits.textCharactersMax} characters`)
  }
  const counts = { depth: 0, elements: 0, attributes: 0 }
  let attributes: XmlAttribute[] = []
  const takeText = (found: string): void => {
    checkLength(found)
    if (counts.depth > 0) events.text(found)
  }
  parser.on('error', ({ message }) => {
    const said = message.replace(POSITION, '').replace(/[.]?$/, '.')
    throw new XmlProblem('MALFORMED', said, `line ${parser.line}`)
  })
  parser.on('opentagstart', ({ name }) => {
    checkLength(name)
    counts.elements += 1
    counts.depth += 1
    if (counts.elements > limits.elementsMax) tooMuch(`more than ${limits.elementsMax} elements`)
    if (counts.depth > limits.depthMax) tooMuch(`elements that are nested more than ${limits.depthMax} deep`)
    attributes = []
  })
  parser.on('attribute', ({ name, value }) => {
    checkLength(name)
    checkLength(value)
    attributes.push({ name, value })
    counts.attributes += 1
    if (attributes.length > limits.attributesPerElementMax)
      tooMuch(`an element with more than ${limits.attributesPerElementMax} attributes`)
    if (counts.attributes > limits.attributesMax) tooMuch(`more than ${limits.attributesMax} attributes`)
  })
  parser.on('opentag', ({ name }) => events.open(name, attributes))
  parser.on('text', takeText)
  parser.on('cdata', takeText)
  parser.on('closetag', () => {
    counts.depth -= 1
    events.close()
  })
  parser.write(text).close()
}

/** The parser puts line and column before what it says. */
const POSITION = /^\d+:\d+: /

function lineAt(text: string, index: number): string {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return `line ${line}`
}
