// A merchant's colour, made fit to be read: whatever it is, text on it and in it has enough contrast.

/** Contrast of texts (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.5
/** Contrast of what is pressed with what is around it (WCAG 2.2, 1.4.11). */
const PLATE_CONTRAST_MIN = 3
const STEPS_MAX = 40
const STEP = 0.06

type Rgb = readonly [number, number, number]

const WHITE: Rgb = [255, 255, 255]
const INK: Rgb = [17, 21, 27]
const BLACK: Rgb = [0, 0, 0]
/** How much of the colour is in the pane beside the screen. */
const TINT = 0.05
/** Of the grounds that the page has in each theme, the one on which texts are hardest to read (assets/styles/base.css). */
const GROUND_LIGHT: Rgb = [241, 242, 245]
const GROUND_DARK: Rgb = [26, 32, 40]
const PAPER_DARK: Rgb = [19, 23, 29]

/** The colour by which a stylesheet is named, six hex digits; undefined for what is none. */
export function colourOf(text: string | undefined): string | undefined {
  const found = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text ?? '')?.[1]?.toLowerCase()
  return found?.length === 3 ? found.replace(/./g, '$&$&') : found
}

/**
 * The rules of a merchant's colour, in six hex digits, for the end of the stylesheet. The same colour always gives the same
 * rules.
 */
export function brandStylesheet(colour: string): string {
  const rgb = parse(colour)
  return `${light(rgb)}@media (prefers-color-scheme: dark){${dark(rgb)}}\n`
}

/** In the light a shop's colour stays what it is: where it is too pale for an edge or for words, those are darker. */
function light(brand: Rgb): string {
  const pane = mix(WHITE, brand, TINT)
  const ground = luminance(pane) < luminance(GROUND_LIGHT) ? pane : GROUND_LIGHT
  const isSeen = contrast(brand, WHITE) >= PLATE_CONTRAST_MIN
  return rulesOf({
    brand,
    'on-brand': bestOn(brand),
    'brand-text': readableOn(ground, brand, CONTRAST_MIN),
    'brand-edge': isSeen ? brand : readableOn(WHITE, brand, PLATE_CONTRAST_MIN),
    pane,
  })
}

/** In the dark a plate that would vanish is lighter, and the pane stays neutral: tinted black looks dirty. */
function dark(brand: Rgb): string {
  const plate = readableOn(PAPER_DARK, brand, PLATE_CONTRAST_MIN)
  return rulesOf({
    brand: plate,
    'on-brand': bestOn(plate),
    'brand-text': readableOn(GROUND_DARK, brand, CONTRAST_MIN),
    'brand-edge': plate,
  })
}

/** White or ink, whichever is read better; on a few colours in the middle only black is dark enough. */
function bestOn(plate: Rgb): Rgb {
  const fit = [WHITE, INK].toSorted((one, other) => contrast(plate, other) - contrast(plate, one))[0] ?? INK
  return contrast(plate, fit) >= CONTRAST_MIN ? fit : BLACK
}

/** The selector twice: as strong as the rules of the page's own dark theme, and after them. */
function rulesOf(colours: Readonly<Record<string, Rgb>>): string {
  const rules = Object.entries(colours).map(([name, rgb]) => `--${name}:${hex(rgb)}`)
  return `:root:root{${rules.join(';')}}`
}

/** The colour, moved away from the ground until it can be read there. */
function readableOn(ground: Rgb, colour: Rgb, contrastMin: number): Rgb {
  const target: Rgb = luminance(ground) > 0.4 ? [0, 0, 0] : [255, 255, 255]
  let current = colour
  for (let step = 1; contrast(current, ground) < contrastMin && step <= STEPS_MAX; step += 1)
    current = mix(colour, target, Math.min(1, step * STEP))
  return current
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * share)
  return [part(0), part(1), part(2)]
}

/** From 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  return contrast(parse(one), parse(other))
}

function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function parse(colour: string): Rgb {
  const number = Number.parseInt(colour.replace('#', ''), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}

const hex = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
