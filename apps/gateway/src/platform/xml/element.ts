/** An element. Names are without their prefix. */
export interface XmlElement extends XmlPlace {
  /** Trimmed, with entities resolved. */
  readonly text: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: ReadonlyMap<string, readonly XmlElement[]>
}

/** Where an element stands in its document. */
interface XmlPlace {
  readonly name: string
  /** Which of its name it is among its siblings, from 1. */
  readonly number: number
  /** Undefined for the root. */
  readonly parent: XmlElement | undefined
}

/** `/Document/BkToCstmrStmt/Stmt[2]/Ntry[3]`. */
export function pathOf({ name, number, parent }: XmlPlace): string {
  const siblings = parent?.children.get(name)?.length ?? number
  const own = siblings > 1 ? `${name}[${number}]` : name
  return `${parent === undefined ? '' : pathOf(parent)}/${own}`
}

const NONE: readonly XmlElement[] = []
/** The paths are in our code: there are not many. */
const stepsByPath = new Map<string, readonly string[]>()

function stepsOf(names: string): readonly string[] {
  const known = stepsByPath.get(names)
  if (known !== undefined) return known
  const steps = names.split('/')
  stepsByPath.set(names, steps)
  return steps
}

/** All elements under the names, one step after the other: `TxInfAndSts/StsRsnInf`. */
export function elementsAt(element: XmlElement, names: string): readonly XmlElement[] {
  let found: readonly XmlElement[] = [element]
  for (const name of stepsOf(names)) {
    const [only] = found
    if (only === undefined) return NONE
    // Most paths lead to one element, or to none.
    found =
      found.length === 1
        ? (only.children.get(name) ?? NONE)
        : found.flatMap((each) => each.children.get(name) ?? NONE)
  }
  return found
}

/** The first element under the names. */
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
