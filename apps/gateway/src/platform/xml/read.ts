import type { XmlElement } from './element.ts'
import { scanXml, XML_LIMITS, type XmlAttribute, type XmlLimits } from './scan.ts'

/** How a document is read. */
interface XmlReading {
  readonly limits?: XmlLimits
  /**
   * Elements of this name are handed over one by one, as soon as each is whole, and are not kept: so a document of a
   * hundred thousand of them takes no more memory than one of ten.
   */
  readonly drain?: {
    readonly name: string
    /** What stands before the element is there already. */
    take(element: XmlElement): void
  }
}

/**
 * Reads a document and gives its root. There is no way in it to name other files or to make a text grow: a document type
 * declaration is refused, and only the five entities of XML itself and characters by number are resolved.
 * Throws XmlProblem.
 */
export function readXml(text: string, { limits = XML_LIMITS, drain }: XmlReading = {}): XmlElement {
  const open: Growing[] = []
  let root: Growing | undefined
  scanXml(
    text,
    {
      open(name, attributes) {
        const element = begin(withoutPrefix(name), attributes, open.at(-1))
        root ??= element
        open.push(element)
      },
      text(piece) {
        const element = open.at(-1)
        // Between elements there is little but the line breaks of who made it pretty.
        if (element !== undefined)
          element.text = element.text === '' ? piece.trimStart() : element.text + piece
      },
      close() {
        const element = open.pop()
        if (element === undefined) return
        element.text = element.text.trim()
        if (drain?.name === element.name) {
          drain.take(element)
          element.parent?.children.get(element.name)?.fill(DRAINED, -1)
        }
      },
    },
    limits,
  )
  if (root === undefined) throw new Error('a document without a root was taken for one')
  return root
}

interface Growing extends XmlElement {
  text: string
  readonly parent: Growing | undefined
  children: Map<string, XmlElement[]>
}

/** Stands where an element stood that was handed over: it still counts. */
const DRAINED: Growing = {
  name: '',
  number: 0,
  parent: undefined,
  text: '',
  attributes: new Map(),
  children: new Map(),
}

/** Most elements are leaves without attributes: they share what is empty. */
const NO_CHILDREN = new Map<string, XmlElement[]>()
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

function begin(name: string, given: readonly XmlAttribute[], parent: Growing | undefined): Growing {
  const siblings = siblingsIn(parent, name)
  const element: Growing = {
    name,
    number: siblings.length + 1,
    parent,
    text: '',
    attributes: NO_ATTRIBUTES,
    children: NO_CHILDREN,
  }
  siblings.push(element)
  return given.length === 0 ? element : Object.assign(element, { attributes: attributesOf(given) })
}

function attributesOf(given: readonly XmlAttribute[]): ReadonlyMap<string, string> {
  return new Map(given.map(({ name, value }) => [withoutPrefix(name), value.trim()]))
}

function siblingsIn(parent: Growing | undefined, name: string): XmlElement[] {
  if (parent === undefined) return []
  if (parent.children === NO_CHILDREN) parent.children = new Map()
  const known = parent.children.get(name)
  if (known !== undefined) return known
  const siblings: XmlElement[] = []
  parent.children.set(name, siblings)
  return siblings
}

const withoutPrefix = (name: string): string => name.slice(name.lastIndexOf(':') + 1)
