import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { FileProblem } from './errors.ts'

/** An element. Names are without their prefix. */
export interface XmlElement {
  readonly name: string
  /** Which of its name it is among its siblings, from 1. */
  readonly number: number
  readonly parent: XmlElement | undefined
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
 * Reads a document. There is no way in it to name other files or to make a text grow: a document type declaration is
 * refused, and only the five entities of XML itself and characters by number are resolved. Throws FileProblem.
 */
export function readXml(text: string): XmlElement {
  const doctype = /<!(?:DOCTYPE|ENTITY)/i.exec(text)
  if (doctype !== null)
    throw new FileProblem(
      'the file declares a document type; no bank needs one, and it is not taken. Ask the bank for the plain message.',
      lineAt(text, doctype.index),
    )
  // The parser takes malformed XML in silence. The library wants its validator to be had as a package of its own; this is it.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const verdict = XMLValidator.validate(text)
  if (verdict !== true)
    throw new FileProblem(
      `this is not well-formed XML: ${verdict.err.msg} Was the file cut off? Fetch it anew.`,
      `line ${verdict.err.line}`,
    )
  const parsed = parse(text)
  const roots = Object.entries(parsed).filter(([name]) => name !== TEXT)
  const [root] = roots
  if (root === undefined || roots.length > 1)
    throw new FileProblem(`an XML file has one root element; this one has ${roots.length}.`)
  return toElement(root[1], { name: root[0], number: 1, parent: undefined })
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
    const reason = error instanceof Error ? error.message : String(error)
    throw new FileProblem(`the XML cannot be read: ${reason}. No bank sends such a file; fetch it anew.`)
  }
}

type Place = Pick<XmlElement, 'name' | 'number' | 'parent'>

function toElement(value: unknown, place: Place): XmlElement {
  const children = new Map<string, readonly XmlElement[]>()
  const attributes = new Map<string, string>()
  const element = { ...place, children, attributes, text: textOf(value, place) }
  if (typeof value !== 'object' || value === null) return element
  for (const [name, inner] of Object.entries(value)) {
    if (name === TEXT || name === CDATA) continue
    if (name.startsWith(ATTRIBUTE)) attributes.set(name.slice(1), resolve(String(inner), place))
    else {
      const all: readonly unknown[] = Array.isArray(inner) ? inner : [inner]
      children.set(
        name,
        all.map((each, index) => toElement(each, { name, number: index + 1, parent: element })),
      )
    }
  }
  return element
}

function textOf(value: unknown, place: Place): string {
  if (typeof value === 'string') return resolve(value, place)
  if (typeof value !== 'object' || value === null) return ''
  const parts: string[] = []
  for (const [name, inner] of Object.entries(value)) {
    const all: readonly unknown[] = Array.isArray(inner) ? inner : [inner]
    if (name === TEXT) parts.push(...all.map((each) => resolve(String(each), place)))
    if (name === CDATA) parts.push(...all.map(String))
  }
  return parts.join('').trim()
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Resolves entities once; what they become is not looked at again. */
function resolve(text: string, place: Place): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|[A-Za-z]+);|&/g, (whole, entity: string | undefined) => {
    const known = entity === undefined ? undefined : characterOf(entity)
    if (known === undefined) throw new FileProblem(`${whole} is no entity that XML knows.`, pathOf(place))
    return known
  })
}

function characterOf(entity: string): string | undefined {
  if (!entity.startsWith('#')) return Object.hasOwn(NAMED, entity) ? NAMED[entity] : undefined
  const code = entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

const lineAt = (text: string, index: number): string => `line ${text.slice(0, index).split('\n').length}`

/** `/Document/BkToCstmrStmt/Stmt[2]/Ntry[3]`. */
export function pathOf(element: Pick<XmlElement, 'name' | 'number' | 'parent'>): string {
  const siblings = element.parent?.children.get(element.name)?.length ?? element.number
  const own = siblings > 1 ? `${element.name}[${element.number}]` : element.name
  return `${element.parent === undefined ? '' : pathOf(element.parent)}/${own}`
}

/** All elements under the names, one step after the other: `NtryDtls/TxDtls`. */
export function elementsAt(element: XmlElement, names: string): readonly XmlElement[] {
  let found: readonly XmlElement[] = [element]
  for (const name of names.split('/')) found = found.flatMap((each) => each.children.get(name) ?? [])
  return found
}

export function elementAt(element: XmlElement, names: string): XmlElement | undefined {
  return elementsAt(element, names)[0]
}

/** The first text that is not empty under one of the paths, in their order. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const found = elementsAt(element, path).find(({ text }) => text !== '')
    if (found !== undefined) return found.text
  }
  return undefined
}

/** Every text that is not empty under the paths. */
export function textsAt(element: XmlElement, ...paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => elementsAt(element, path).flatMap(({ text }) => (text === '' ? [] : [text])))
}
