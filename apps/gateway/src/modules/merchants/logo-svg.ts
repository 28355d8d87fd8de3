import { escapeXml, readXmlNodes, type XmlNode, XmlProblem } from '../../platform/xml/index.ts'
import { MerchantProblem } from './errors.ts'

/** A drawing of shapes alone. */
interface SvgDrawing {
  readonly text: string
  /** In pixels, rounded. */
  readonly width: number
  readonly height: number
}

/**
 * Draws an SVG anew from what is known to be harmless: shapes, groups, gradients and clips, with colours and numbers.
 * What says nothing about the look is left out: notes, and everything of other namespaces. Anything else is refused, with
 * its name: scripts, styles, texts, pictures, links and references to anywhere else. Throws MerchantProblem.
 */
export function redrawSvg(text: string): SvgDrawing {
  const root = parse(text)
  if (root.name !== 'svg' || (root.attributes.get('xmlns') ?? NAMESPACE) !== NAMESPACE)
    throw new MerchantProblem('The logo is none of PNG, JPEG, WebP and SVG.')
  const { viewBox, width, height } = sizeOf(root)
  const size = ` viewBox="${viewBox.join(' ')}" width="${width}" height="${height}"`
  const own = attributesOf(root).filter(([name]) => !SIZES.has(name))
  const drawn = root.children.map(drawElement).join('')
  return { text: `<svg xmlns="${NAMESPACE}"${size}${written(own)}>${drawn}</svg>`, width, height }
}

const NAMESPACE = 'http://www.w3.org/2000/svg'
const SIZES: ReadonlySet<string> = new Set(['viewBox', 'width', 'height', 'x', 'y'])

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const ELEMENTS = words(`g defs path rect circle ellipse line polyline polygon
  linearGradient radialGradient stop clipPath mask`)
/** They tell people and programs about the drawing. */
const NOTES = words('title desc metadata')
const ATTRIBUTES =
  words(`id d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height points viewBox preserveAspectRatio transform
  fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray
  stroke-dashoffset stroke-opacity opacity color offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod
  clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits href`)
const SILENT_ATTRIBUTES = words('xmlns class version baseProfile enable-background role')

/** Neither a colon nor a slash, quotation mark or semicolon: nothing in it can lead elsewhere. */
const PLAIN_VALUE = /^[A-Za-z0-9\s.,#%()_+-]*$/
const LOCAL_URL = /^url\(#[A-Za-z_][\w.-]*\)$/
const LOCAL_HREF = /^#[A-Za-z_][\w.-]*$/

function parse(text: string): XmlNode {
  try {
    return readXmlNodes(text)
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error
    throw new MerchantProblem(
      error.kind === 'DOCUMENT_TYPE'
        ? 'The SVG declares a document type; take that line out.'
        : `The SVG cannot be read. ${error.message}`,
    )
  }
}

function drawElement(node: XmlNode): string {
  const { name, children } = node
  if (NOTES.has(name) || name.includes(':')) return ''
  if (!ELEMENTS.has(name)) throw new MerchantProblem(refusalOf(name))
  const inner = children.map(drawElement).join('')
  const start = `<${name}${written(attributesOf(node))}`
  return inner === '' ? `${start}/>` : `${start}>${inner}</${name}>`
}

function refusalOf(name: string): string {
  const advice = name.startsWith('text') ? ' Turn texts into paths.' : ''
  return `The SVG has <${name}>: in a logo there are shapes, gradients and clips only.${advice}`
}

type Attributes = readonly (readonly [string, string])[]

function attributesOf({ name: element, attributes }: XmlNode): Attributes {
  return [...attributes].flatMap(([written, value]) => {
    const name = written === 'xlink:href' ? 'href' : written
    if (isSilent(name)) return []
    if (!ATTRIBUTES.has(name))
      throw new MerchantProblem(
        `The SVG has ${name} on <${element}>, which is not taken. Styles are taken as attributes: fill, stroke, opacity …`,
      )
    if (!isHarmless(name, value, element))
      throw new MerchantProblem(`The SVG has a value in ${name} on <${element}> that is not taken.`)
    return [[name, value.replace(/\s+/g, ' ').trim()] as const]
  })
}

const isSilent = (name: string): boolean =>
  SILENT_ATTRIBUTES.has(name) || name.includes(':') || /^(?:data|aria)-/.test(name)

function isHarmless(name: string, value: string, element: string): boolean {
  if (name === 'href') return element.endsWith('Gradient') && LOCAL_HREF.test(value)
  if (!PLAIN_VALUE.test(value)) return false
  return !/url\s*\(/i.test(value) || LOCAL_URL.test(value)
}

const written = (attributes: Attributes): string =>
  attributes.map(([name, value]) => ` ${name}="${escapeXml(value)}"`).join('')

const SIDE_MAX = 1024

interface Size {
  readonly viewBox: readonly number[]
  readonly width: number
  readonly height: number
}

/** In the proportions that it gives itself, or of its box; not larger than a picture may be. */
function sizeOf({ attributes }: XmlNode): Size {
  const sides = ['width', 'height'].map((name) => lengthOf(attributes.get(name)))
  const box = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(numberOf)
  const viewBox = box.length === BOX_NUMBERS ? box : [0, 0, ...sides]
  const lengths = sides.some(Number.isNaN) ? viewBox.slice(2) : sides
  if (viewBox.some(Number.isNaN) || ![...lengths, ...viewBox.slice(2)].every((length) => length > 0))
    throw new MerchantProblem('The SVG has no size: give it a viewBox, or a width and a height in pixels.')
  const scale = Math.min(1, SIDE_MAX / Math.max(...lengths))
  const [width = 1, height = 1] = lengths.map((length) => Math.max(1, Math.round(length * scale)))
  return { viewBox, width, height }
}

const BOX_NUMBERS = 4
const lengthOf = (text: string | undefined): number => numberOf((text ?? '').replace(/px$/, ''))
const numberOf = (text: string): number => (/^-?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN)
