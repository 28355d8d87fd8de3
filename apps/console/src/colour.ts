// A shop's colour: what is legible on it, and its tint, as the payment page makes them.

const COLOUR = /^#[0-9a-f]{6}$/i
const INK = '#11151b'
const WHITE = '#ffffff'
/** How much of the colour is in the pane of the payment page. */
const TINT = 0.07

export interface Shades {
  readonly fill: string
  /** White or ink, whichever contrasts more. */
  readonly onFill: string
  readonly contrast: string
  readonly soft: string
  /** Whether it can be read as text on white; otherwise links are ink. */
  readonly isLink: boolean
}

const LINK_CONTRAST_MIN = 4.5

/** Undefined for what is no colour. */
export function shadesOf(colour: string | undefined): Shades | undefined {
  if (colour === undefined || !COLOUR.test(colour)) return undefined
  const [onWhite, onInk] = [contrastOf(colour, WHITE), contrastOf(colour, INK)]
  return {
    fill: colour,
    onFill: onWhite >= onInk ? WHITE : INK,
    contrast: Math.max(onWhite, onInk).toFixed(1),
    soft: mixed(colour),
    isLink: onWhite >= LINK_CONTRAST_MIN,
  }
}

const channelsOf = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** By WCAG 2. */
function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const mixed = (colour: string): string =>
  `#${channelsOf(colour)
    .map((channel) => Math.round(255 - (255 - channel) * TINT))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`
