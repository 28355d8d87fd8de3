import { XMLParser } from 'fast-xml-parser'
import type { XmlElement, XmlPlace } from './element.ts'
import { resolveEntities } from './entities.ts'
import { XmlProblem } from './failure.ts'
import { requireWellFormed } from './well-formed.ts'

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
  requireWellFormed(text)
  const roots = Object.entries(parse(text))
    .filter(([name]) => name !== TEXT)
    .flatMap(([name, value]) => listOf(value).map((each) => ({ name, value: each })))
  const [root] = roots
  if (root === undefined || roots.length > 1) throw new XmlProblem('ROOTS', String(roots.length))
  return toElement(root.value, { name: root.name, number: 1, parent: undefined })
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
    throw new XmlProblem('UNREADABLE', error instanceof Error ? error.message : String(error))
  }
}

function toElement(value: unknown, place: XmlPlace): XmlElement {
  const children = new Map<string, readonly XmlElement[]>()
  const attributes = new Map<string, string>()
  const element = { ...place, text: textOf(value, place), attributes, children }
  if (typeof value !== 'object' || value === null) return element
  for (const [name, inner] of Object.entries(value)) {
    if (name === TEXT || name === CDATA) continue
    if (name.startsWith(ATTRIBUTE)) attributes.set(name.slice(1), resolveEntities(String(inner), place))
    else
      children.set(
        name,
        listOf(inner).map((each, index) => toElement(each, { name, number: index + 1, parent: element })),
      )
  }
  return element
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

function textOf(value: unknown, place: XmlPlace): string {
  if (typeof value === 'string') return resolveEntities(value, place)
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .flatMap(([name, inner]) => {
      if (name === CDATA) return listOf(inner).map(String)
      return name === TEXT ? listOf(inner).map((each) => resolveEntities(String(each), place)) : []
    })
    .join('')
    .trim()
}
