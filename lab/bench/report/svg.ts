// Plots without a library: a few rectangles, lines and words.

const WIDTH = 760
const LABEL_WIDTH = 330
const MARGIN = 16
const BAR_HEIGHT = 20
const ROW_HEIGHT = 34
const TITLE_HEIGHT = 40
const COLOURS = ['#2a6f97', '#e07a1f', '#7a3e9d'] as const

interface Bar {
  readonly label: string
  readonly value: number
  /** What the rounds lay between. */
  readonly min: number
  readonly max: number
  readonly shown: string
}

/** Horizontal bars from 0, each with a whisker from the lowest round to the highest. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const top = Math.max(1, ...bars.map(({ max }) => max))
  const room = WIDTH - LABEL_WIDTH - 2 * MARGIN - 70
  const x = (value: number): number => LABEL_WIDTH + (value / top) * room
  const rows = bars.map((bar, index) => {
    const y = TITLE_HEIGHT + index * ROW_HEIGHT
    const middle = y + BAR_HEIGHT / 2
    return [
      words(LABEL_WIDTH - 8, middle + 4, bar.label, 'end'),
      rectangle({
        x: LABEL_WIDTH,
        y,
        width: x(bar.value) - LABEL_WIDTH,
        height: BAR_HEIGHT,
        colour: COLOURS[0],
      }),
      line(x(bar.min), middle, x(bar.max), middle),
      line(x(bar.min), middle - 5, x(bar.min), middle + 5),
      line(x(bar.max), middle - 5, x(bar.max), middle + 5),
      words(x(bar.max) + 8, middle + 4, bar.shown, 'start'),
    ].join('')
  })
  return document(title, TITLE_HEIGHT + bars.length * ROW_HEIGHT + MARGIN, rows.join(''))
}

interface LatencyGroup {
  readonly label: string
  /** Name and milliseconds, in the same order for every group. */
  readonly values: readonly (readonly [name: string, milliseconds: number])[]
}

/** Bars on a logarithmic scale, one colour for each percentile. */
export function latencyChart(title: string, groups: readonly LatencyGroup[]): string {
  const all = groups.flatMap(({ values }) => values.map(([, value]) => value)).filter((value) => value > 0)
  const low = 10 ** Math.floor(Math.log10(Math.min(1, ...all)))
  const high = 10 ** Math.ceil(Math.log10(Math.max(1, ...all) * 1.001))
  const room = WIDTH - LABEL_WIDTH - 2 * MARGIN - 50
  const x = (value: number): number =>
    LABEL_WIDTH + (Math.log10(Math.max(value, low) / low) / Math.log10(high / low)) * room
  const height = 10
  const rows = groups.map(({ label, values }, index) => {
    const y = TITLE_HEIGHT + 20 + index * (values.length * (height + 2) + 12)
    const bars = values.map(([, value], number) => {
      const at = y + number * (height + 2)
      const colour = COLOURS[number] ?? COLOURS[0]
      const bar = rectangle({ x: LABEL_WIDTH, y: at, width: x(value) - LABEL_WIDTH, height, colour })
      return `${bar}${words(x(value) + 5, at + 9, shortNumber(value), 'start')}`
    })
    return words(LABEL_WIDTH - 8, y + (values.length * (height + 2)) / 2 + 4, label, 'end') + bars.join('')
  })
  const names = groups[0]?.values.map(([name]) => name) ?? []
  const legend = names.map((name, index) => legendEntry(LABEL_WIDTH + index * 80, TITLE_HEIGHT, name, index))
  const perGroup = names.length * (height + 2) + 12
  return document(
    title,
    TITLE_HEIGHT + 20 + groups.length * perGroup + MARGIN,
    legend.join('') + rows.join(''),
  )
}

interface Line {
  readonly label: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

interface LineChart {
  readonly title: string
  readonly lines: readonly Line[]
  readonly xLabel: string
  readonly yLabel: string
  /** Numbers of payments are spread over powers of ten. */
  readonly isLogarithmic?: boolean
}

/** Lines from zero up. */
export function lineChart({ title, lines, xLabel, yLabel, isLogarithmic = false }: LineChart): string {
  const height = 260
  const [left, right, bottom] = [80, WIDTH - MARGIN - 20, TITLE_HEIGHT + 20 + height]
  const scale = (value: number): number => (isLogarithmic ? Math.log10(Math.max(1, value)) : value)
  const points = lines.flatMap((each) => each.points)
  const xs = points.map(([x]) => scale(x))
  const [low, high] = [Math.min(...xs), Math.max(...xs)]
  const top = Math.max(...points.map(([, y]) => y), Number.MIN_VALUE) * 1.1
  const px = (x: number): number => left + ((scale(x) - low) / (high - low || 1)) * (right - left)
  const py = (y: number): number => bottom - (y / top) * height
  const drawn = lines.map((each, index) => {
    const path = each.points.map(([x, y]) => `${round(px(x))},${round(py(y))}`).join(' ')
    const colour = COLOURS[index % COLOURS.length] ?? COLOURS[0]
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${legendEntry(left + index * 220, TITLE_HEIGHT, each.label, index)}`
  })
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const value = (top / 1.1) * share
    return (
      words(left - 8, py(value) + 4, shortNumber(value), 'end') + line(left - 4, py(value), left, py(value))
    )
  })
  const xTicks = [...new Set(points.map(([x]) => x))].filter(
    (_, index, all) => all.length <= 8 || index % Math.ceil(all.length / 8) === 0,
  )
  const axis = [
    line(left, bottom, right, bottom),
    line(left, TITLE_HEIGHT + 20, left, bottom),
    ...xTicks.map((value) => words(px(value), bottom + 18, shortNumber(value), 'middle')),
    words((left + right) / 2, bottom + 36, xLabel, 'middle'),
    words(right, TITLE_HEIGHT + 4, yLabel, 'end'),
  ]
  return document(title, bottom + 36 + MARGIN, [...axis, ...ticks, ...drawn].join(''))
}

function legendEntry(x: number, y: number, label: string, index: number): string {
  const colour = COLOURS[index % COLOURS.length] ?? COLOURS[0]
  return rectangle({ x, y: y - 6, width: 10, height: 10, colour }) + words(x + 15, y + 4, label, 'start')
}

/** At most three digits that matter. */
export function shortNumber(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toPrecision(3))} M`
  if (value >= 10_000) return `${Number((value / 1_000).toPrecision(3))} k`
  return String(Number(value.toPrecision(3)))
}

function document(title: string, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#222">
<title>${escapeXml(title)}</title>
<rect width="${WIDTH}" height="${height}" rx="6" fill="#fff"/>
<text x="${MARGIN}" y="24" font-size="15" font-weight="600">${escapeXml(title)}</text>
${content}
</svg>
`
}

interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly colour: string
}

function rectangle({ x, y, width, height, colour }: Rectangle): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(1, width))}" height="${height}" fill="${colour}"/>`
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="#222"/>`
}

function words(x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeXml(text)}</text>`
}

const round = (value: number): number => Math.round(value * 10) / 10

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
