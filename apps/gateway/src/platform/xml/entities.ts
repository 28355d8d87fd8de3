import { pathOf, type XmlPlace } from './element.ts'
import { XmlProblem } from './failure.ts'

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
const CODE_POINT_MAX = 0x10ffff

/**
 * Resolves entities once; what they become is not looked at again. Throws XmlProblem, with the path of the place, for one
 * that XML does not know.
 */
export function resolveEntities(text: string, place: XmlPlace): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|[A-Za-z]+);|&/g, (whole, entity: string | undefined) => {
    const known = entity === undefined ? undefined : characterOf(entity)
    if (known === undefined) throw new XmlProblem('ENTITY', whole, pathOf(place))
    return known
  })
}

function characterOf(entity: string): string | undefined {
  if (!entity.startsWith('#')) return NAMED.get(entity)
  const code = entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
  return code > 0 && code <= CODE_POINT_MAX ? String.fromCodePoint(code) : undefined
}

/** The text as it stands between tags or in an attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (each) => {
    const [name] = [...NAMED].find(([, character]) => character === each) ?? ['amp']
    return `&${name};`
  })
}
