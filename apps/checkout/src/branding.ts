// A merchant's colour, made fit to be read: whatever it is, text on it and in it has enough contrast.

/** Contrast of texts (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.5
/** Contrast of what is pressed with what is around it (WCAG 2.2, 1.4.11). */
const PLATE_CONTRAST_MIN = 3
const STEPS_MAX = 40
const STEP = 0.06

type Rgb = readonly [number, number, number]

const LIGHT: Rgb = [255, 255, 255]
const DARK: Rgb = [16, 18, 22]
/** Of the grounds that the page has in each theme, the one on which texts are hardest to read (assets/styles/base.css). */
const GROUND_LIGHT: Rgb = [244, 245, 247]
const GROUND_DARK: Rgb = [30, 34, 39]

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
  return `${rootOf(rgb, GROUND_LIGHT)}@media (prefers-color-scheme: dark){${rootOf(rgb, GROUND_DARK)}}\n`
}

function rootOf(brand: Rgb, ground: Rgb): string {
  // A button must stand out from the page as well, and carry a text.
  const plate = readableOn(ground, brand, PLATE_CONTRAST_MIN)
  const on = contrast(plate, LIGHT) >= contrast(plate, DARK) ? LIGHT : DARK
  const fitting = readableOn(on, plate, CONTRAST_MIN)
  // Twice: as strong as the rules of the page's own dark theme, and after them.
  return `:root:root{--brand:${hex(fitting)};--on-brand:${hex(on)};--brand-text:${hex(readableOn(ground, brand, CONTRAST_MIN))}}`
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
