export { escapeXml } from './entities.ts'
export { XmlProblem } from './failure.ts'
export { elementsAt, readXml, textAt, type XmlElement } from './read.ts'
