import { scanXml, XML_LIMITS } from './scan.ts'

/** An element with its children in their order, and names with their prefix, as they are written. */
export interface XmlNode {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlNode[]
}

interface GrowingNode extends XmlNode {
  readonly children: GrowingNode[]
}

/**
 * Reads a document of which the order counts, such as a drawing, and gives its root. Texts, comments and instructions are
 * left out. As in `readXml`, there is no document type and no entity but XML's own. Throws XmlProblem.
 */
export function readXmlNodes(text: string): XmlNode {
  const open: GrowingNode[] = []
  let root: GrowingNode | undefined
  scanXml(
    text,
    {
      open(name, given) {
        const node = {
          name,
          attributes: new Map(given.map((attribute) => [attribute.name, attribute.value])),
          children: [],
        }
        open.at(-1)?.children.push(node)
        root ??= node
        open.push(node)
      },
      text: () => undefined,
      close: () => void open.pop(),
    },
    XML_LIMITS,
  )
  if (root === undefined) throw new Error('a document without a root was taken for one')
  return root
}
