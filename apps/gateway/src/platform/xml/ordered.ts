import { XMLParser } from 'fast-xml-parser'
import { resolveEntities } from './entities.ts'
import { XmlProblem } from './failure.ts'
import { requireWellFormed } from './well-formed.ts'

/** An element with its children in their order, and names with their prefix, as they are written. */
export interface XmlNode {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlNode[]
}

const DEPTH_MAX = 40
const ATTRIBUTE = '@'
const ATTRIBUTES = ':@'

/**
 * Reads a document of which the order counts, such as a drawing, and gives its root. Texts, comments and instructions are
 * left out. As in `readXml`, there is no document type and no entity but XML's own. Throws XmlProblem.
 */
export function readXmlNodes(text: string): XmlNode {
  requireWellFormed(text)
  const roots = nodesIn(parse(text))
  const [root] = roots
  if (root === undefined || roots.length > 1) throw new XmlProblem('ROOTS', String(roots.length))
  return root
}

function parse(text: string): unknown {
  try {
    return new XMLParser({
      preserveOrder: true,
      ignoreAttributes: false,
      attributeNamePrefix: ATTRIBUTE,
      parseTagValue: false,
      parseAttributeValue: false,
      ignoreDeclaration: true,
      ignorePiTags: true,
      processEntities: false,
      maxNestedTags: DEPTH_MAX,
    }).parse(text)
  } catch (error) {
    throw new XmlProblem('UNREADABLE', error instanceof Error ? error.message : String(error))
  }
}

/** The parser writes a node as an object with its name, and beside it its attributes. */
function nodesIn(list: unknown): readonly XmlNode[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return []
    const members: readonly (readonly [string, unknown])[] = Object.entries(each)
    const named = members.find(([name]) => name !== ATTRIBUTES)
    if (named === undefined || named[0].startsWith('#')) return []
    const [name, children] = named
    const attributes = members.find(([member]) => member === ATTRIBUTES)?.[1]
    return [{ name, attributes: attributesIn(name, attributes), children: nodesIn(children) }]
  })
}

function attributesIn(name: string, given: unknown): ReadonlyMap<string, string> {
  if (typeof given !== 'object' || given === null) return new Map()
  const place = { name, number: 1, parent: undefined }
  return new Map(
    Object.entries(given).map(([attribute, value]) => [
      attribute.slice(ATTRIBUTE.length),
      resolveEntities(String(value), place),
    ]),
  )
}
