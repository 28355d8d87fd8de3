interface MediaRange {
  readonly type: string
  readonly quality: number
}

/**
 * Whether who sent this `Accept` (RFC 9110, 12.5.1) would rather have CSV than JSON. JSON is the default: where both are
 * liked equally, or neither is.
 */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = accept.split(',').map(readRange)
  return qualityOf(ranges, 'text', 'csv') > qualityOf(ranges, 'application', 'json')
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length)
  return { type, quality: quality === undefined ? 1 : readQuality(quality) }
}

function readQuality(text: string): number {
  return /^(?:0(?:[.]\d{0,3})?|1(?:[.]0{0,3})?)$/.test(text) ? Number(text) : 0
}

/** What the most specific range says that covers the media type; 0 when none does. */
function qualityOf(ranges: readonly MediaRange[], type: string, subtype: string): number {
  for (const wanted of [`${type}/${subtype}`, `${type}/*`, '*/*']) {
    const range = ranges.find((each) => each.type === wanted)
    if (range !== undefined) return range.quality
  }
  return 0
}
