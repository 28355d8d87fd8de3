export { elementAt, elementsAt, pathOf, textAt, textsAt, type XmlElement } from './element.ts'
export { escapeXml } from './entities.ts'
export { XmlProblem, type XmlProblemKind } from './failure.ts'
export { readXml } from './read.ts'
