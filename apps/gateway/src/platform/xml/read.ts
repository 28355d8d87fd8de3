import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { resolveEntities } from './entities.ts'
import { XmlProblem } from './failure.ts'

/** An element. Names are without their prefix. */
export interface XmlElement {
  readonly name: string
  /** Trimmed, with entities resolved. */
  readonly text: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: ReadonlyMap<string, readonly XmlElement[]>
}

/** Deeper than any message of a bank. */
const DEPTH_MAX = 40
const TEXT = '#text'
const CDATA = '#cdata'
const ATTRIBUTE = '@'

/**
 * Reads a document and gives its root. There is no way in it to name other files or to make a text grow: a document type
 * declaration is refused, and only the five entities of XML itself and characters by number are resolved.
 * Throws XmlProblem.
 */
export function readXml(text: string): XmlElement {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new XmlProblem('It declares a document type, which no bank needs, and which is not taken.')
  // The parser takes malformed XML in silence. The library wants its validator to be had as a package of its own; this is it.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const verdict = XMLValidator.validate(text)
  if (verdict !== true)
    throw new XmlProblem(`It is not well-formed XML: line ${String(verdict.err.line)}: ${verdict.err.msg}`)
  const roots = Object.entries(parse(text)).filter(([name]) => name !== TEXT)
  const [root] = roots
  if (root === undefined || roots.length > 1)
    throw new XmlProblem(`It has ${String(roots.length)} root elements; XML has one.`)
  return toElement(root[0], root[1])
}

function parse(text: string): object {
  try {
    const parsed: unknown = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: ATTRIBUTE,
      textNodeName: TEXT,
      cdataPropName: CDATA,
      parseTagValue: false,
      parseAttributeValue: false,
      removeNSPrefix: true,
      trimValues: true,
      ignoreDeclaration: true,
      ignorePiTags: true,
      // Resolved below: what is not known must be an error, not a text that is left as it is.
      processEntities: false,
      maxNestedTags: DEPTH_MAX,
    }).parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch (error) {
    throw new XmlProblem(`It cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function toElement(name: string, value: unknown): XmlElement {
  const children = new Map<string, readonly XmlElement[]>()
  const attributes = new Map<string, string>()
  if (typeof value === 'object' && value !== null) {
    for (const [member, inner] of Object.entries(value)) {
      if (member === TEXT || member === CDATA) continue
      if (member.startsWith(ATTRIBUTE)) attributes.set(member.slice(1), resolveEntities(String(inner)))
      else
        children.set(
          member,
          listOf(inner).map((each) => toElement(member, each)),
        )
    }
  }
  return { name, text: textOf(value), attributes, children }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

function textOf(value: unknown): string {
  if (typeof value === 'string') return resolveEntities(value)
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .flatMap(([member, inner]) => {
      if (member === CDATA) return listOf(inner).map(String)
      return member === TEXT ? listOf(inner).map((each) => resolveEntities(String(each))) : []
    })
    .join('')
    .trim()
}

/** All elements under the names, one step after the other: `TxInfAndSts/StsRsnInf`. */
export function elementsAt(element: XmlElement, names: string): readonly XmlElement[] {
  return names
    .split('/')
    .reduce<readonly XmlElement[]>(
      (found, name) => found.flatMap((each) => each.children.get(name) ?? []),
      [element],
    )
}

/** The first text that is not empty under one of the paths, in their order. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const found = elementsAt(element, path).find(({ text }) => text !== '')
    if (found !== undefined) return found.text
  }
  return undefined
}
